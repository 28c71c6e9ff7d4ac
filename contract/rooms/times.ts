import type { Room } from '#contract/rooms/room.ts'

const minuteMs = 60_000
const dayMinutes = 1440

/** Milliseconds until a room ends, never below 0. */
export const msLeft = ({ expiresAt }: Pick<Room, 'expiresAt'>, now: Date): number =>
  Math.max(0, Date.parse(expiresAt) - now.getTime())

/** The time that a room has left: '2 days 4 hours left', '1h 5m left', '5m left' or 'Expired'. */
export function timeLeft(room: Pick<Room, 'expiresAt'>, now: Date): string {
  const left = msLeft(room, now)
  if (left === 0) return 'Expired'
  const minutes = Math.floor(left / minuteMs)
  if (minutes >= dayMinutes) {
    const hours = Math.floor((minutes % dayMinutes) / 60)
    const days = countOf(Math.floor(minutes / dayMinutes), 'day')
    return hours === 0 ? `${days} left` : `${days} ${countOf(hours, 'hour')} left`
  }
  return minutes < 60 ? `${minutes}m left` : `${Math.floor(minutes / 60)}h ${minutes % 60}m left`
}

/** The time left within a small ring, in at most four letters: '12d', '71h', '1h05' or '5m'. */
export function shortTimeLeft(leftMs: number): string {
  const minutes = Math.floor(leftMs / minuteMs)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return `${minutes}m`
  if (hours >= 100) return `${Math.floor(hours / 24)}d`
  return hours >= 10 || rest === 0 ? `${hours}h` : `${hours}h${String(rest).padStart(2, '0')}`
}

const countOf = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** The time since an instant: 'Just now', '5m ago', '3h ago' or a date such as 'June 9'. */
export function relativeTime(at: string, now: Date, timeZone: string): string {
  const minutes = Math.floor((now.getTime() - Date.parse(at)) / minuteMs)
  if (minutes < 1) return 'Just now'
  if (minutes < 60) return `${minutes}m ago`
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ago`
  return new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone }).format(new Date(at))
}
