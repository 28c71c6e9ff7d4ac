import { isDay } from '#contract/days.ts'
import { NotUnderstood } from './refused.ts'

export interface LocalTime {
  day: string
  /** `HH:mm`. Null: only the day is known. */
  time: string | null
}

/** Reads an instant as programs write it. A time without a zone is UTC. Undefined: the value is no instant. */
export function instantOf(value: unknown): Date | undefined {
  const match = typeof value === 'string' && value.length < 50 ? instantPattern.exec(value.trim()) : null
  if (!match) return undefined
  const [, day, time, seconds = ':00', sign, hours, minutes = '00'] = match
  const zone = sign ? `${sign}${hours}:${minutes}` : 'Z'
  const instant = new Date(`${day}T${time}${seconds}${zone}`)
  return Number.isNaN(instant.getTime()) ? undefined : instant
}

const instantPattern =
  /^(\d{4}-\d{2}-\d{2})[T ]+(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)? ?(?:Z|UTC|([+-])(\d{2}):?(\d{2})?)?$/i

/** The instant in UTC, as the wire writes it; null when there is none. */
export const instantText = (value: unknown): string | null => instantOf(value)?.toISOString() ?? null

/** The day and time as a text writes them, in its own time zone: seconds and the zone are not read. Undefined: there is no day. */
export function writtenTime(text: string): LocalTime | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ]+(\d{1,2}:\d{2}))?/.exec(text)
  if (!match || !isDay(match[1]!)) return undefined
  return { day: match[1]!, time: timeOf(match[2]) }
}

/** `HH:mm` of a time such as '8:05'; null when there is no such time. */
export function timeOf(text: string | undefined): string | null {
  const [hours, minutes] = (text ?? '').split(':')
  const isTime = Number(hours) < 24 && Number(minutes) < 60 && minutes?.length === 2
  return isTime ? `${hours!.padStart(2, '0')}:${minutes}` : null
}

/** The day and time of an instant in a time zone. Undefined: the zone is unknown. */
export function localTime(instant: Date, timeZone: string): LocalTime | undefined {
  const offset = offsetMs(timeZone)
  if (offset !== undefined) return partsOf(new Date(instant.getTime() + offset).toISOString())
  const format = formatOf(timeZone)
  return format && partsOf(format.format(instant).replace(', ', 'T').replace(' ', 'T'))
}

/** Returns the day, or throws `NotUnderstood` when it is none. */
export function checkedDay(day: string): string {
  if (!isDay(day)) throw new NotUnderstood('This entry has no day between the years 1900 and 2100.')
  return day
}

const partsOf = (iso: string): LocalTime => ({ day: iso.slice(0, 10), time: iso.slice(11, 16) })

/** UTC, and zones that are written as their distance from it, such as 'GMT+0200'. */
function offsetMs(timeZone: string): number | undefined {
  const match = /^(?:UTC|GMT|Z)?(?:([+-])(\d{1,2}):?(\d{2})?)?$/i.exec(timeZone)
  if (!match) return undefined
  const [, sign, hours = '0', minutes = '0'] = match
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

// Making a format costs a hundred times as much as using it.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  // A file of 100,000 spellings must not make as many formats.
  const timeZone = name.toLowerCase()
  const known = formats.get(timeZone)
  if (known) return known
  try {
    // Swedish dates are ISO dates.
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, ...numeric })
    formats.set(timeZone, format)
    return format
  } catch {
    return undefined
  }
}

const numeric = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
} as const
