import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import { aDay, rowOfDays, someDays, writtenDays } from './written-days.ts'
import {
  consistencyBadge,
  currentStreak,
  currentStreakBar,
  frequencyPercent,
  longestRun,
  longestStreakBar,
} from './streaks.ts'

const today = '2025-06-10'

test.each([
  ['nothing', [], 0],
  ['today alone', ['2025-06-10'], 1],
  ['yesterday alone, with time left today', ['2025-06-09'], 1],
  ['the day before yesterday', ['2025-06-08'], 0],
  ['today and the day before yesterday', ['2025-06-08', '2025-06-10'], 1],
  ['three days up to yesterday', rowOfDays('2025-06-07', 3), 3],
  ['tomorrow', ['2025-06-11'], 0],
  ['days over the end of a month', rowOfDays('2025-05-28', 14), 14],
  ['29 days', rowOfDays('2025-05-13', 29), 29],
  ['30 days', rowOfDays('2025-05-12', 30), 30],
  ['100 days, of which 30 are counted', rowOfDays('2025-03-03', 100), 30],
  ['100 days up to yesterday', rowOfDays('2025-03-02', 100), 30],
])('a person who wrote %s (%j) has a current streak of %i days [REP-05 REP-16]', (_, days, streak) => {
  expect(currentStreak(writtenDays(...days), today)).toBe(streak)
})

test('a streak continues over a leap day and over the changes to and from summer time [REP-16]', () => {
  expect(currentStreak(writtenDays('2024-02-28', '2024-02-29', '2024-03-01'), '2024-03-01')).toBe(3)
  expect(currentStreak(writtenDays('2025-02-28', '2025-03-01'), '2025-03-01')).toBe(2)
  expect(longestRun(writtenDays(...rowOfDays('2025-03-25', 10)))).toMatchObject({ days: 10 })
})

test('the longest streak is counted over all entries [REP-16]', () => {
  expect(longestRun(writtenDays())).toBeNull()
  expect(longestRun(writtenDays('2020-01-01'))).toEqual({ from: '2020-01-01', to: '2020-01-01', days: 1 })
  expect(longestRun(writtenDays(...rowOfDays('2019-12-30', 80), '2025-06-09', '2025-06-10'))).toEqual({
    from: '2019-12-30',
    to: '2020-03-18',
    days: 80,
  })
  expect(longestRun(writtenDays('2020-01-01', '2020-01-02', '2021-01-01', '2021-01-02'))?.from).toBe(
    '2020-01-01',
  )
})

test('the longest streak of any diary has an entry on each day, no entry before or after it, and no longer streak beside it [REP-16]', () => {
  fc.assert(
    fc.property(someDays, (days) => {
      const isWritten = (day: string) => days.some((each) => each.day === day)
      fc.pre(days.length > 0)
      const run = longestRun(days)!
      expect(rowOfDays(run.from, run.days).every(isWritten)).toBe(true)
      expect(addDays(run.from, run.days - 1)).toBe(run.to)
      expect([addDays(run.from, -1), addDays(run.to, 1)].some(isWritten)).toBe(false)
      for (const { day } of days) expect(rowOfDays(day, run.days + 1).every(isWritten)).toBe(false)
    }),
  )
})

test('the current streak of any diary is at most the longest streak and at most 30 days [REP-05 REP-16]', () => {
  fc.assert(
    fc.property(someDays, aDay, (days, now) => {
      expect(currentStreak(days, now)).toBeLessThanOrEqual(Math.min(30, longestRun(days)?.days ?? 0))
    }),
  )
})

test.each([
  ['nothing', [], 0],
  ['one day', ['2025-06-10'], 3],
  ['the first of the 30 days', ['2025-05-12'], 3],
  ['the day before the 30 days', ['2025-05-11'], 0],
  ['tomorrow', ['2025-06-11'], 0],
  ['15 days', rowOfDays('2025-05-20', 15), 50],
  ['20 days', rowOfDays('2025-05-20', 20), 67],
  ['24 days', rowOfDays('2025-05-12', 24), 80],
  ['every day for a year and on into the next month', rowOfDays('2024-06-10', 400), 100],
])('a person who wrote %s (%j) has a frequency of %i percent [REP-05 REP-06]', (_, days, percent) => {
  expect(frequencyPercent(writtenDays(...days), today)).toBe(percent)
})

test('the frequency of any diary is between 0 and 100 percent [REP-06]', () => {
  fc.assert(
    fc.property(someDays, aDay, (days, now) => {
      const percent = frequencyPercent(days, now)
      expect(percent).toBeGreaterThanOrEqual(0)
      expect(percent).toBeLessThanOrEqual(100)
    }),
  )
})

test.each([
  [0, 0, 0],
  [3, 10, 6],
  [15, 50, 30],
  [30, 100, 60],
  [50, 100, 100],
  [1221, 100, 100],
])(
  'a streak of %i days fills %i% of the bar of 30 days and %i% of that of 50 [REP-07 REP-16]',
  (days, of30, of50) => {
    expect(currentStreakBar(days)).toBe(of30)
    expect(longestStreakBar(days)).toBe(of50)
  },
)

test.each([
  [100, 'default'],
  [80, 'default'],
  [79, 'secondary'],
  [50, 'secondary'],
  [49, 'outline'],
  [0, 'outline'],
])('at %i%% the consistency badge has the style %s [REP-08 REP-09 REP-16]', (percent, style) => {
  expect(consistencyBadge(percent)).toBe(style)
})
