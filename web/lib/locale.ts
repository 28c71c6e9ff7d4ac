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

/** How a time of day is written: by the clock of the reader's locale, whose hours have 12 or 24 values. */
export function clockFormat(locale: string = navigator.language): Intl.DateTimeFormatOptions {
  const { hour12 = false } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  return { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hourCycle: hour12 ? 'h12' : 'h23' }
}
