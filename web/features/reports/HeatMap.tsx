import { diaryDate } from '#contract/diary/dates.ts'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { cx } from '#web/ui/cx.ts'
import { monthLabels } from './month-labels.ts'
import { NumbersTable } from '#web/ui/NumbersTable.tsx'
import type { WrittenWeek } from './weeks.ts'

const step = 11
const size = 9
const labelHeight = 12
const weeksOnPhone = 13
const shades = ['fill-sunk', 'fill-lamp/25', 'fill-lamp/50', 'fill-lamp/75', 'fill-lamp']

/** A square for each day of the last year, or on a phone of the last 13 weeks. More words give a darker square. */
export function HeatMap({ weeks }: { weeks: WrittenWeek[] }) {
  const written = weeks.flatMap((week) => week.days).filter(({ level }) => level > 0)
  return (
    <TitledCard title="Days with an entry" className="flex min-w-0 flex-col gap-3 lg:col-span-2">
      <p className="text-sm text-ink-soft">
        <span className="max-sm:hidden">The last year</span>
        <span className="sm:hidden">The last {weeksOnPhone} weeks</span>
      </p>
      <Squares weeks={weeks} className="max-sm:hidden" />
      <Squares weeks={weeks.slice(-weeksOnPhone)} className="sm:hidden" />
      <NumbersTable
        caption="Words on each day with an entry"
        columns={['Day', 'Words']}
        rows={written.map(({ day, words }) => [diaryDate(day), words])}
      />
    </TitledCard>
  )
}

function Squares({ weeks, className }: { weeks: WrittenWeek[]; className: string }) {
  const days = weeks.flatMap((week) => week.days)
  const written = days.filter(({ level }) => level > 0)
  return (
    <svg
      role="img"
      direction="ltr"
      aria-label={`Written on ${written.length} of the last ${days.length} days`}
      viewBox={`0 0 ${weeks.length * step} ${labelHeight + 7 * step}`}
      className={cx('w-full', className)}
    >
      {monthLabels(weeks.map(({ start }) => start)).map(({ name, week }) => (
        <text key={week} x={week * step} y={8} className="fill-ink-soft text-[8px]">
          {name}
        </text>
      ))}
      {weeks.map((week, x) =>
        week.days.map(({ day, words, level }, y) => (
          <rect
            key={day}
            x={x * step}
            y={labelHeight + y * step}
            width={size}
            height={size}
            rx={2}
            className={shades[level]}
          >
            <title>{`${diaryDate(day)}: ${words} words`}</title>
          </rect>
        )),
      )}
    </svg>
  )
}
