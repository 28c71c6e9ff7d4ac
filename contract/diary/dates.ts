import { isDay } from '#contract/days.ts'

/** 'Tuesday, June 10, 2025', the date header of the diary; what is no day stays as it is. */
export const diaryDate = (day: string): string => (isDay(day) ? long.format(atNoon(day)) : day)

/** 'Tuesday, June 10th, 2025', the date above an entry on paper; what is no day stays as it is. */
export function paperDate(day: string): string {
  if (!isDay(day)) return day
  const part = Object.fromEntries(long.formatToParts(atNoon(day)).map(({ type, value }) => [type, value]))
  return `${part['weekday']}, ${part['month']} ${ordinal(Number(part['day']))}, ${part['year']}`
}

function ordinal(count: number): string {
  const isTeen = count % 100 > 10 && count % 100 < 14
  return `${count}${isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][count % 10] ?? 'th')}`
}

const atNoon = (day: string) => new Date(`${day}T12:00:00Z`)

const long = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
})
