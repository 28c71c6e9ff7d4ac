import type { Stats } from '#contract/admin/endpoints.ts'
import { diaryDate } from '#contract/diary/dates.ts'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { NumbersTable } from '#web/ui/NumbersTable.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { useStats } from './api.ts'

/** Posts and people for each of the last 30 days. */
export function Analytics() {
  const stats = useStats()
  if (stats.status !== 'ready')
    return <ListNotReady of={stats} what="The numbers" count={2} each="h-72" className={gridClass} />
  const { perDay } = stats.data
  return (
    <div className={gridClass}>
      <DayChart
        title="Posts per day"
        unit={['post', 'posts']}
        perDay={perDay}
        of="posts"
        colour="fill-lamp"
      />
      <DayChart
        title="New users per day"
        unit={['new user', 'new users']}
        perDay={perDay}
        of="users"
        colour="fill-koenig"
      />
    </div>
  )
}

const gridClass = 'grid gap-4 lg:grid-cols-2'

interface DayChartProps {
  title: string
  /** The word for one, and for any other number. */
  unit: readonly [string, string]
  perDay: Stats['perDay']
  of: 'posts' | 'users'
  colour: string
}

const step = 12
const width = 9
const height = 100

function DayChart({ title, unit, perDay, of, colour }: DayChartProps) {
  const most = Math.max(...perDay.map((day) => day[of]))
  const total = perDay.reduce((sum, day) => sum + day[of], 0)
  const withUnit = (count: number) => `${count} ${unit[count === 1 ? 0 : 1]}`
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(3, (count / most) * height))
  return (
    <TitledCard title={title} className="flex min-w-0 flex-col gap-3">
      <p className="text-sm text-ink-soft">
        {total.toLocaleString('en-US')} in {perDay.length} days, at most {most.toLocaleString('en-US')} in one
      </p>
      <svg
        role="img"
        aria-label={`${withUnit(total)} in ${perDay.length} days, at most ${most} in one day`}
        viewBox={`0 0 ${perDay.length * step} ${height}`}
        className="w-full border-b border-line"
      >
        {perDay.map((day, x) => (
          <rect
            key={day.day}
            x={x * step}
            y={height - heightOf(day[of])}
            width={width}
            height={heightOf(day[of])}
            rx={1.5}
            className={colour}
          >
            <title>{`${diaryDate(day.day)}: ${withUnit(day[of])}`}</title>
          </rect>
        ))}
      </svg>
      <p aria-hidden className="flex justify-between text-xs text-ink-soft">
        <span>{diaryDate(perDay[0]!.day)}</span>
        <span>{diaryDate(perDay.at(-1)!.day)}</span>
      </p>
      <NumbersTable
        caption={title}
        columns={['Day', 'Number']}
        rows={perDay.toReversed().map((day) => [diaryDate(day.day), day[of]])}
      />
    </TitledCard>
  )
}
