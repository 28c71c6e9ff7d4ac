import { expect, test } from 'vitest'
import { checkHistories } from '#server/testing/table-histories.ts'

test('100,000 histories of tables, some with a clock that is an hour off, keep to every rule of turns [TURN-02 TURN-03 TURN-04 TURN-05 TURN-06 TURN-08 TURN-09 TURN-10 TURN-12 TURN-13 TURN-19 TURN-22]', () => {
  expect(checkHistories(100_000)).toBeGreaterThan(500_000)
}, 3_600_000)
