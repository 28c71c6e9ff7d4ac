/** How often the usual limits an allowance may be. */
export const factorMin = 2
export const factorMax = 20
export const allowancesMax = 20
const allowanceDaysMax = 90
/** How many characters a network has at most, such as `2001:db8:85a3:1234::/64`. */
export const networkMaxLength = 50

/** The usual limits of one address that a class reaches first. */
export const usualLimits = {
  /** In ten minutes. */
  registrations: 10,
  /** In a minute. */
  signIns: 10,
} as const

/** Says why an allowance cannot end at this time. */
export function allowanceEndError(until: Date, now: Date): string | undefined {
  const latest = now.getTime() + allowanceDaysMax * 24 * 60 * 60 * 1000
  if (!(until > now)) return 'Please choose a time that is still to come.'
  return until.getTime() <= latest ? undefined : `Please choose a time within ${allowanceDaysMax} days.`
}
