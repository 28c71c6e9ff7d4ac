import { expect, test } from 'vitest'
import { firstWords, isOnThisDay } from './earlier-years.ts'

test.each([
  ['2024-06-10', '2025-06-10', true],
  ['1999-06-10', '2025-06-10', true],
  ['2025-06-10', '2025-06-10', false],
  ['2026-06-10', '2025-06-10', false],
  ['2024-06-11', '2025-06-10', false],
  ['2024-10-06', '2025-06-10', false],
  // The 29th of February: in leap years on its day, in all others on the 28th.
  ['2020-02-29', '2024-02-29', true],
  ['2020-02-29', '2024-02-28', false],
  ['2023-02-28', '2024-02-29', false],
  ['2024-02-29', '2025-02-28', true],
  ['2024-02-28', '2025-02-28', true],
  ['2024-02-29', '2025-03-01', false],
  ['1896-02-29', '1900-02-28', true],
  ['1996-02-29', '2000-02-28', false],
])('a day of %s is on this day at %s: %s [OWN-15]', (earlier, day, isShown) => {
  expect(isOnThisDay(earlier, day)).toBe(isShown)
})

test('every day of earlier years is shown on exactly one day of a year [OWN-15]', () => {
  const daysOf = (year: number) =>
    Array.from({ length: 366 }, (_, n) =>
      new Date(Date.UTC(year, 0, n + 1)).toISOString().slice(0, 10),
    ).filter((day) => day.startsWith(String(year)))
  for (const year of [2023, 2024])
    for (const earlier of daysOf(2020))
      expect(daysOf(year).filter((day) => isOnThisDay(earlier, day))).toHaveLength(1)
})

test('the first words are the beginning of the first line with text, and no half of a character [OWN-15]', () => {
  expect(firstWords('\n \n  A quiet day.  \nMore')).toBe('A quiet day.')
  expect(firstWords('')).toBe('')
  expect(firstWords('📖'.repeat(100_000))).toBe(`${'📖'.repeat(120)}…`)
})
