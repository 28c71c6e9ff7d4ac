import { expect, test } from 'vitest'
import { systemRandom } from '#server/platform/ids.ts'
import { createSeal } from './seal.ts'

const key = 'ab'.repeat(32)
const seal = createSeal(key, systemRandom)
const place = { kind: 'diary', userId: 'k7q2m4xp3d', day: '2025-06-10' }

test.each(['', 'A quiet day', 'ñ 字 👩‍👩‍👧‍👦 \u0001', 'x'.repeat(100_000)])(
  'what is sealed opens again [S44]',
  (text) => {
    expect(seal.open(seal.close(text, place), place)).toBe(text)
  },
)

test('the same text is sealed differently each time, and shows nothing but its length [S44]', () => {
  const [one, two] = [seal.close('A quiet day', place), seal.close('A quiet day', place)]
  expect(one.equals(two)).toBe(false)
  expect(one.subarray(0, 12).equals(two.subarray(0, 12))).toBe(false)
  expect(one.includes('quiet')).toBe(false)
})

test.each([
  ['another person', { userId: 'k7q2m4xp3e' }],
  ['another day', { day: '2025-06-11' }],
  ['another kind', { kind: 'calendar' }],
])('what is moved to %s does not open [S44]', (_name, other) => {
  const sealed = seal.close('A quiet day', place)
  expect(() => seal.open(sealed, { ...place, ...other })).toThrow(/authentic/)
})

test('what is changed, cut or sealed with another key does not open [S44]', () => {
  const sealed = seal.close('A quiet day', place)
  for (const at of [0, 12, 28, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(() => seal.open(changed, place)).toThrow(/authentic/)
  }
  expect(() => seal.open(sealed.subarray(0, -1), place)).toThrow(/authentic/)
  expect(() => seal.open(sealed.subarray(0, 20), place)).toThrow(/authentic/)
  expect(() => createSeal('ac'.repeat(32), systemRandom).open(sealed, place)).toThrow(/authentic/)
})

test('a key has a name that does not tell it [S44]', () => {
  expect(seal.keyId).toMatch(/^[\w-]{12}$/)
  expect(createSeal(key.toUpperCase(), systemRandom).keyId).toBe(seal.keyId)
  expect(createSeal('ac'.repeat(32), systemRandom).keyId).not.toBe(seal.keyId)
  expect(createSeal(undefined, systemRandom).keyId).toBeNull()
})
