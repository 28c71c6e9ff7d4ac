import { expect, test } from 'vitest'
import { msLeft, relativeTime, shortTimeLeft, timeLeft } from '#contract/rooms/times.ts'

const now = new Date('2025-06-10T12:00:00.000Z')
const after = (ms: number) => new Date(now.getTime() + ms).toISOString()
const minute = 60_000

test.each([
  [-1, 'Expired'],
  [0, 'Expired'],
  [1, '0m left'],
  [minute - 1, '0m left'],
  [minute, '1m left'],
  [60 * minute - 1, '59m left'],
  [60 * minute, '1h 0m left'],
  [119 * minute + 59_999, '1h 59m left'],
  [120 * minute, '2h 0m left'],
])('a room that ends in %d ms shows %s [RLIST-24 RLIST-25 RLIST-26 RLIST-27]', (ms, text) => {
  expect(timeLeft({ expiresAt: after(ms) }, now)).toBe(text)
  expect(msLeft({ expiresAt: after(ms) }, now)).toBe(Math.max(0, ms))
})

const hour = 60 * minute
const day = 24 * hour

test.each([
  [day - 1, '23h 59m left', '23h'],
  [day, '1 day left', '24h'],
  [day + hour, '1 day 1 hour left', '25h'],
  [2 * day + 4 * hour + 59 * minute, '2 days 4 hours left', '52h'],
  [29 * day + 23 * hour, '29 days 23 hours left', '29d'],
  [65 * minute, '1h 5m left', '1h05'],
  [hour, '1h 0m left', '1h'],
  [5 * minute, '5m left', '5m'],
])('a slow table that ends in %d ms shows %s, and %s within a ring [TURN-21]', (ms, text, short) => {
  expect(timeLeft({ expiresAt: after(ms) }, now)).toBe(text)
  expect(shortTimeLeft(ms)).toBe(short)
})

test.each([
  // The clock of the device is behind the clock of the server.
  [30_000, 'Just now'],
  [0, 'Just now'],
  [-minute + 1, 'Just now'],
  [-minute, '1m ago'],
  [-60 * minute + 1, '59m ago'],
  [-60 * minute, '1h ago'],
  [-1440 * minute + 1, '23h ago'],
  [-1440 * minute, 'June 9'],
  [-400 * 1440 * minute, 'May 6'],
])('an instant %d ms from now is shown as %s [RLIST-20 RLIST-21 RLIST-22 RLIST-23]', (ms, text) => {
  expect(relativeTime(after(ms), now, 'Europe/Berlin')).toBe(text)
})

test('a date is the day in the time zone of the application [RLIST-23]', () => {
  expect(relativeTime('2025-06-08T23:30:00.000Z', now, 'Europe/Berlin')).toBe('June 9')
  expect(relativeTime('2025-06-08T23:30:00.000Z', now, 'UTC')).toBe('June 8')
})
