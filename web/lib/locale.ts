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
