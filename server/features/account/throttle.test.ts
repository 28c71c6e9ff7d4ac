import { expect, test } from 'vitest'
import { testClock } from '#server/platform/clock.ts'
import { createThrottle } from './throttle.ts'

const ana = 'ana@example.org'
const wrong = async () => false
const right = async () => true

function start(isOn = true) {
  const clock = testClock('2025-06-10T12:00:00Z')
  const throttle = createThrottle({ clock, isOn })
  /** `true` or `false` as compared, or the seconds to wait. */
  const tries = (isRight: () => Promise<boolean>, account = ana, address = '192.0.2.1', device?: string) =>
    throttle
      .attempt({ account, address, device }, isRight)
      .catch((error: { detail?: { retryAfter?: number } }) => error.detail?.retryAfter ?? error)
  return { clock, throttle, tries }
}

test('five failures are free, then the wait doubles from a second to 15 minutes [S12]', async () => {
  const { clock, tries } = start()
  for (let i = 0; i < 5; i++) expect(await tries(wrong)).toBe(false)
  const waits: unknown[] = []
  for (let i = 0; i < 12; i++) {
    expect(await tries(wrong)).toBe(false)
    const seconds = await tries(right)
    waits.push(seconds)
    clock.advance(Number(seconds) * 1000)
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  expect(await tries(right)).toBe(true)
})

test('a right password clears what was counted [S12]', async () => {
  const { tries } = start()
  for (let i = 0; i < 5; i++) await tries(wrong)
  expect(await tries(right)).toBe(true)
  for (let i = 0; i < 6; i++) expect(await tries(wrong)).toBe(false)
  expect(await tries(wrong)).toBe(1)
})

test('who guesses at one address leaves the owner at another one alone [S12]', async () => {
  const { tries } = start()
  for (let i = 0; i < 6; i++) await tries(wrong)
  expect(await tries(right)).toBe(1)
  expect(await tries(right, ana, '198.51.100.7')).toBe(true)
})

test('an account takes a hundred failures an hour from all addresses together [S12]', async () => {
  const { clock, tries } = start()
  for (let i = 0; i < 100; i++) expect(await tries(wrong, ana, `2001:db8:0:${i}::/64`)).toBe(false)
  expect(await tries(right, ana, '198.51.100.7')).toBeGreaterThan(3590)
  expect(await tries(wrong, 'ben@example.org', '198.51.100.7')).toBe(false)
  clock.advance(60 * 60 * 1000)
  expect(await tries(right, ana, '198.51.100.7')).toBe(true)
})

test('tries at the same moment are counted like tries one after the other [S12 R6]', async () => {
  const { tries } = start()
  const guesses = await Promise.all(Array.from({ length: 30 }, () => tries(wrong)))
  expect(guesses.filter((answer) => answer === false)).toHaveLength(6)
  const fromEverywhere = await Promise.all(
    Array.from({ length: 130 }, (_, i) => tries(wrong, 'ben@example.org', `2001:db8:0:${i}::/64`)),
  )
  expect(fromEverywhere.filter((answer) => answer === false)).toHaveLength(100)
})

test('the right password opens at the same moment in many places [S12]', async () => {
  const { tries } = start()
  const answers = await Promise.all(Array.from({ length: 30 }, () => tries(right)))
  expect(answers).toEqual(Array.from({ length: 30 }, () => true))
})

test('no typed account passes for the counter of another one [S12]', async () => {
  const { tries } = start()
  for (let i = 0; i < 6; i++) await tries(wrong)
  for (const account of [`${ana} 192.0.2.1`, `192.0.2.1 ${ana}`, `at 192.0.2.1 ${ana}`]) {
    expect(await tries(wrong, account)).toBe(false)
    expect(await tries(right, account)).toBe(true)
  }
  expect(await tries(right)).toBe(1)
})

test('a try that could not be compared is no failure [S12]', async () => {
  const { tries } = start()
  const breaks = () => Promise.reject(new Error('away'))
  for (let i = 0; i < 120; i++) expect(await tries(breaks)).toBeInstanceOf(Error)
  expect(await tries(right)).toBe(true)
})

test('a known device passes what others did to its account, and has a limit of its own [S54 S12]', async () => {
  const { tries } = start()
  for (let i = 0; i < 100; i++) await tries(wrong, ana, `2001:db8:0:${i}::/64`)
  for (let i = 0; i < 6; i++) await tries(wrong)
  expect(await tries(right, ana, '198.51.100.7')).toBeGreaterThan(3590)
  expect(await tries(right, ana, '192.0.2.1', 'of ana')).toBe(true)
  // What the device may do opens nothing to the others.
  expect(await tries(right, ana, '198.51.100.7')).toBeGreaterThan(3590)
  for (let i = 0; i < 6; i++) expect(await tries(wrong, ana, `198.51.100.${i}`, 'stolen')).toBe(false)
  expect(await tries(right, ana, '198.51.100.9', 'stolen')).toBe(1)
  expect(await tries(right, ana, '198.51.100.9', 'of ana')).toBe(true)
})

test('a step of the clock of the host makes nobody wait longer [R20 S12]', async () => {
  const { clock, tries } = start()
  for (let i = 0; i < 6; i++) await tries(wrong)
  for (const step of [-3_600_000, 7_200_000]) {
    clock.step({ host: step, database: step })
    expect(await tries(right)).toBe(1)
  }
})

test('what nobody tried again is forgotten after its time [S12]', async () => {
  const { clock, tries } = start()
  for (let i = 0; i < 6; i++) await tries(wrong)
  clock.advance(16 * 60 * 1000)
  for (let i = 0; i < 6; i++) expect(await tries(wrong)).toBe(false)
  expect(await tries(wrong)).toBe(1)
})

test('the counters never grow beyond a hundred thousand [S12 S47]', async () => {
  const { throttle, tries } = start()
  for (let i = 0; i < 50_050; i++) await tries(wrong, `person${i}@example.org`)
  expect(throttle.size).toBe(100_000)
})

test('with the limits switched off nobody waits [S12]', async () => {
  const { tries } = start(false)
  for (let i = 0; i < 20; i++) expect(await tries(wrong)).toBe(false)
})
