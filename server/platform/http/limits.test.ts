import { expect, test } from 'vitest'
import { testClock } from '../clock.ts'
import { Limits, type LimitRule } from './limits.ts'

const rule: LimitRule = { name: 'posts', count: 2, seconds: 60, by: 'address' }

test('the one over the limit is told how long to wait, and the next window is free again [S47]', () => {
  const clock = testClock('2025-06-10T12:00:00Z')
  const limits = new Limits({ clock, isOn: true })
  limits.take(rule, 'ana')
  clock.advance(30_000)
  limits.take(rule, 'ana')
  expect(() => limits.take(rule, 'ana')).toThrow(
    expect.objectContaining({ code: 'TooManyRequests', detail: { retryAfter: 30 } }),
  )
  limits.take(rule, 'ben')
  clock.advance(30_000)
  limits.take(rule, 'ana')
})

test('a step of the clock of the host changes no wait [R20 S47]', () => {
  const clock = testClock('2025-06-10T12:00:00Z')
  const limits = new Limits({ clock, isOn: true })
  for (let i = 0; i < 2; i++) limits.take(rule, 'ana')
  for (const step of [-3_600_000, 7_200_000]) {
    clock.step({ host: step, database: step })
    expect(() => limits.take(rule, 'ana')).toThrow(expect.objectContaining({ detail: { retryAfter: 60 } }))
  }
})

test('limits can be switched off for a load test [S47]', () => {
  const limits = new Limits({ clock: testClock('2025-06-10T12:00:00Z'), isOn: false })
  for (let i = 0; i < 10; i++) limits.take(rule, 'ana')
  expect(limits.size).toBe(0)
})

test('counters are bounded: the oldest make room [S47]', () => {
  const limits = new Limits({ clock: testClock('2025-06-10T12:00:00Z'), isOn: true })
  for (let i = 0; i < 100_010; i++) limits.take(rule, String(i))
  expect(limits.size).toBe(100_000)
})
