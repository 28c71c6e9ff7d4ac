import { writeDate } from '#web/lib/locale.ts'

const day = { weekday: 'long', month: 'long', day: 'numeric' } as const

/** Until when a link is good, by the calendar of this device: 'Good until Sunday, November 29'. */
export const goodUntil = (expiresAt: string): string => `Good until ${writeDate(expiresAt, day)}`
