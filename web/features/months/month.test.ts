import { expect, test } from 'vitest'
import { firstWeekdayOf } from '#web/lib/locale.ts'
import { monthName, nextMonth, previousMonth, weekdayName, weeksOf } from './month.ts'

test('a reader sees a month in whole weeks that begin on the reader’s first weekday [CAL-01]', () => {
  const june = weeksOf('2025-06-01', 1)
  expect(june.map((week) => week[0])).toEqual([
    '2025-05-26',
    '2025-06-02',
    '2025-06-09',
    '2025-06-16',
    '2025-06-23',
    '2025-06-30',
  ])
  expect(weeksOf('2025-06-01', 7)[0]![0]).toBe('2025-06-01')
  expect(june.every((week) => week.length === 7)).toBe(true)
})

test('a February of exactly four weeks is shown in four rows [CAL-01]', () => {
  expect(weeksOf('2027-02-01', 1)).toHaveLength(4)
})

test.each([
  ['2025-12-01', '2026-01-01'],
  ['2025-01-01', '2025-02-01'],
  ['2024-02-01', '2024-03-01'],
])('the month after %s is %s, and the month before that is the first one [CAL-02]', (month, after) => {
  expect(nextMonth(month)).toBe(after)
  expect(previousMonth(after)).toBe(month)
})

test('a reader sees weeks that begin as in the own locale, and English names of months and weekdays [CAL-01]', () => {
  expect([firstWeekdayOf('de-DE'), firstWeekdayOf('en-US')]).toEqual([1, 7])
  expect(monthName('2025-06-01')).toBe('June 2025')
  expect(weekdayName('2025-06-01')).toBe('Sun')
})
