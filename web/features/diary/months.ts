import { isDay } from '#contract/days.ts'

export const monthOf = (day: string): string => day.slice(0, 7)

/** Such as 'June 2025'; what is no month stays as it is. */
export const monthName = (month: string): string =>
  isDay(`${month}-01`) ? format.format(new Date(`${month}-01T12:00:00Z`)) : month

const format = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
