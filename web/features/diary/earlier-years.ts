import { isDay } from '#contract/days.ts'
import { cut, isBlank } from '#contract/text.ts'

/**
 * Whether 'On This Day' of a day shows an earlier day: the same month and day of an earlier year. The 28th of February of a
 * common year also shows each 29th, so that every day is shown once a year.
 */
export function isOnThisDay(earlier: string, day: string): boolean {
  if (yearOf(earlier) >= yearOf(day)) return false
  if (monthAndDayOf(earlier) === monthAndDayOf(day)) return true
  const isEndOfFebruary = monthAndDayOf(day) === '02-28' && !isDay(`${yearOf(day)}-02-29`)
  return isEndOfFebruary && monthAndDayOf(earlier) === '02-29'
}

export const yearOf = (day: string): string => day.slice(0, 4)
const monthAndDayOf = (day: string) => day.slice(5)

const shownLength = 120

/** The beginning of the first line that is not blank. */
export const firstWords = (content: string): string =>
  cut(
    content
      .split('\n')
      .find((line) => !isBlank(line))
      ?.trim() ?? '',
    shownLength,
  )
