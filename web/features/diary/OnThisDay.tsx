import { Link } from 'wouter'
import { cx } from '#web/ui/cx.ts'
import { type DayText, useDayTexts } from './day-texts.ts'
import { firstWords, isOnThisDay, yearOf } from './earlier-years.ts'
import { useShowsOnThisDay } from './on-this-day-choice.ts'
import { diaryPath, notePath } from './path.ts'

interface OnThisDayProps {
  day: string
  /** Whether the days may be loaded already. */
  isWanted?: boolean
  /** Whether the list stands in the margin of a container that is wide enough, and below the page in any other. */
  isInMargin?: boolean
}

const marginClass =
  '@min-[70rem]:absolute @min-[70rem]:start-full @min-[70rem]:top-16 @min-[70rem]:ms-6 @min-[70rem]:max-h-[calc(100%-4rem)] @min-[70rem]:w-[calc(50cqw-50%-1.5rem)] @min-[70rem]:overflow-y-auto'
const marginLineClass =
  '@min-[70rem]:flex-col @min-[70rem]:items-start @min-[70rem]:gap-0 @min-[70rem]:*:last:line-clamp-2 @min-[70rem]:*:last:whitespace-normal'

/** What the person wrote on this day in earlier years, one line each; in the narrow margin two lines. It is not drawn when there is nothing. */
export function OnThisDay({ day, isWanted = true, isInMargin = false }: OnThisDayProps) {
  const [isOn] = useShowsOnThisDay()
  const { texts } = useDayTexts(isOn && isWanted)
  const earlier = isOn ? texts.filter((text) => isOnThisDay(text.day, day)) : []
  if (earlier.length === 0) return null
  return (
    <section
      aria-labelledby="on-this-day"
      className={cx('flex flex-col gap-1 phone-writing:hidden print:hidden', isInMargin && marginClass)}
    >
      <h2 id="on-this-day" className="text-base font-semibold">
        On This Day
      </h2>
      <ul className="flex flex-col divide-y divide-line">
        {earlier.map((text) => (
          <li key={`${text.kind} ${text.day}`}>
            <Line
              text={text}
              isOtherDay={text.day.slice(5) !== day.slice(5)}
              className={isInMargin ? marginLineClass : ''}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface LineProps {
  text: DayText
  isOtherDay: boolean
  className: string
}

function Line({ text: { kind, day, content }, isOtherDay, className }: LineProps) {
  return (
    <Link
      href={kind === 'diary' ? diaryPath(day) : notePath(day)}
      // In the diary the line goes, and the beginning of the day that it opens comes into sight.
      onClick={() => document.getElementById('diary-date')?.focus()}
      className={cx('touch group flex items-center gap-x-3 rounded-md py-1.5 text-sm', className)}
    >
      <span className="shrink-0 text-lamp tabular-nums group-hover:underline">
        {yearOf(day)}
        {isOtherDay && ', Feb 29'}
        {kind === 'note' && <span className="ms-3 text-xs text-ink-soft">Note</span>}
      </span>
      <span dir="auto" className="max-w-full min-w-0 flex-1 truncate font-serif wrap-anywhere">
        {firstWords(content)}
      </span>
    </Link>
  )
}
