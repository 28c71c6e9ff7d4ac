import { expect, test } from 'vitest'
import { addDays } from '#contract/days.ts'
import { monthLabels } from './month-labels.ts'

const weeksFrom = (start: string, count: number) =>
  Array.from({ length: count }, (_, i) => addDays(start, 7 * i))

test('a reader finds the name of each month over the first week that begins in it', () => {
  expect(monthLabels(weeksFrom('2025-03-03', 13))).toEqual([
    { name: 'Mar', week: 0 },
    { name: 'Apr', week: 5 },
    { name: 'May', week: 9 },
  ])
})

test('a reader sees no name of a month that is narrower than its name', () => {
  expect(monthLabels(weeksFrom('2025-03-31', 6))).toEqual([{ name: 'Apr', week: 1 }])
})
