import { useSyncExternalStore } from 'react'

/** Monday is 1 and Sunday 7. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

interface WithWeek {
  getWeekInfo?: () => { firstDay: number }
  weekInfo?: { firstDay: number }
}

/** The weekday that the week of a locale begins with; Monday where the browser does not know. */
export function firstWeekdayOf(locale: string): Weekday {
  const known: WithWeek = new Intl.Locale(locale)
  return ((known.getWeekInfo?.() ?? known.weekInfo)?.firstDay ?? 1) as Weekday
}

export type ClockFormat = Pick<Intl.DateTimeFormatOptions, 'hour' | 'minute' | 'hourCycle'>

/** How a time of day is written: by the clock of the reader's locale, whose hours have 12 or 24 values. */
export function clockFormat(locale: string = navigator.language): ClockFormat {
  const known = clocks.get(locale)
  if (known) return known
  const { hour12 = false } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  const clock = {
    hour: hour12 ? 'numeric' : '2-digit',
    minute: '2-digit',
    hourCycle: hour12 ? 'h12' : 'h23',
  } as const
  clocks.set(locale, clock)
  return clock
}

// Making a format costs a hundred times as much as using it.
const clocks = new Map<string, ClockFormat>()
const formats = new Map<string, Intl.DateTimeFormat>()

/** What may stand beside a time of day. */
type DateParts = Pick<
  Intl.DateTimeFormatOptions,
  'weekday' | 'year' | 'month' | 'day' | 'second' | 'timeZone'
>

/** Writes a time of day, with the given parts of its date. No other code writes one. */
export const timeOfDay = (at: Date | string, parts: DateParts = {}, clock = clockFormat()): string =>
  writeDate(at, { ...parts, ...clock })

/** Writes parts of a date, by default in the time zone that the device has now. */
export function writeDate(at: Date | string, parts: DateParts & Partial<ClockFormat>): string {
  const date = new Date(at)
  const { timeZone } = parts
  const key = JSON.stringify(parts)
  // A format keeps its time zone, and the device may change its own. So the format writes UTC, and the date is moved by the offset.
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en', { ...parts, timeZone: timeZone ?? 'UTC' })
  formats.set(key, format)
  return format.format(timeZone === undefined ? +date - date.getTimezoneOffset() * 60_000 : date)
}

/** How the reader's locale writes a time of day. The server, which does not know the reader, writes it as in English. */
export function useClockFormat(): ClockFormat {
  const locale = useSyncExternalStore(
    onLanguageChange,
    () => navigator.language,
    () => 'en-US',
  )
  return clockFormat(locale)
}

function onLanguageChange(changed: () => void) {
  addEventListener('languagechange', changed)
  return () => removeEventListener('languagechange', changed)
}
