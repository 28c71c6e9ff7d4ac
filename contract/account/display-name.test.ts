import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { displayName, splitName } from '#contract/account/display-name.ts'

const ana = {
  id: 'k7q2m4xp3d',
  email: 'ana@example.org' as string | null,
  firstName: 'Ana' as string | null,
  lastName: 'Lima' as string | null,
  isAnonymous: false,
  anonymousId: null as string | null,
}
const nameless = { ...ana, firstName: null, lastName: null }

test('a guest is called guest and the first 4 characters of their anonymous id [ACC-03]', () => {
  const guest = { ...nameless, email: null, isAnonymous: true, anonymousId: 'ab12cd34' }
  expect(displayName(guest)).toBe('guestab12')
  expect(displayName({ ...ana, isAnonymous: true, anonymousId: 'zz99yy' })).toBe('guestzz99')
})

test('a person is called by first and last name [ACC-04]', () => {
  expect(displayName(ana)).toBe('Ana Lima')
})

test('a person without a last name is called by the first name [ACC-05]', () => {
  expect(displayName({ ...ana, lastName: null })).toBe('Ana')
  expect(displayName({ ...ana, lastName: '' })).toBe('Ana')
})

test('a person without a first name is called by the email [ACC-06]', () => {
  expect(displayName(nameless)).toBe('ana@example.org')
  expect(displayName({ ...ana, firstName: null })).toBe('ana@example.org')
  expect(displayName({ ...ana, firstName: '' })).toBe('ana@example.org')
})

test('a person without name and email is called User and the id [ACC-07]', () => {
  expect(displayName({ ...nameless, email: null })).toBe('User k7q2m4xp3d')
})

test.each([
  ['Ana Lima', 'Ana', 'Lima'],
  ['Ana Maria Lima', 'Ana', 'Maria Lima'],
  ['  Ana   Lima  ', 'Ana', 'Lima'],
  ['Ana', 'Ana', null],
  [' Ana ', 'Ana', null],
  ['山田　太郎', '山田', '太郎'],
  ['Jean-Luc d’Arc', 'Jean-Luc', 'd’Arc'],
])('the name %j is split into %j and %j [ACC-08]', (name, firstName, lastName) => {
  expect(splitName(name)).toEqual({ firstName, lastName })
})

test('a split name is shown as it was typed [ACC-08]', () => {
  const word = fc.stringMatching(/^[A-Za-zéøŁ'-]{1,12}$/)
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const parts = splitName(` ${words.join(' ')} `)
      expect(parts.firstName).toBe(words[0])
      expect(displayName({ ...ana, ...parts })).toBe(words.join(' '))
    }),
  )
})
