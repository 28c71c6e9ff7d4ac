import { dayOf } from '#contract/days.ts'

/** Today in the time zone of this device. Texts of a day use it, not the time zone of the application. */
export const todayHere = (): string => dayOf(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
