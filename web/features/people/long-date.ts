/** Such as 'June 10, 2025'. */
export const longDate = (instant: string, timeZone: string): string =>
  new Date(instant).toLocaleDateString('en-US', { dateStyle: 'long', timeZone })
