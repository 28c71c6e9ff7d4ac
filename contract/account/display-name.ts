import type { User } from '#contract/account/user.ts'

/** How a person is called: 'guestab12', a full name, a first name, an email, or 'User {id}'. */
export function displayName(
  user: Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'isAnonymous' | 'anonymousId'>,
): string {
  if (user.isAnonymous) return `guest${(user.anonymousId ?? '').slice(0, 4)}`
  if (user.firstName) return user.lastName ? `${user.firstName} ${user.lastName}` : user.firstName
  return user.email || `User ${user.id}`
}

/** The first and the last name, as far as they are known. */
export const fullNameOf = ({ firstName, lastName }: FullName): string =>
  [firstName, lastName].filter(Boolean).join(' ')

interface FullName {
  firstName?: string | null | undefined
  lastName?: string | null | undefined
}

/** One typed name as first and last name, split at its first space. */
export function splitName(name: string): { firstName: string; lastName: string | null } {
  const [firstName = '', ...others] = name.trim().split(/\s/)
  return { firstName, lastName: others.join(' ').trim() || null }
}
