import type { PersonSettings } from '#contract/account/settings/endpoints.ts'
import type { User } from '#contract/account/user.ts'

export const ana: User = {
  id: 'k7q2m4xp3d',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: 'Lima',
  username: 'ana',
  isAnonymous: false,
  anonymousId: null,
  isAdmin: false,
  isModerator: false,
  createdAt: '2025-06-10T12:00:00.000Z',
}
export const admin: User = { ...ana, isAdmin: true }
export const moderator: User = { ...ana, isModerator: true }
export const guest: User = {
  ...ana,
  email: null,
  firstName: null,
  lastName: null,
  isAnonymous: true,
  anonymousId: 'ab12cd34',
}

/** The settings of a person who has chosen nothing. */
export const noSettings: PersonSettings = {
  showName: false,
  presence: true,
  hasPage: false,
  introduction: '',
}
