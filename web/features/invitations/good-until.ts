const day = new Intl.DateTimeFormat('en', { weekday: 'long', month: 'long', day: 'numeric' })

/** Until when a link is good, by the calendar of this device: 'Good until Sunday, November 29'. */
export const goodUntil = (expiresAt: string): string => `Good until ${day.format(new Date(expiresAt))}`
