import { timeOfDay } from '#web/lib/locale.ts'

const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' })
const dayAndYear = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', year: 'numeric' })

/** An instant by the clock of this device: the time today, else the day. */
export function shortTime(instant: string, today: Date): string {
  const at = new Date(instant)
  if (at.toDateString() === today.toDateString()) return timeOfDay(at)
  return (at.getFullYear() === today.getFullYear() ? day : dayAndYear).format(at)
}
