import { diaryDate } from '#contract/diary/dates.ts'
import type { WrittenWeek } from './weeks.ts'
import { TitledCard } from '#web/ui/TitledCard.tsx'
import { NumbersTable } from '#web/ui/NumbersTable.tsx'

const step = 11
const width = 9
const height = 80

/** A bar for each week of the last year. */
export function WordsPerWeek({ weeks }: { weeks: WrittenWeek[] }) {
  const most = Math.max(...weeks.map(({ words }) => words))
  const total = weeks.reduce((sum, { words }) => sum + words, 0)
  return (
    <TitledCard title="Words per week" className="flex min-w-0 flex-col gap-3 lg:col-span-2">
      <svg
        role="img"
        aria-label={`${withUnit(total)} in the last ${weeks.length} weeks, at most ${most} in one`}
        viewBox={`0 0 ${weeks.length * step} ${height}`}
        className="w-full"
      >
        {weeks.map(({ start, words }, x) => (
          <rect
            key={start}
            x={x * step}
            y={height - barHeight(words, most)}
            width={width}
            height={barHeight(words, most)}
            rx={1.5}
            className={words > 0 ? 'fill-lamp' : 'fill-line'}
          >
            <title>{`Week of ${diaryDate(start)}: ${withUnit(words)}`}</title>
          </rect>
        ))}
      </svg>
      <NumbersTable
        caption="Words of each week"
        columns={['Week of', 'Days', 'Words']}
        rows={weeks.map(({ start, daysWritten, words }) => [diaryDate(start), daysWritten, words])}
      />
    </TitledCard>
  )
}

const withUnit = (words: number) => `${words} word${words === 1 ? '' : 's'}`

/** A week without words is drawn as a line. */
const barHeight = (words: number, most: number) => (words === 0 ? 1 : Math.max(1, (words / most) * height))
