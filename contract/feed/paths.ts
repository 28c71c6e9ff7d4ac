/** The address of a day of the feed, which shows that day for everybody and always. */
export const feedDayPath = (day: string): string => `/dashboard?date=${day}`
