import type { ImportResult } from './import-state.ts'

const names = {
  new: ['New', 'not here yet'],
  same: ['Same', 'here already'],
  conflict: ['Beside other text', 'both are kept'],
  notUnderstood: ['Not understood', 'could not be read'],
  skipped: ['Skipped', 'not taken'],
} as const

/** The counts of all entries of a file, and the first of its problems. */
export function ImportCountsList({ result: { counts, problems, problemCount } }: { result: ImportResult }) {
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
        {Object.entries(names).map(([kind, [name, meaning]]) => (
          <div key={kind} className="flex flex-col">
            <dt className="text-sm font-semibold">{name}</dt>
            <dd className="order-first font-serif text-2xl tabular-nums">
              {counts[kind as keyof typeof names].toLocaleString('en-US')}
            </dd>
            <dd className="text-xs text-ink-soft">{meaning}</dd>
          </div>
        ))}
      </dl>
      {problemCount > 0 && (
        <div className="flex flex-col gap-2">
          <h4 id="import-problems" className="text-sm font-semibold">
            What to know
          </h4>
          <ul
            aria-labelledby="import-problems"
            className="divide-y divide-line rounded-md bg-sunk px-3 text-sm"
          >
            {problems.map(({ place, reason }, at) => (
              <li key={at} className="flex flex-col py-2">
                <span className="text-xs text-ink-soft wrap-anywhere">{place}</span>
                <span className="wrap-anywhere">{reason}</span>
              </li>
            ))}
          </ul>
          {problemCount > problems.length && (
            <p className="text-sm text-ink-soft">
              These are the first {problems.length} of {problemCount.toLocaleString('en-US')}. The report has
              all.
            </p>
          )}
        </div>
      )}
    </>
  )
}
