import type { MarkedText } from '#contract/search/endpoints.ts'

/** A text with its marks. */
export function Marked({ text, marks }: MarkedText) {
  return (
    <>
      {marks.map(({ from, to }, index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.to ?? 0, from)}
          <mark className="bg-glow font-semibold text-ink underline decoration-lamp underline-offset-2">
            {text.slice(from, to)}
          </mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.to ?? 0)}
    </>
  )
}
