const kept = { days: 7, weeks: 4 }

/** Returns the days whose backups expire: all but the last 7 days and the last day of each of the last 4 weeks. */
export function expiredBackupDays(days: readonly string[]): string[] {
  const newestFirst = days.toSorted().toReversed()
  const lastOfWeek = new Map<string, string>()
  for (const day of newestFirst) lastOfWeek.getOrInsert(weekOf(day), day)
  const keeps = new Set([
    ...newestFirst.slice(0, kept.days),
    ...[...lastOfWeek.values()].slice(0, kept.weeks),
  ])
  return newestFirst.filter((day) => !keeps.has(day))
}

/** The Monday of the day's week. */
function weekOf(day: string) {
  const date = Temporal.PlainDate.from(day)
  return date.subtract({ days: date.dayOfWeek - 1 }).toString()
}
