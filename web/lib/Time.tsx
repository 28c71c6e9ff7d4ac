import { useAppConfig } from '#web/lib/app-config.tsx'
import { timeOfDay, useClockFormat } from '#web/lib/locale.ts'

/** A moment, in the time zone of the installation and by the clock of the reader. */
export function Time({ at }: { at: string }) {
  const { timeZone } = useAppConfig()
  const clock = useClockFormat()
  return <time dateTime={at}>{timeOfDay(at, { ...dayFormat, timeZone }, clock)}</time>
}

/** A moment that only the reader sees, such as that of a draft, in the time zone of the device. */
export function OwnTime({ at }: { at: string }) {
  const clock = useClockFormat()
  return <time dateTime={at}>{timeOfDay(at, dayFormat, clock)}</time>
}

const dayFormat = { year: 'numeric', month: 'short', day: 'numeric' } as const

/** The day of a moment, in the time zone of the installation. */
export function LongDate({ at }: { at: string }) {
  const { timeZone } = useAppConfig()
  return <time dateTime={at}>{longDate(at, timeZone)}</time>
}

/** Such as 'June 10, 2025', by default in the time zone of the device. */
export const longDate = (instant: string, timeZone?: string): string =>
  new Date(instant).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })
