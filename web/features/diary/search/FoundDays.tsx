import { useState } from 'react'
import { Link } from 'wouter'
import { dateLabel } from '#contract/days.ts'
import { isBlank } from '#contract/text.ts'
import { todayHere } from '#web/lib/today.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { Marked } from '#web/ui/Marked.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { useDaysRead } from '../account-days.ts'
import { useDayTexts } from '../day-texts.ts'
import { yearOf } from '../earlier-years.ts'
import { DaysOfDeviceLine } from '../DaysOfDeviceLine.tsx'
import { foundDayPath, foundNotePath } from '../path.ts'
import type { SearchResult, FoundText } from './day-index.ts'
import { useDaySearch } from './day-search.ts'

const shownAtOnce = 30

/** The saved texts of a person that match what the person types. Everything happens on this device. */
export function FoundDays({ owner, query }: { owner: string; query: string }) {
  const { diary, notes, texts } = useDayTexts()
  const [more, setMore] = useState({ query, limit: shownAtOnce })
  const limit = more.query === query ? more.limit : shownAtOnce
  const { result, indexed, total, hasFailed, tryAgain } = useDaySearch(owner, texts, { query, limit })
  const isLoading = diary.status === 'loading' || notes.status === 'loading'
  const isComplete = !isLoading && indexed === total

  if (diary.status === 'failed' && texts.length === 0) {
    return (
      <FailedState
        text="Your diary could not be read."
        kept="What is saved is safe in your account."
        onTryAgain={diary.refetch}
      />
    )
  }
  if (hasFailed) return <FailedState text="The search could not be started." onTryAgain={tryAgain} />
  return (
    <>
      <DaysOfDeviceLine days={diary} />
      {notes.status === 'failed' && (
        <QuietLine text="Your calendar notes could not be read." onTryAgain={notes.refetch} />
      )}
      <Progress isLoading={isLoading} indexed={indexed} total={total} />
      {isBlank(query) && isComplete && total === 0 && <EmptyState text="No diary entries yet..." />}
      {isBlank(query) && total > 0 && (
        <p className="text-sm text-ink-soft">
          Type the beginnings of words, or a phrase in quotes. What you type stays on this device.
        </p>
      )}
      {!isBlank(query) && result !== undefined && (
        <Found
          result={result}
          isComplete={isComplete}
          onMore={() => setMore({ query, limit: limit + shownAtOnce })}
        />
      )}
    </>
  )
}

/** How much of the diary is not searched yet. */
function Progress({ isLoading, indexed, total }: { isLoading: boolean; indexed: number; total: number }) {
  const daysRead = useDaysRead()
  if (!isLoading && indexed >= total) return null
  return (
    <div className="flex flex-col gap-1 text-sm text-ink-soft">
      <p role="status" aria-label="Reading your diary">
        {isLoading
          ? `Reading your diary… ${whole.format(daysRead)} days so far`
          : `Preparing the search… ${whole.format(indexed)} of ${whole.format(total)}`}
      </p>
      {!isLoading && (
        <progress
          aria-label="Preparing the search"
          max={total}
          value={indexed}
          className="h-1 w-full accent-lamp"
        />
      )}
    </div>
  )
}

interface FoundProps {
  result: SearchResult
  isComplete: boolean
  onMore: () => void
}

function Found({ result: { query, years, found }, isComplete, onMore }: FoundProps) {
  const count = years.reduce((sum, each) => sum + each.count, 0)
  if (count === 0) return isComplete && <EmptyState text={`Nothing found for “${query.trim()}”`} />
  const byYear = Map.groupBy(found, ({ day }) => yearOf(day))
  return (
    <>
      <output className="text-sm text-ink-soft">
        {whole.format(count)} {count === 1 ? 'match' : 'matches'}
      </output>
      {years.map(({ year, count: ofYear }) => {
        const shown = byYear.get(year)
        return (
          shown && (
            <section key={year} aria-labelledby={`found-${year}`}>
              <h2 id={`found-${year}`} className="flex items-baseline gap-2 text-xl">
                {year}
                <span className="text-sm font-normal text-ink-soft">
                  {whole.format(ofYear)} {ofYear === 1 ? 'match' : 'matches'}
                </span>
              </h2>
              <ul className="flex flex-col divide-y divide-line">
                {shown.map((text) => (
                  <li key={`${text.kind} ${text.day}`}>
                    <FoundLink text={text} />
                  </li>
                ))}
              </ul>
            </section>
          )
        )
      })}
      {found.length < count && (
        <Button variant="quiet" className="self-center" onClick={onMore}>
          Show more
        </Button>
      )}
    </>
  )
}

function FoundLink({ text: { kind, day, snippet } }: { text: FoundText }) {
  return (
    <Link
      href={kind === 'diary' ? foundDayPath(day) : foundNotePath(day)}
      className="group block rounded-md py-3"
    >
      <span className="flex items-baseline gap-2 text-sm font-medium group-hover:text-lamp">
        {dateLabel(day, todayHere())}
        {kind === 'note' && <span className="text-xs font-normal text-ink-soft">Note</span>}
      </span>
      <span dir="auto" className="mt-0.5 line-clamp-3 font-serif wrap-anywhere text-ink-soft">
        <Marked {...snippet} />
      </span>
    </Link>
  )
}

const whole = new Intl.NumberFormat('en')
