import { timeOfDay, writeDate } from '#web/lib/locale.ts'

/** An instant by the clock of this device: the time today, else the day. */
export function shortTime(instant: string, today: Date): string {
  const at = new Date(instant)
  if (at.toDateString() === today.toDateString()) return timeOfDay(at)
  const year = at.getFullYear() === today.getFullYear() ? undefined : 'numeric'
  return writeDate(at, { month: 'short', day: 'numeric', year })
}
