import { daysBetween } from '#contract/days.ts'
import type { CountedDay } from './counted-days.ts'
import { currentStreak, frequencyPercent, longestRun, type Run } from './streaks.ts'
import { weeksOfLastYear, type Weekday, type WrittenWeek } from './weeks.ts'

export interface WritingReport {
  entries: number
  words: number
  /** The average words of an entry, not rounded; 0 without entries. */
  averageWords: number
  /** The days of the first and the last entry; null without entries. */
  firstDay: string | null
  lastDay: string | null
  /** Days without an entry between the first and the last one. */
  missingDays: number
  currentStreak: number
  longestRun: Run | null
  frequencyPercent: number
  weeks: WrittenWeek[]
}

/** `days` are sorted as `countDays` returns them, oldest first. */
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
    weeks: weeksOfLastYear(days, today, firstDayOfWeek),
  }
}
