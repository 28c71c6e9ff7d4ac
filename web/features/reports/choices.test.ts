import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import { aDay, rowOfDays, someDays, writtenDays } from './written-days.ts'
import { memorySnippet, memoryTreasure, recentActivity, recentPreview } from './choices.ts'

const today = '2025-06-10'
const almostOne = 1 - Number.EPSILON

test.each([
  ['2025-06-10', false],
  ['2025-05-12', false],
  ['2025-05-11', false],
  ['2025-05-10', true],
  ['1900-01-01', true],
  ['2025-12-24', false],
])('on June 10, 2025 a writer gets the entry of %s as a memory: %s [REP-12]', (day, isOld) => {
  expect(memoryTreasure(writtenDays(day), today, 0)?.day).toBe(isOld ? day : undefined)
})

test('a writer without entries older than 30 days gets no memory [REP-12 REP-17]', () => {
  expect(memoryTreasure([], today, 0)).toBeNull()
  expect(memoryTreasure(writtenDays(...rowOfDays('2025-05-11', 31)), today, almostOne)).toBeNull()
})

test('a writer gets any of the old entries as a memory, by chance [REP-10]', () => {
  const days = writtenDays(...rowOfDays('2025-01-01', 4), '2025-06-09')
  const chosen = [0, 0.25, 0.5, almostOne].map((random) => memoryTreasure(days, today, random)?.day)
  expect(chosen).toEqual(['2025-01-01', '2025-01-02', '2025-01-03', '2025-01-04'])
})

test('a writer who refreshes gets another memory, and the same one when it is the only one [REP-11]', () => {
  const [first, second] = ['2025-01-01', '2025-01-02']
  for (const random of [0, 0.5, almostOne]) {
    expect(memoryTreasure(writtenDays(first, second), today, random, first)?.day).toBe(second)
    expect(memoryTreasure(writtenDays(first), today, random, first)?.day).toBe(first)
  }
})

test('a writer of any diary gets a memory older than 30 days, and by a refresh another one [REP-11 REP-12]', () => {
  fc.assert(
    fc.property(someDays, aDay, fc.double({ min: 0, max: almostOne, noNaN: true }), (days, now, random) => {
      const old = days.filter(({ day }) => addDays(day, 30) < now)
      fc.pre(old.length > 0)
      const memory = memoryTreasure(days, now, random)!
      expect(old).toContain(memory)
      const next = memoryTreasure(days, now, random, memory.day)
      expect(old).toContain(next)
      expect(next === memory).toBe(old.length === 1)
    }),
  )
})

test('a writer gets the 10 latest entries as recent activity, newest first [REP-14]', () => {
  const days = writtenDays('2020-01-01', ...rowOfDays('2025-05-01', 11))
  expect(recentActivity(days).map(({ day }) => day)).toEqual(rowOfDays('2025-05-02', 10).toReversed())
  expect(recentActivity(days.slice(0, 2)).map(({ day }) => day)).toEqual(['2025-05-01', '2020-01-01'])
  expect(recentActivity([])).toEqual([])
})

test('a writer reads 200 characters of a memory and 100 of a recent entry, with … only after a cut text [REP-13 REP-15]', () => {
  expect(memorySnippet('é'.repeat(200))).toBe('é'.repeat(200))
  expect(memorySnippet('🖋'.repeat(201))).toBe(`${'🖋'.repeat(200)}…`)
  expect(recentPreview('é'.repeat(100))).toBe('é'.repeat(100))
  expect(recentPreview('🖋'.repeat(101))).toBe(`${'🖋'.repeat(100)}…`)
})
