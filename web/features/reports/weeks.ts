import { addDays, daysBetween } from '#contract/days.ts'
import type { Weekday } from '#web/lib/locale.ts'
import type { CountedDay } from './counted-days.ts'

export interface WrittenWeek {
  start: string
  words: number
  daysWritten: number
  /** Sorted by day, without days after today. */
  days: HeatMapDay[]
}

interface HeatMapDay {
  day: string
  words: number
  /** 0 without an entry, else the quartile of its words among the shown days with an entry, from 1 to 4. */
  level: number
}

const weeksShown = 53
const aMonday = '2024-01-01'

/** The last 53 weeks, oldest first, for the heat map and the words per week. The last week has today. */
export function weeksOfLastYear(
  days: readonly CountedDay[],
  today: string,
  firstDayOfWeek: Weekday,
): WrittenWeek[] {
  const firstStart = addDays(startOfWeek(today, firstDayOfWeek), -7 * (weeksShown - 1))
  const shown = days.filter(({ day }) => day >= firstStart && day <= today)
  const wordsByDay = new Map(shown.map(({ day, words }) => [day, words]))
  const levelOf = levels(shown.map(({ words }) => words))

  return Array.from({ length: weeksShown }, (_, week) => {
    const start = addDays(firstStart, 7 * week)
    const ofWeek = Array.from({ length: 7 }, (_, day) => addDays(start, day)).filter((day) => day <= today)
    const written = ofWeek.flatMap((day) => wordsByDay.get(day) ?? [])
    return {
      start,
      words: sum(written),
      daysWritten: written.length,
      days: ofWeek.map((day) => ({
        day,
        words: wordsByDay.get(day) ?? 0,
        level: levelOf(wordsByDay.get(day)),
      })),
    }
  })
}

export function startOfWeek(day: string, firstDayOfWeek: Weekday): string {
  const sinceStart = (daysBetween(aMonday, day) - (firstDayOfWeek - 1)) % 7
  return addDays(day, -((sinceStart + 7) % 7))
}

// Quartiles, not shares of the longest entry: one very long entry would make all other days pale.
const levels = (all: number[]) => (words: number | undefined) =>
  words === undefined ? 0 : Math.ceil((4 * all.filter((each) => each <= words).length) / all.length)

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
