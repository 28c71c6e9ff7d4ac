import { expect, test } from 'vitest'
import { mailTo } from './AccountRow.tsx'

test.each([
  [{ id: 'k7q2m4xp3d', email: 'ana@example.org' }, 'User id: k7q2m4xp3d\nEmail: ana@example.org\n\n'],
  [{ id: 'k7q2m4xp3d', email: null }, 'User id: k7q2m4xp3d\nEmail: \n\n'],
  [null, 'User id: \nEmail: \n\n'],
])(
  'a mail to support begins with id and email of the person, if the page knows them: %j [SHELL-48 SHELL-50]',
  (user, body) => {
    const draft = mailTo('help@example.org', user)
    expect(draft.startsWith('mailto:help@example.org?body=')).toBe(true)
    expect(decodeURIComponent(draft.split('body=')[1]!)).toBe(body)
  },
)
