// Calendar days (S29, R20): text `yyyy-MM-dd`, counted by calendar and not by 24 hours.
// Written with Intl and Date alone, for browsers without Temporal.

const dayMs = 86_400_000
const firstYear = 1900
const lastYear = 2100

/** A real calendar day, `yyyy-MM-dd`, of the years 1900 to 2100. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const [year = 0, month = 0, dayOfMonth = 0] = text.split('-').map(Number)
  return year >= firstYear && year <= lastYear && dayFrom(Date.UTC(year, month - 1, dayOfMonth)) === text
}

export function dayOf(instant: Date, timeZone: string): string {
  const parts = formatOf(timeZone).formatToParts(instant)
  const part = (type: 'year' | 'month' | 'day') => parts.find((each) => each.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

export const addDays = (day: string, days: number) => dayFrom(utcMidnight(day) + days * dayMs)

/** Whole days from one day to a later one; negative when it is earlier. */
export const daysBetween = (from: string, to: string) => (utcMidnight(to) - utcMidnight(from)) / dayMs

/** Offset 0 is today; the offset grows going back in time. */
export const dayAtOffset = (now: Date, timeZone: string, offset: number) =>
  addDays(dayOf(now, timeZone), -offset)

/**
 * The first instant of a day: usually its midnight, later where the clocks skip midnight,
 * and the start of the next day where a zone skipped the whole day.
 */
export function startOfDay(day: string, timeZone: string): Date {
  // No zone is further than 15 hours from UTC: the day begins between these two instants.
  let before = utcMidnight(day) - 15 * 3_600_000
  let within = utcMidnight(day) + 15 * 3_600_000
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2)
    if (dayOf(new Date(middle), timeZone) < day) before = middle
    else within = middle
  }
  return new Date(within)
}

/** 'Today', 'Yesterday', else the date. */
export function dayLabel(day: string, today: string): string {
  if (day === today) return 'Today'
  if (day === addDays(today, -1)) return 'Yesterday'
  return dateLabel(day, today)
}

/** Such as 'Monday, Jun 2', and with its year when that is not the year of today. */
export function dateLabel(day: string, today: string): string {
  const isOfThisYear = day.slice(0, 4) === today.slice(0, 4)
  return (isOfThisYear ? labelFormat : labelWithYear).format(utcMidnight(day))
}

const utcMidnight = (day: string) => Date.parse(`${day}T00:00:00Z`)
const dayFrom = (utcMs: number) => new Date(utcMs).toISOString().slice(0, 10)

const labelParts = { weekday: 'long', month: 'short', day: 'numeric', timeZone: 'UTC' } as const
const labelFormat = new Intl.DateTimeFormat('en-US', labelParts)
const labelWithYear = new Intl.DateTimeFormat('en-US', { ...labelParts, year: 'numeric' })

// Making a format costs a hundred times as much as using it.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  formats.set(timeZone, format)
  return format
}
