import { expect, test } from 'vitest'
import { rowOfDays, writtenDays } from './written-days.ts'
import { writingReport } from './report.ts'

const today = '2025-06-10'

test('the report of an empty diary has zeros [REP-03 REP-17]', () => {
  const { weeks, ...figures } = writingReport([], today, 1)
  expect(figures).toEqual({
    entries: 0,
    words: 0,
    currentStreak: 0,
    longestRun: null,
    frequencyPercent: 0,
  })
  expect(weeks.every(({ words, daysWritten }) => words === 0 && daysWritten === 0)).toBe(true)
})

test('a report has the number of entries and words, the streaks and the frequency of all entries [REP-02 REP-03]', () => {
  const days = [...writtenDays(...rowOfDays('2025-01-01', 5)), { day: today, updatedAt: null, words: 11 }]
  const { weeks, ...figures } = writingReport(days, today, 7)
  expect(figures).toEqual({
    entries: 6,
    words: 511,
    currentStreak: 1,
    longestRun: { from: '2025-01-01', to: '2025-01-05', days: 5 },
    frequencyPercent: 3,
  })
  expect(weeks.at(-1)).toMatchObject({ start: '2025-06-08', words: 11 })
})
