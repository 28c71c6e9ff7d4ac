import { expect, test } from 'vitest'
import { checkHistories } from '#server/testing/table-histories.ts'
import { rounds } from './instance.ts'

const histories = 10_000 * rounds

test(`${histories} histories of tables, some with a clock that is an hour off, keep to every rule of turns [TURN-02 TURN-03 TURN-04 TURN-05 TURN-06 TURN-08 TURN-09 TURN-10 TURN-12 TURN-13 TURN-19 TURN-22]`, () => {
  expect(checkHistories(histories)).toBeGreaterThan(5 * histories)
}, 3_600_000)
