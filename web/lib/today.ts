import { dayOf } from '#contract/days.ts'

/** The day on the calendar of this device: a writer's own things go by it, not by the application's time zone. */
export const todayHere = (): string => dayOf(new Date(), Intl.DateTimeFormat().resolvedOptions().timeZone)
