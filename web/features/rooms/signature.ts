import type { User } from '#contract/account/user.ts'

/** The text that stands beside the passages of a person. */
export const signatureOf = (user: User, withName: boolean): string =>
  (withName && ([user.firstName, user.lastName].filter(Boolean).join(' ') || user.username)) ||
  `User ${user.id}`
