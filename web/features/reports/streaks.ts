import { addDays, daysBetween } from '#contract/days.ts'
import type { CountedDay } from './counted-days.ts'

/** The number of days, with today, of which the current streak and the frequency are counted. */
const streakWindow = 30
const longestScale = 50

export interface Run {
  from: string
  to: string
  days: number
}

/** The number of days in a row with an entry, up to today, or up to yesterday while today has none. At most 30. */
export function currentStreak(days: readonly CountedDay[], today: string): number {
  const written = new Set(days.map(({ day }) => day))
  const end = written.has(today) ? today : addDays(today, -1)
  let streak = 0
  while (streak < streakWindow && written.has(addDays(end, -streak))) streak++
  return streak
}

/** The longest run of days with an entry; of several equal ones the first, null without entries. */
export function longestRun(days: readonly CountedDay[]): Run | null {
  let longest: Run | null = null
  let run: Run | null = null
  for (const { day } of days) {
    run =
      run && addDays(run.to, 1) === day
        ? { from: run.from, to: day, days: run.days + 1 }
        : { from: day, to: day, days: 1 }
    if (longest === null || run.days > longest.days) longest = run
  }
  return longest
}

/** How many of the last 30 days have an entry, in percent, rounded. */
export function frequencyPercent(days: readonly CountedDay[], today: string): number {
  const recent = days.filter(({ day }) => day <= today && daysBetween(day, today) < streakWindow)
  return Math.round((100 * recent.length) / streakWindow)
}

/** The filled part of the two streak bars, in percent. */
export const currentStreakBar = (streak: number) => filled(streak, streakWindow)
export const longestStreakBar = (streak: number) => filled(streak, longestScale)

const filled = (streak: number, scale: number) => Math.min(100, (100 * streak) / scale)

export function consistencyBadge(percent: number): 'default' | 'secondary' | 'outline' {
  if (percent >= 80) return 'default'
  return percent >= 50 ? 'secondary' : 'outline'
}
