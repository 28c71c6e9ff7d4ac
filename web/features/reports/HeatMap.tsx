import { diaryDate } from '#contract/diary/dates.ts'
import type { WrittenWeek } from '#contract/reports/weeks.ts'
import { Card } from '#web/ui/Card.tsx'
import { NumbersTable } from './NumbersTable.tsx'

const step = 11
const size = 9
const shades = ['fill-sunk', 'fill-lamp/25', 'fill-lamp/50', 'fill-lamp/75', 'fill-lamp']

/** The last year, a square for each day, darker the more was written. */
export function HeatMap({ weeks }: { weeks: WrittenWeek[] }) {
  const days = weeks.flatMap((week) => week.days)
  const written = days.filter(({ level }) => level > 0)
  return (
    <Card as="section" aria-labelledby="heat-map" className="flex min-w-0 flex-col gap-3 lg:col-span-2">
      <h2 id="heat-map" className="text-xl">
        The last year
      </h2>
      <svg
        role="img"
        aria-label={`Written on ${written.length} of the last ${days.length} days`}
        viewBox={`0 0 ${weeks.length * step} ${7 * step}`}
        className="w-full"
      >
        {weeks.map((week, x) =>
          week.days.map(({ day, words, level }, y) => (
            <rect
              key={day}
              x={x * step}
              y={y * step}
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
      <NumbersTable
        caption="Words of each day written on"
        columns={['Day', 'Words']}
        rows={written.map(({ day, words }) => [diaryDate(day), words])}
      />
    </Card>
  )
}
