import type { Weekday } from '#web/lib/locale.ts'
import type { CountedDay } from './counted-days.ts'
import { currentStreak, frequencyPercent, longestRun, type Run } from './streaks.ts'
import { weeksOfLastYear, type WrittenWeek } from './weeks.ts'

export interface WritingReport {
  entries: number
  words: number
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
  return {
    entries: days.length,
    words: days.reduce((total, each) => total + each.words, 0),
    currentStreak: currentStreak(days, today),
    longestRun: longestRun(days),
    frequencyPercent: frequencyPercent(days, today),
    weeks: weeksOfLastYear(days, today, firstDayOfWeek),
  }
}
