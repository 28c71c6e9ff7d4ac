import { expect, test } from 'vitest'
import { systemRandom } from '#server/platform/ids.ts'
import { createTextCipher } from './text-cipher.ts'

const key = 'ab'.repeat(32)
const cipher = createTextCipher(key, systemRandom)
const id = { kind: 'diary', userId: 'k7q2m4xp3d', key: '2025-06-10' }

test.each(['', 'A quiet day', 'ñ 字 👩‍👩‍👧‍👦 \u0001', 'x'.repeat(100_000)])(
  'an encrypted text is decrypted to what it was [S44]',
  (text) => {
    expect(cipher.decrypt(cipher.encrypt(text, id), id)).toBe(text)
  },
)

test('the same text is encrypted differently each time, and shows nothing but its length [S44]', () => {
  const [one, two] = [cipher.encrypt('A quiet day', id), cipher.encrypt('A quiet day', id)]
  expect(one.equals(two)).toBe(false)
  expect(one.subarray(0, 12).equals(two.subarray(0, 12))).toBe(false)
  expect(one.includes('quiet')).toBe(false)
})

test.each([
  ['another person', { userId: 'k7q2m4xp3e' }],
  ['another day', { key: '2025-06-11' }],
  ['another kind', { kind: 'calendar' }],
])('a text that was moved to %s is not decrypted [S44]', (_name, other) => {
  const encrypted = cipher.encrypt('A quiet day', id)
  expect(() => cipher.decrypt(encrypted, { ...id, ...other })).toThrow(/authentic/)
})

test('a text that was changed, cut or encrypted with another key is not decrypted [S44]', () => {
  const encrypted = cipher.encrypt('A quiet day', id)
  for (const at of [0, 12, 28, encrypted.length - 1]) {
    const changed = Buffer.from(encrypted)
    changed[at]! ^= 1
    expect(() => cipher.decrypt(changed, id)).toThrow(/authentic/)
  }
  expect(() => cipher.decrypt(encrypted.subarray(0, -1), id)).toThrow(/authentic/)
  expect(() => cipher.decrypt(encrypted.subarray(0, 20), id)).toThrow(/authentic/)
  expect(() => createTextCipher('ac'.repeat(32), systemRandom).decrypt(encrypted, id)).toThrow(/authentic/)
})

test('a key has a name from which nobody can compute the key [S44]', () => {
  expect(cipher.keyId).toMatch(/^[\w-]{12}$/)
  expect(createTextCipher(key.toUpperCase(), systemRandom).keyId).toBe(cipher.keyId)
  expect(createTextCipher('ac'.repeat(32), systemRandom).keyId).not.toBe(cipher.keyId)
  expect(createTextCipher(undefined, systemRandom).keyId).toBeNull()
})
