/** How people sign up: at once, by a link of an admin, after the decision of an admin, or not at all. */
export const registrationModes = ['open', 'invitation', 'approval', 'closed'] as const
export type RegistrationMode = (typeof registrationModes)[number]

export const answerMax = 1000
/** The people who wait for a decision, of all. */
export const requestsMax = 1000
/** How many of them an admin sees at once, those who wait longest. */
export const requestsAtOnce = 50
/** Then a person who still waits is forgotten. */
export const waitingDays = 90
/** The links that have not ended, of all admins. */
export const linksMax = 100
export const linkUsesMax = 1000
export const linkDaysMax = 365

/** Opens the onboarding. The token stands behind `#`, which browsers send to no server. */
export const registrationLink = (origin: string, token: string): string =>
  `${origin}/?onboarding=true#${linkMark}${token}`

/** Begins the hash of an address that contains the token of a registration link. */
export const linkMark = 'join='
