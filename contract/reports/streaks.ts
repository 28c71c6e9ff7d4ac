import { addDays, daysBetween } from '#contract/days.ts'
import type { CountedDay } from './counted-days.ts'

/** Days that the current streak and the frequency look back, today among them. */
export const streakWindow = 30
const longestScale = 50

export interface Run {
  from: string
  to: string
  days: number
}

/** Days in a row up to today, or up to yesterday while today has no entry. */
export function currentStreak(days: readonly CountedDay[], today: string): number {
  const written = new Set(days.map(({ day }) => day))
  const end = written.has(today) ? today : addDays(today, -1)
  let streak = 0
  while (streak < streakWindow && written.has(addDays(end, -streak))) streak++
  return streak
}

/** The longest run of days in a row, the first of several as long; null without entries. */
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

/** Entries of the last 30 days divided by 30, a whole number; a day has one entry, so it never passes 100. */
export function frequencyPercent(days: readonly CountedDay[], today: string): number {
  const recent = days.filter(({ day }) => day <= today && daysBetween(day, today) < streakWindow)
  return Math.round((100 * recent.length) / streakWindow)
}

/** How far the two streak bars are filled, in percent. */
export const currentStreakBar = (streak: number) => filled(streak, streakWindow)
export const longestStreakBar = (streak: number) => filled(streak, longestScale)

const filled = (streak: number, scale: number) => Math.min(100, (100 * streak) / scale)

export function consistencyBadge(percent: number): 'default' | 'secondary' | 'outline' {
  if (percent >= 80) return 'default'
  return percent >= 50 ? 'secondary' : 'outline'
}
