import { expect, test } from 'vitest'
import { proposedAuthorName } from '#contract/account/author-name.ts'
import type { User } from '#contract/account/user.ts'

const nobody: User = {
  id: 'k7q2m4xp3d',
  email: 'ana@example.org',
  firstName: null,
  lastName: null,
  username: 'writer12',
  isAnonymous: false,
  anonymousId: null,
  isAdmin: false,
  isModerator: false,
  createdAt: '2025-06-10T12:00:00.000Z',
}

test.each([
  ['the name', { firstName: 'Ana', lastName: 'Lima' }, 'Ana Lima'],
  ['the last name, when it is the only one', { lastName: 'Lima' }, 'Lima'],
  ['the username of a person without a name, and never the email address', {}, 'writer12'],
  ['nothing for a person without both', { username: null }, ''],
  ['the name of a guest', { isAnonymous: true, anonymousId: 'ab12cd34', username: null }, 'guestab12'],
])('the author name of a post is filled with %s [S39 POST-24]', (_what, of, name) => {
  expect(proposedAuthorName({ ...nobody, ...of })).toBe(name)
})
