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

test('a flood of addresses makes room within its own rule, and resets no limit of a person or of another rule [S47]', () => {
  const limits = new Limits({ clock: testClock('2025-06-10T12:00:00Z'), isOn: true })
  const refused = expect.objectContaining({ code: 'TooManyRequests' })
  const others: LimitRule[] = [
    { name: 'rooms', count: 2, seconds: 86_400, by: 'person' },
    { name: 'sign-in', count: 2, seconds: 60, by: 'address' },
    // A visitor has no person, and is counted by address in the same rule.
    { ...rule, by: 'person' },
  ]
  for (const other of others) for (let i = 0; i < 2; i++) limits.take(other, 'ana')
  for (let i = 0; i < 2; i++) limits.take(rule, 'ana')
  for (let i = 0; i < 100_010; i++) limits.take(rule, `2001:db8:0:${i.toString(16)}::/64`)
  for (const other of others) expect(() => limits.take(other, 'ana')).toThrow(refused)
  expect(limits.size).toBe(20_000 + others.length)
})

test('counters whose window has ended are dropped when the next caller comes [S47]', () => {
  const clock = testClock('2025-06-10T12:00:00Z')
  const limits = new Limits({ clock, isOn: true })
  for (let i = 0; i < 1000; i++) limits.take(rule, String(i))
  clock.advance(60_000)
  limits.take(rule, 'ana')
  expect(limits.size).toBe(1)
})
