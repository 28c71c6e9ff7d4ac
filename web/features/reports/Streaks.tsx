import type { WritingReport } from './report.ts'
import { consistencyBadge, currentStreakBar, longestStreakBar } from './streaks.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { TitledCard } from '#web/ui/TitledCard.tsx'

const looks = { default: 'lamp', secondary: 'plain', outline: 'outline' } as const

/** The current and the longest run of days with an entry, and how often the person writes. */
export function Streaks({ report }: { report: WritingReport }) {
  const { currentStreak, longestRun, frequencyPercent } = report
  const longest = longestRun?.days ?? 0
  return (
    <TitledCard title="Writing Streaks" className="flex flex-col gap-4">
      <Bar name="Current streak" days={currentStreak} percent={currentStreakBar(currentStreak)} />
      <Bar name="Longest streak" days={longest} percent={longestStreakBar(longest)} />
      <p className="flex items-center gap-2 text-sm">
        Consistency
        <Badge tone={looks[consistencyBadge(frequencyPercent)]}>{frequencyPercent}%</Badge>
      </p>
    </TitledCard>
  )
}

function Bar({ name, days, percent }: { name: string; days: number; percent: number }) {
  const inDays = `${days} ${days === 1 ? 'day' : 'days'}`
  return (
    <div className="flex flex-col gap-1 text-sm">
      <span className="flex justify-between">
        <span>{name}</span>
        <span className="text-ink-soft">{inDays}</span>
      </span>
      <div
        role="progressbar"
        aria-label={name}
        aria-valuenow={Math.round(percent)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={inDays}
        className="h-2 overflow-hidden rounded-full bg-sunk"
      >
        <div className="h-full rounded-full bg-lamp" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
