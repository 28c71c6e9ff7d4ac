import { addDays, isDay } from '#contract/days.ts'
import { oldestFeedDay } from '#contract/feed/reading/endpoints.ts'

/** The id of the heading, which gets the focus when a reader goes on to another day. */
export const feedTitleId = 'feed-title'

/** The address of a day of the feed. That of today has no date: it leads to today, whatever day that is. */
export const pathInFeed = (day: string, today: string, path = '/dashboard'): string =>
  day === today ? path : `${path}?date=${day}`

export const oldestDay = (today: string): string => addDays(today, -oldestFeedDay)

export const isInFeed = (day: string, today: string): boolean =>
  isDay(day) && day <= today && day >= oldestDay(today)
