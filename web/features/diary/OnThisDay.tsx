import { Link } from 'wouter'
import { type DayText, useDayTexts } from './day-texts.ts'
import { firstWords, isOnThisDay, yearOf } from './earlier-years.ts'
import { useShowsOnThisDay } from './on-this-day-choice.ts'
import { diaryPath, notePath } from './path.ts'

interface OnThisDayProps {
  day: string
  /** Whether the days may be loaded already. */
  isWanted?: boolean
}

/** What the person wrote on this day in earlier years, one line each. It is not drawn when there is nothing. */
export function OnThisDay({ day, isWanted = true }: OnThisDayProps) {
  const [isOn] = useShowsOnThisDay()
  const { texts } = useDayTexts(isOn && isWanted)
  const earlier = isOn ? texts.filter((text) => isOnThisDay(text.day, day)) : []
  if (earlier.length === 0) return null
  return (
    <section aria-labelledby="on-this-day" className="flex flex-col gap-1 phone-writing:hidden print:hidden">
      <h2 id="on-this-day" className="text-base font-semibold">
        On This Day
      </h2>
      <ul className="flex flex-col divide-y divide-line">
        {earlier.map((text) => (
          <li key={`${text.kind} ${text.day}`}>
            <Line text={text} isOtherDay={text.day.slice(5) !== day.slice(5)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Line({ text: { kind, day, content }, isOtherDay }: { text: DayText; isOtherDay: boolean }) {
  return (
    <Link
      href={kind === 'diary' ? diaryPath(day) : notePath(day)}
      className="touch group flex items-baseline gap-3 rounded-md py-1.5 text-sm"
    >
      <span className="shrink-0 text-lamp tabular-nums group-hover:underline">
        {yearOf(day)}
        {isOtherDay && ', Feb 29'}
      </span>
      {kind === 'note' && <span className="shrink-0 text-xs text-ink-soft">Note</span>}
      <span dir="auto" className="min-w-0 flex-1 truncate font-serif">
        {firstWords(content)}
      </span>
    </Link>
  )
}
