import { expect, test } from 'vitest'
import { timeWordsBetween, timeWordsOf } from './times.ts'

const dayMs = 86_400_000
const start = Date.parse('2025-06-10T22:00:00.000Z')
const at = (ms: number) => new Date(start + ms).toISOString()

test.each([0, 1, 1000, 3_600_000, dayMs, 30 * dayMs, 400 * dayMs, 9000 * dayMs])(
  'a few words name a stretch of %i ms: each text of it has one of them, and a text far from it has none [LOOP-14]',
  (length) => {
    const words = new Set(timeWordsBetween(at(0), at(length)))
    const has = (ms: number) => timeWordsOf(at(ms)).some((word) => words.has(word))
    expect(words.size).toBeLessThanOrEqual(8)
    for (const part of [0, 0.01, 0.3, 0.5, 0.99, 1]) expect(has(Math.floor(length * part))).toBe(true)
    const far = 8 * Math.max(length, 1_024_000)
    expect([has(-far), has(length + far)]).toEqual([false, false])
  },
)

test('a stretch of centuries has no words [LOOP-14]', () => {
  expect(timeWordsBetween('0001-01-01T00:00:00.000Z', at(0))).toEqual([])
})
