import { addDays } from '#contract/days.ts'

/** A month is written as its first day, such as `2025-06-01`. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

export const nextMonth = (month: string): string => monthOf(addDays(month, 31))
export const previousMonth = (month: string): string => monthOf(addDays(month, -1))

/** The weeks of a month, with seven days each. The first and the last week may have days of the months beside it. */
export function weeksOf(month: string, firstWeekday: number): string[][] {
  const start = addDays(month, -((weekdayOf(month) - firstWeekday + 7) % 7))
  const end = nextMonth(month)
  const weeks = []
  for (let first = start; first < end; first = addDays(first, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, i) => addDays(first, i)))
  }
  return weeks
}

/** 1 is Monday and 7 Sunday. */
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

export const monthName = named({ month: 'long', year: 'numeric' })
export const weekdayName = named({ weekday: 'short' })

/** Formats days in English, the language of the page. */
function named(options: Intl.DateTimeFormatOptions) {
  const format = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  return (day: string): string => format.format(new Date(`${day}T12:00:00Z`))
}
