import { dayOf } from '#contract/days.ts'

/** The day of an instant in the time zone of this device. */
export const dayHere = (at: Date): string => dayOf(at, Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Today in the time zone of this device. Texts of a day use it, not the time zone of the application. */
export const todayHere = (): string => dayHere(new Date())
