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
  const { hour12 = false } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hourCycle: hour12 ? 'h12' : 'h23' }
}

const formats = new Map<string, ClockFormat>()

/** How the reader's locale writes a time of day. The server, which does not know the reader, writes it as in English. */
export function useClockFormat(): ClockFormat {
  const locale = useSyncExternalStore(
    onLanguageChange,
    () => navigator.language,
    () => 'en-US',
  )
  const format = formats.get(locale) ?? clockFormat(locale)
  formats.set(locale, format)
  return format
}

function onLanguageChange(changed: () => void) {
  addEventListener('languagechange', changed)
  return () => removeEventListener('languagechange', changed)
}
