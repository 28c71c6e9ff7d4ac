import { describe, expect, test, type TestContext } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { testClock } from '#server/platform/clock.ts'
import { Refused, type RefusalDetail } from '#server/platform/http/refusal.ts'
import { counters, openPatientStore, startCounters } from '#server/testing/messengers.ts'
import { SharedCounters } from '#server/platform/shared-counters.ts'
import type { SharedStore } from '#server/platform/shared-store.ts'
import { createThrottle } from './throttle.ts'

const ana = 'ana@example.org'
const wrong = async () => false
const right = async () => true

const fail = (code: ErrorCode, detail?: RefusalDetail) => {
  throw new Refused(code, detail)
}

const digestKey = Buffer.from('the key of the digests')

function startProcess(
  store: SharedStore | undefined,
  isOn = true,
  clock = testClock('2025-06-10T12:00:00Z'),
) {
  const shared = store && new SharedCounters(store, clock, digestKey)
  const throttle = createThrottle({ clock, isOn, shared })
  /** `true` or `false` as compared, or the seconds to wait. */
  const tries = (isRight: () => Promise<boolean>, account = ana, address = '192.0.2.1', device?: string) =>
    throttle
      .attempt({ account, address, device, fail }, isRight)
      .catch((error: { detail?: { retryAfter?: number } }) => error.detail?.retryAfter ?? error)
  return { clock, throttle, tries }
}

describe.each(counters)('counted by %s', (where) => {
  async function start(context: TestContext, isOn = true) {
    const counted = await startCounters(where, context)
    const started = startProcess(counted?.shared, isOn)
    const size = async () => {
      if (counted === undefined) return started.throttle.size
      const maps = await counted.client.keys('zimmer:sign-in:*:ends')
      const sizes = await Promise.all(maps.map((map) => counted.client.zcard(map)))
      return sizes.reduce((all, one) => all + one, 0)
    }
    return { ...started, size }
  }

  test('five failures are free, then the wait doubles from a second to 15 minutes [S12]', async (context) => {
    const { clock, tries } = await start(context)
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

  test('the right password clears the counters [S12]', async (context) => {
    const { tries } = await start(context)
    for (let i = 0; i < 5; i++) await tries(wrong)
    expect(await tries(right)).toBe(true)
    for (let i = 0; i < 6; i++) expect(await tries(wrong)).toBe(false)
    expect(await tries(wrong)).toBe(1)
  })

  test('an attacker at one address does not make the owner at another address wait [S12]', async (context) => {
    const { tries } = await start(context)
    for (let i = 0; i < 6; i++) await tries(wrong)
    expect(await tries(right)).toBe(1)
    expect(await tries(right, ana, '198.51.100.7')).toBe(true)
  })

  test('an account takes a hundred failures an hour from all addresses together [S12]', async (context) => {
    const { clock, tries } = await start(context)
    for (let i = 0; i < 100; i++) expect(await tries(wrong, ana, `2001:db8:0:${i}::/64`)).toBe(false)
    expect(await tries(right, ana, '198.51.100.7')).toBeGreaterThan(3590)
    expect(await tries(wrong, 'ben@example.org', '198.51.100.7')).toBe(false)
    clock.advance(60 * 60 * 1000)
    expect(await tries(right, ana, '198.51.100.7')).toBe(true)
  })

  test('tries at the same moment are counted like tries one after the other [S12 R6]', async (context) => {
    const { tries } = await start(context)
    const guesses = await Promise.all(Array.from({ length: 30 }, () => tries(wrong)))
    expect(guesses.filter((answer) => answer === false)).toHaveLength(6)
    const fromEverywhere = await Promise.all(
      Array.from({ length: 130 }, (_, i) => tries(wrong, 'ben@example.org', `2001:db8:0:${i}::/64`)),
    )
    expect(fromEverywhere.filter((answer) => answer === false)).toHaveLength(100)
  })

  test('a person signs in with the right password in many places at the same time [S12]', async (context) => {
    const { tries } = await start(context)
    const answers = await Promise.all(Array.from({ length: 30 }, () => tries(right)))
    expect(answers).toEqual(Array.from({ length: 30 }, () => true))
  })

  test('no typed account name uses the counter of another account [S12]', async (context) => {
    const { tries } = await start(context)
    for (let i = 0; i < 6; i++) await tries(wrong)
    for (const account of [`${ana} 192.0.2.1`, `192.0.2.1 ${ana}`, `at 192.0.2.1 ${ana}`]) {
      expect(await tries(wrong, account)).toBe(false)
      expect(await tries(right, account)).toBe(true)
    }
    expect(await tries(right)).toBe(1)
  })

  test('a try whose comparison fails with an error does not count as a failure [S12]', async (context) => {
    const { tries } = await start(context)
    const breaks = () => Promise.reject(new Error('away'))
    for (let i = 0; i < 120; i++) expect(await tries(breaks)).toBeInstanceOf(Error)
    expect(await tries(right)).toBe(true)
  })

  test('a known device does not wait for failures elsewhere, and has its own limit [S54 S12]', async (context) => {
    const { tries } = await start(context)
    for (let i = 0; i < 100; i++) await tries(wrong, ana, `2001:db8:0:${i}::/64`)
    for (let i = 0; i < 6; i++) await tries(wrong)
    expect(await tries(right, ana, '198.51.100.7')).toBeGreaterThan(3590)
    expect(await tries(right, ana, '192.0.2.1', 'of ana')).toBe(true)
    // The limit of the device does not let others in.
    expect(await tries(right, ana, '198.51.100.7')).toBeGreaterThan(3590)
    for (let i = 0; i < 6; i++) expect(await tries(wrong, ana, `198.51.100.${i}`, 'stolen')).toBe(false)
    expect(await tries(right, ana, '198.51.100.9', 'stolen')).toBe(1)
    expect(await tries(right, ana, '198.51.100.9', 'of ana')).toBe(true)
  })

  test('nobody waits longer after a step of the clock of the host [R20 S12]', async (context) => {
    const { clock, tries } = await start(context)
    for (let i = 0; i < 6; i++) await tries(wrong)
    for (const step of [-3_600_000, 7_200_000]) {
      clock.step({ host: step, database: step })
      expect(await tries(right)).toBe(1)
    }
  })

  test('a counter without new tries expires [S12]', async (context) => {
    const { clock, tries } = await start(context)
    for (let i = 0; i < 6; i++) await tries(wrong)
    clock.advance(16 * 60 * 1000)
    for (let i = 0; i < 6; i++) expect(await tries(wrong)).toBe(false)
    expect(await tries(wrong)).toBe(1)
  })

  test('the counters never grow beyond a hundred thousand, and those of the newest 50,000 accounts stay [S12 S47]', async (context) => {
    const { size, tries } = await start(context)
    for (let i = 0; i < 55_000; i += 550)
      await Promise.all(Array.from({ length: 550 }, (_, j) => tries(wrong, `person${i + j}@example.org`)))
    expect(await size()).toBe(100_000)
    for (let i = 0; i < 5; i++) expect(await tries(wrong, 'person7500@example.org')).toBe(false)
    expect(await tries(wrong, 'person7500@example.org')).toBe(1)
  })

  test('with the limits switched off nobody waits [S12]', async (context) => {
    const { tries } = await start(context, false)
    for (let i = 0; i < 20; i++) expect(await tries(wrong)).toBe(false)
  })
})

describe('counted by two processes', () => {
  async function startTwo(context: TestContext) {
    const { url, client, shared } = (await startCounters('Redis', context))!
    const first = startProcess(shared)
    const second = startProcess(await openPatientStore(url), true, first.clock)
    return { client, first, second }
  }

  test('failures at one process count at the other, and the right password clears them at both [S12]', async (context) => {
    const { first, second } = await startTwo(context)
    for (let i = 0; i < 6; i++) expect(await (i % 2 === 0 ? first : second).tries(wrong)).toBe(false)
    expect([await first.tries(right), await second.tries(right)]).toEqual([1, 1])
    first.clock.advance(1000)
    expect(await second.tries(right)).toBe(true)
    for (let i = 0; i < 6; i++) expect(await first.tries(wrong)).toBe(false)
    expect(await second.tries(wrong)).toBe(1)
  })

  test('tries at both processes at the same moment are counted like tries one after the other [S12 R6]', async (context) => {
    const both = Object.values(await startTwo(context)).slice(1) as ReturnType<typeof startProcess>[]
    const guesses = await Promise.all(Array.from({ length: 30 }, (_, i) => both[i % 2]!.tries(wrong)))
    expect(guesses.filter((answer) => answer === false)).toHaveLength(6)
    const fromEverywhere = await Promise.all(
      Array.from({ length: 130 }, (_, i) => both[i % 2]!.tries(wrong, 'ben@example.org', `192.0.2.${i}`)),
    )
    expect(fromEverywhere.filter((answer) => answer === false)).toHaveLength(100)
  })

  test('Redis stores digests of accounts and addresses, and each of them expires within an hour [S12 S54]', async (context) => {
    const { client, first } = await startTwo(context)
    for (let i = 0; i < 7; i++) await first.tries(wrong)
    await first.tries(wrong, ana, '192.0.2.1', 'of ana')
    const keys = (await client.keys('zimmer:sign-in*')).toSorted()
    const maps = ['zimmer:sign-in:everywhere', 'zimmer:sign-in:here']
    expect(keys).toEqual(maps.flatMap((map) => [map, `${map}:ends`]))
    for (const key of keys) {
      expect(await client.pttl(key)).toBeGreaterThan(0)
      expect(await client.pttl(key)).toBeLessThanOrEqual(3_600_000)
    }
    const fields = (await Promise.all(maps.map((map) => client.hkeys(map)))).flat()
    expect(fields).toHaveLength(4)
    for (const field of fields) expect(field).toMatch(/^[\w-]{43}$/)
  })
})
