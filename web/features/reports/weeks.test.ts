import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, daysBetween } from '#contract/days.ts'
import { aDay, rowOfDays, someDays, writtenDays } from './written-days.ts'
import type { Weekday } from '#web/lib/locale.ts'
import { weeksOfLastYear, startOfWeek } from './weeks.ts'

const aWeekday = fc.constantFrom<Weekday[]>(1, 2, 3, 4, 5, 6, 7)
const namesOfDays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const nameOf = (day: string) =>
  new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(Date.parse(day))

test.each([
  ['2025-06-10', 1, '2025-06-09'],
  ['2025-06-10', 2, '2025-06-10'],
  ['2025-06-10', 3, '2025-06-04'],
  ['2025-06-10', 6, '2025-06-07'],
  ['2025-06-10', 7, '2025-06-08'],
  ['2025-06-08', 1, '2025-06-02'],
  ['2025-06-08', 7, '2025-06-08'],
  ['2025-01-01', 1, '2024-12-30'],
  ['1901-03-01', 7, '1901-02-24'],
] as const)('the week of %s, begun on weekday %i, starts on %s [REP-02]', (day, weekday, start) => {
  expect(startOfWeek(day, weekday)).toBe(start)
})

test('the week of a day starts on the weekday of the reader, at most 6 days before [REP-02]', () => {
  fc.assert(
    fc.property(fc.integer({ min: -40_000, max: 40_000 }), aWeekday, (offset, weekday) => {
      const day = addDays('2000-01-01', offset)
      const start = startOfWeek(day, weekday)
      expect(nameOf(start)).toBe(namesOfDays[weekday])
      expect(daysBetween(start, day)).toBeGreaterThanOrEqual(0)
      expect(daysBetween(start, day)).toBeLessThan(7)
    }),
  )
})

test('the last year is 53 weeks that end today [REP-02 REP-17]', () => {
  const weeks = weeksOfLastYear([], '2025-06-10', 1)
  expect(weeks.length).toBe(53)
  expect(weeks[0]?.start).toBe('2024-06-10')
  expect(weeks.at(-1)).toEqual({
    start: '2025-06-09',
    words: 0,
    daysWritten: 0,
    days: [
      { day: '2025-06-09', words: 0, level: 0 },
      { day: '2025-06-10', words: 0, level: 0 },
    ],
  })
})

test('the words of a week are those of its days, and days before the 53 weeks or after today are not counted [REP-02]', () => {
  const days = writtenDays('2024-06-09', '2024-06-10', '2024-06-16', '2024-06-17', '2025-06-10', '2025-06-11')
  const weeks = weeksOfLastYear(days, '2025-06-10', 1).filter(({ daysWritten }) => daysWritten > 0)
  expect(weeks.map(({ start, words, daysWritten }) => [start, words, daysWritten])).toEqual([
    ['2024-06-10', 200, 2],
    ['2024-06-17', 100, 1],
    ['2025-06-09', 100, 1],
  ])
})

test('the level of a day is the quartile of its words, and a day with an entry has at least level 1 [REP-02]', () => {
  const levels = (...words: number[]) =>
    weeksOfLastYear(
      rowOfDays('2025-06-02', words.length).map((day, index) => ({
        day,
        updatedAt: null,
        words: words[index]!,
      })),
      '2025-06-10',
      1,
    )
      .flatMap((week) => week.days)
      .filter(({ level }) => level > 0)
      .map(({ level }) => level)
  expect(levels(10, 20, 30, 40)).toEqual([1, 2, 3, 4])
  expect(levels(40, 9000, 10, 20)).toEqual([3, 4, 1, 2])
  expect(levels(5, 5, 5)).toEqual([4, 4, 4])
  expect(levels(0)).toEqual([4])
  expect(levels(0, 1)).toEqual([2, 4])
})

test('an entry of a later day does not lower the levels of the days before it [REP-02]', () => {
  const tomorrow = { day: '2025-06-11', updatedAt: null, words: 9000 }
  const weeks = weeksOfLastYear([...writtenDays('2025-06-10'), tomorrow], '2025-06-10', 1)
  expect(weeks.at(-1)?.days.at(-1)).toEqual({ day: '2025-06-10', words: 100, level: 4 })
})

test('the weeks have each day of the year once, and the words of each day once [REP-02]', () => {
  fc.assert(
    fc.property(someDays, aDay, aWeekday, (days, today, weekday) => {
      const weeks = weeksOfLastYear(days, today, weekday)
      const shown = weeks.flatMap((week) => week.days)
      expect(shown.map(({ day }) => day)).toEqual(rowOfDays(weeks[0]!.start, shown.length))
      expect(shown.at(-1)?.day).toBe(today)
      expect(shown.length).toBeGreaterThan(364)
      expect(weeks.every(({ start, days: [first] }) => first?.day === start)).toBe(true)

      const inYear = days.filter(({ day }) => day >= weeks[0]!.start && day <= today)
      expect(weeks.reduce((total, week) => total + week.words, 0)).toBe(
        inYear.reduce((total, { words }) => total + words, 0),
      )
      expect(shown.filter(({ level }) => level > 0).map(({ day }) => day)).toEqual(
        inYear.map(({ day }) => day),
      )
    }),
  )
})

test('a day with more words never has a lower level [REP-02]', () => {
  fc.assert(
    fc.property(someDays, aDay, (days, today) => {
      const shown = weeksOfLastYear(days, today, 1)
        .flatMap((week) => week.days)
        .filter(({ level }) => level > 0)
        .toSorted((one, other) => one.words - other.words)
      expect(shown.map(({ level }) => level)).toEqual(shown.map(({ level }) => level).toSorted())
      expect(shown.every(({ level }) => [1, 2, 3, 4].includes(level))).toBe(true)
    }),
  )
})
