/** The id of the heading, which gets the focus when a reader goes on to another day. */
export const feedTitleId = 'feed-title'

const format = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
})

/** Such as 'Saturday, November 21'. */
export const longDay = (day: string): string => format.format(new Date(`${day}T00:00:00Z`))

/** The address of a day of the feed, by the number of days before today. */
export const feedDayPath = (offset: number): string =>
  offset > 0 ? `/dashboard?day=${offset}` : '/dashboard'
