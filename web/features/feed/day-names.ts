/** The id of the heading, which gets the focus when a reader goes on to another day. */
export const feedTitleId = 'feed-title'

/** The address of a day of the feed, by the number of days before today. */
export const feedDayPath = (offset: number): string =>
  offset > 0 ? `/dashboard?day=${offset}` : '/dashboard'
