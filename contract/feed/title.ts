import { dayLabel } from '#contract/days.ts'

/** The title of a day of the feed in a tab and in link previews. */
export const feedTitle = (day: string, today: string): string =>
  day === today ? 'Feed' : `Feed of ${dayLabel(day, today)}`
