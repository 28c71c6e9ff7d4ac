import { expect, test } from 'vitest'
import { diaryDate, paperDate } from '#contract/diary/dates.ts'

test('the date header shows weekday, month, day and year [DIARY-04]', () => {
  expect(diaryDate('2025-06-10')).toBe('Tuesday, June 10, 2025')
})

test.each([
  ['2025-06-01', 'Sunday, June 1st, 2025'],
  ['2025-06-02', 'Monday, June 2nd, 2025'],
  ['2025-06-03', 'Tuesday, June 3rd, 2025'],
  ['2025-06-04', 'Wednesday, June 4th, 2025'],
  ['2025-06-11', 'Wednesday, June 11th, 2025'],
  ['2025-06-12', 'Thursday, June 12th, 2025'],
  ['2025-06-13', 'Friday, June 13th, 2025'],
  ['2025-06-21', 'Saturday, June 21st, 2025'],
  ['2025-06-22', 'Sunday, June 22nd, 2025'],
  ['2025-06-23', 'Monday, June 23rd, 2025'],
  ['2025-06-30', 'Monday, June 30th, 2025'],
  ['2025-07-31', 'Thursday, July 31st, 2025'],
  ['1900-01-01', 'Monday, January 1st, 1900'],
])('on paper %s reads %s [DIARY-29]', (day, text) => {
  expect(paperDate(day)).toBe(text)
})

test.each(['2026-02-30', 'yesterday', ''])('%j is no day and is shown as it is [DIARY-32]', (text) => {
  expect(paperDate(text)).toBe(text)
  expect(diaryDate(text)).toBe(text)
})
