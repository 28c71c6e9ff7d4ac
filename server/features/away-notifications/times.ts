import type { AwayNotificationChoices } from '#contract/away-notifications/choices.ts'

/**
 * Until when an away notification that was due waits: for the hour of the digest, or for the end of the quiet hours. Undefined: it waits no
 * longer.
 */
export function waitUntil(
  {
    digestHour,
    quietHours,
    timeZone,
  }: Pick<AwayNotificationChoices, 'digestHour' | 'quietHours' | 'timeZone'>,
  { dueAt, now }: { dueAt: string; now: string },
): string | undefined {
  if (digestHour !== null) {
    const digest = nextTime(dueAt, digestHour, timeZone)
    return Temporal.Instant.compare(digest, now) <= 0 ? undefined : textOf(digest)
  }
  if (quietHours === null) return undefined
  const { from, to } = quietHours
  const { hour } = Temporal.Instant.from(now).toZonedDateTimeISO(timeZone)
  const isQuiet = from < to ? hour >= from && hour < to : hour >= from || hour < to
  return isQuiet ? textOf(nextTime(now, to, timeZone)) : undefined
}

/** The next Monday at eight in the morning, after an instant. */
export function nextMonday(after: string, timeZone: string): string {
  const { dayOfWeek } = Temporal.Instant.from(after).toZonedDateTimeISO(timeZone)
  const thisWeek = timeOf(after, { hour: 8, days: 1 - dayOfWeek, timeZone })
  const isOver = Temporal.Instant.compare(thisWeek, after) <= 0
  return textOf(isOver ? timeOf(after, { hour: 8, days: 8 - dayOfWeek, timeZone }) : thisWeek)
}

/** The first instant from `from` on at which this hour begins. */
function nextTime(from: string, hour: number, timeZone: string): Temporal.Instant {
  const today = timeOf(from, { hour, days: 0, timeZone })
  return Temporal.Instant.compare(today, from) >= 0 ? today : timeOf(from, { hour, days: 1, timeZone })
}

interface DayTime {
  hour: number
  /** After the day of the instant. */
  days: number
  timeZone: string
}

/** An hour that the change to summer time leaves out begins an hour later. */
const timeOf = (instant: string, { hour, days, timeZone }: DayTime): Temporal.Instant =>
  Temporal.Instant.from(instant)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .add({ days })
    .toZonedDateTime({ timeZone, plainTime: { hour } })
    .toInstant()

const textOf = (instant: Temporal.Instant): string => instant.toString({ fractionalSecondDigits: 3 })
