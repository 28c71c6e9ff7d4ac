import { daysBetween } from '#contract/days.ts'
import type { CountedDay } from './counted-days.ts'
import { currentStreak, frequencyPercent, longestRun, type Run } from './streaks.ts'
import { lastYear, type Weekday, type WrittenWeek } from './weeks.ts'

export interface WritingReport {
  entries: number
  words: number
  /** Words of an entry on average, not rounded; 0 without entries. */
  averageWords: number
  /** From the first entry to the last; both null without entries. */
  firstDay: string | null
  lastDay: string | null
  /** Days without an entry between the first and the last one. */
  missingDays: number
  currentStreak: number
  longestRun: Run | null
  frequencyPercent: number
  weeks: WrittenWeek[]
}

/** Takes the days as `countDays` gives them. */
export function writingReport(
  days: readonly CountedDay[],
  today: string,
  firstDayOfWeek: Weekday,
): WritingReport {
  const words = days.reduce((total, each) => total + each.words, 0)
  const firstDay = days[0]?.day ?? null
  const lastDay = days.at(-1)?.day ?? null
  return {
    entries: days.length,
    words,
    averageWords: words / Math.max(1, days.length),
    firstDay,
    lastDay,
    missingDays: firstDay && lastDay ? daysBetween(firstDay, lastDay) + 1 - days.length : 0,
    currentStreak: currentStreak(days, today),
    longestRun: longestRun(days),
    frequencyPercent: frequencyPercent(days, today),
    weeks: lastYear(days, today, firstDayOfWeek),
  }
}
