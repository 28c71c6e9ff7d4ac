import { afterEach, expect, test, vi } from 'vitest'
import { todayHere } from './today.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
})

test.each([
  ['Pacific/Kiritimati', '2025-06-11'],
  ['Europe/Berlin', '2025-06-11'],
  ['America/New_York', '2025-06-10'],
])('the day of a writer in %s is the date of the device [DIARY-48]', (timeZone, day) => {
  vi.stubEnv('TZ', timeZone)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2025-06-10T22:30:00Z') })
  expect(todayHere()).toBe(day)
})
