import { expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import { expiredBackupDays } from './retention.ts'

const daysUntil = (last: string, count: number) =>
  Array.from({ length: count }, (_, i) => addDays(last, i - count + 1))
const keptOf = (days: string[]) => days.filter((day) => !expiredBackupDays(days).includes(day))

// 2025-06-15 is a Sunday.
test.each([
  ['nothing', [], []],
  ['a single day', ['2025-06-15'], ['2025-06-15']],
  ['a week', daysUntil('2025-06-15', 7), daysUntil('2025-06-15', 7)],
  [
    'two months that end with a Sunday',
    daysUntil('2025-06-15', 60),
    ['2025-05-25', '2025-06-01', '2025-06-08', ...daysUntil('2025-06-15', 7)],
  ],
  [
    'two months that end with a Wednesday',
    daysUntil('2025-06-18', 60),
    ['2025-06-01', '2025-06-08', ...daysUntil('2025-06-18', 7)],
  ],
  [
    'a few days, months apart: the last seven are kept, however old',
    ['2023-01-01', '2024-01-01', '2024-05-01', '2024-09-01', '2025-01-01', '2025-05-01', '2025-06-15'],
    ['2023-01-01', '2024-01-01', '2024-05-01', '2024-09-01', '2025-01-01', '2025-05-01', '2025-06-15'],
  ],
])('of the backups of %s seven daily and four weekly ones are kept [R19]', (_name, days, kept) => {
  expect(keptOf(days)).toEqual(kept)
})

test('a server that runs for a year always keeps the backups of seven days and of the ends of four weeks [R19]', () => {
  let days: string[] = []
  for (const day of daysUntil('2025-12-31', 365)) days = keptOf([...days, day])
  expect(days).toEqual(['2025-12-14', '2025-12-21', ...daysUntil('2025-12-31', 7)])
})
