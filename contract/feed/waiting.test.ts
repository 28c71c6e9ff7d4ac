import { expect, test } from 'vitest'
import { waitingOf } from '#contract/feed/waiting.ts'

const hourMs = 3_600_000

test.each([
  [-1, 'fresh'],
  [0, 'fresh'],
  [5 * 24 - 1, 'fresh'],
  [5 * 24, 'soon'],
  [7 * 24 - 1, 'soon'],
  [7 * 24, 'overdue'],
  [30 * 24, 'overdue'],
] as const)('a post that has waited %i hours is %s [POST-09]', (hours, state) => {
  const createdAt = '2025-06-10T12:00:00.000Z'
  const now = Date.parse(createdAt) + hours * hourMs
  expect(waitingOf(createdAt, now)).toEqual({ ms: Math.max(0, hours) * hourMs, state })
})
