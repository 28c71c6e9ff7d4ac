import { expect, onTestFinished, test, vi } from 'vitest'
import { shortTime } from './short-time.ts'

test('the day of an instant follows the device into another time zone [LOOP-30]', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  const dayIn = (timeZone: string) => {
    vi.stubEnv('TZ', timeZone)
    return shortTime('2025-06-10T22:05:00Z', new Date('2025-06-20T12:00:00Z'))
  }
  expect([dayIn('Europe/London'), dayIn('Asia/Tokyo')]).toEqual(['Jun 10', 'Jun 11'])
})
