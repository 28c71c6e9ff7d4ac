import { expect, test } from 'vitest'
import { countDays } from './counted-days.ts'

const entry = (
  entry_date: string,
  content: string,
  updated_at: string | null = '2025-06-10T08:00:00.000Z',
) => ({
  entry_date,
  content,
  updated_at,
})

test('the words of each day with text are counted, oldest day first [REP-02]', () => {
  expect(
    countDays([
      entry('2025-06-10', 'three little words'),
      entry('2025-06-09', 'one'),
      entry('2025-06-08', '…'),
    ]),
  ).toEqual([
    { day: '2025-06-08', updatedAt: '2025-06-10T08:00:00.000Z', words: 0 },
    { day: '2025-06-09', updatedAt: '2025-06-10T08:00:00.000Z', words: 1 },
    { day: '2025-06-10', updatedAt: '2025-06-10T08:00:00.000Z', words: 3 },
  ])
})

test('a blank entry is not counted [DIARY-49 REP-02]', () => {
  expect(countDays([entry('2025-06-09', ''), entry('2025-06-10', ' \n\u200b')])).toEqual([])
})

test('only changed entries are counted again, and an emptied one is left out [REP-02]', () => {
  const known = countDays([
    entry('2025-06-08', 'one'),
    entry('2025-06-09', 'one'),
    entry('2025-06-10', 'one'),
  ])
  const later = '2025-06-11T08:00:00.000Z'
  const now = countDays(
    [entry('2025-06-08', 'one'), entry('2025-06-09', 'one two', later), entry('2025-06-10', '', later)],
    known,
  )
  expect(now).toEqual([known[0], { day: '2025-06-09', updatedAt: later, words: 2 }])
  expect(now[0]).toBe(known[0])
})

test('an entry that was never saved is counted again each time [REP-02]', () => {
  const known = countDays([entry('2025-06-10', 'one', null)])
  expect(countDays([entry('2025-06-10', 'one two', null)], known)).toMatchObject([{ words: 2 }])
})

test('an entry that was removed is not in the next count [REP-02]', () => {
  const known = countDays([entry('2025-06-09', 'one'), entry('2025-06-10', 'one')])
  expect(countDays([entry('2025-06-10', 'one')], known)).toEqual([known[1]])
})
