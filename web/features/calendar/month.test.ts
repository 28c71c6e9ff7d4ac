import { expect, test } from 'vitest'
import { firstWeekdayOf } from '#web/lib/locale.ts'
import { monthName, nextMonth, previousMonth, weekdayName, weeksOf } from './month.ts'

test('a month is shown in whole weeks that begin with the weekday of the reader [CAL-01]', () => {
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

test('a February of four whole weeks takes four rows [CAL-01]', () => {
  expect(weeksOf('2027-02-01', 1)).toHaveLength(4)
})

test.each([
  ['2025-12-01', '2026-01-01'],
  ['2025-01-01', '2025-02-01'],
  ['2024-02-01', '2024-03-01'],
])('after %s comes %s, and back [CAL-02]', (month, after) => {
  expect(nextMonth(month)).toBe(after)
  expect(previousMonth(after)).toBe(month)
})

test('a week begins as the locale of the reader has it, and months and weekdays have English names [CAL-01]', () => {
  expect([firstWeekdayOf('de-DE'), firstWeekdayOf('en-US')]).toEqual([1, 7])
  expect(monthName('2025-06-01')).toBe('June 2025')
  expect(weekdayName('2025-06-01')).toBe('Sun')
})
