import { describe, expect, test, type TestContext } from 'vitest'
import { counters, openPatientStore, startCounters } from '#server/testing/messengers.ts'
import { testClock } from '../../clock.ts'
import { SharedCounters } from '../../shared-counters.ts'
import { Limits, type LimitRule, type WeighedRule } from './limits.ts'

const rule: LimitRule = { name: 'posts', count: 2, seconds: 60, by: 'address' }
const digestKey = Buffer.from('the key of the digests')

const refusedFor = (retryAfter: number) =>
  expect.objectContaining({ code: 'TooManyRequests', detail: { retryAfter } })

describe.each(counters)('counted by %s', (where) => {
  async function start(context: TestContext, isOn = true) {
    const clock = testClock('2025-06-10T12:00:00Z')
    const counted = await startCounters(where, context)
    const shared = counted && new SharedCounters(counted.shared, clock, digestKey)
    const limits = new Limits({ clock, isOn, shared })
    const size = async () => {
      if (counted === undefined) return limits.size
      let sum = 0
      for (const key of await counted.client.keys('zimmer:limit:*:ends'))
        sum += await counted.client.zcard(key)
      return sum
    }
    return { clock, limits, counted, size, ...callsOf(limits) }
  }

  test('a caller over the limit learns how long to wait, and is served in the next window [S47]', async (context) => {
    const { clock, take } = await start(context)
    await take(rule, 'ana')
    clock.advance(30_000)
    await take(rule, 'ana')
    await expect(take(rule, 'ana')).rejects.toEqual(refusedFor(30))
    await take(rule, 'ben')
    clock.advance(30_000)
    await take(rule, 'ana')
  })

  test('a step of the clock of the host changes no wait [R20 S47]', async (context) => {
    const { clock, take } = await start(context)
    for (let i = 0; i < 2; i++) await take(rule, 'ana')
    for (const step of [-3_600_000, 7_200_000]) {
      clock.step({ host: step, database: step })
      await expect(take(rule, 'ana')).rejects.toEqual(refusedFor(60))
    }
  })

  test('a charge that was given back leaves room for another call in its window, and changes no later one [S47]', async (context) => {
    const { clock, limits, take } = await start(context)
    const charge = { rule: { ...rule, weight: 2 }, key: 'ana' }
    await limits.take([charge])
    await expect(take(rule, 'ana')).rejects.toEqual(refusedFor(60))
    await limits.giveBack([charge])
    for (let i = 0; i < 2; i++) await take(rule, 'ana')
    await expect(take(rule, 'ana')).rejects.toEqual(refusedFor(60))
    clock.advance(60_000)
    await limits.giveBack([charge])
    for (let i = 0; i < 2; i++) await take(rule, 'ana')
    await expect(take(rule, 'ana')).rejects.toEqual(refusedFor(60))
    await limits.giveBack([charge, charge])
    for (let i = 0; i < 2; i++) await take(rule, 'ana')
    await expect(take(rule, 'ana')).rejects.toEqual(refusedFor(60))
  })

  test('a call with more weight than is left is refused and does not count [S47]', async (context) => {
    const { take } = await start(context)
    const text = { ...rule, name: 'text', count: 100 }
    await take({ ...text, weight: 60 }, 'ana')
    await expect(take({ ...text, weight: 41 }, 'ana')).rejects.toEqual(refusedFor(60))
    await take({ ...text, weight: 40 }, 'ana')
    await expect(take(text, 'ana')).rejects.toEqual(refusedFor(60))
  })

  test('a call under several rules is refused by the first rule that is used up, and does not count towards later rules [S47]', async (context) => {
    const { limits, take } = await start(context)
    const rules: LimitRule[] = [
      { ...rule, name: 'first', count: 5 },
      { ...rule, name: 'second', count: 1, seconds: 600 },
      { ...rule, name: 'third', count: 2 },
    ]
    const takeAll = async () => limits.take(rules.map((each) => ({ rule: each, key: 'ana' })))
    await takeAll()
    await expect(takeAll()).rejects.toEqual(refusedFor(600))
    await take(rules[2]!, 'ana')
    await expect(take(rules[2]!, 'ana')).rejects.toEqual(refusedFor(60))
    for (let i = 0; i < 3; i++) await take(rules[0]!, 'ana')
    await expect(take(rules[0]!, 'ana')).rejects.toEqual(refusedFor(60))
  })

  test('limits can be switched off for a load test [S47]', async (context) => {
    const { take, size } = await start(context, false)
    for (let i = 0; i < 10; i++) await take(rule, 'ana')
    expect(await size()).toBe(0)
  })

  test('a flood of addresses evicts counters of its own rule alone: no limit of a person or of another rule is reset [S47]', async (context) => {
    const { limits, take, size } = await start(context)
    const others: LimitRule[] = [
      { name: 'rooms', count: 2, seconds: 86_400, by: 'person' },
      { name: 'sign-in', count: 2, seconds: 6000, by: 'address' },
      // A visitor has no person, and is counted by address in the same rule.
      { ...rule, seconds: 6000, by: 'person' },
    ]
    const flooded = { ...rule, seconds: 6000 }
    for (const other of others) for (let i = 0; i < 2; i++) await take(other, 'ana')
    for (let i = 0; i < 2; i++) await take(flooded, 'ana')
    const keys = Array.from({ length: 100_010 }, (_, i) => `2001:db8:0:${i.toString(16)}::/64`)
    for (let i = 0; i < keys.length; i += 500)
      await limits.take(keys.slice(i, i + 500).map((key) => ({ rule: flooded, key })))
    for (const other of others)
      await expect(take(other, 'ana')).rejects.toMatchObject({ code: 'TooManyRequests' })
    expect(await size()).toBe(20_000 + others.length)
  })

  test('counters whose window has ended are dropped when the next callers come [S47]', async (context) => {
    const { clock, limits, take, size } = await start(context)
    await limits.take(Array.from({ length: 1000 }, (_, i) => ({ rule, key: String(i) })))
    clock.advance(60_000)
    for (let i = 0; i < 10; i++) await take(rule, `caller ${i}`)
    expect(await size()).toBe(10)
  })
})

describe('counted by two processes', () => {
  async function startTwo(context: TestContext) {
    const { url, client, shared } = (await startCounters('Redis', context))!
    const clock = testClock('2025-06-10T12:00:00Z')
    const [first, second] = [shared, await openPatientStore(url)].map((store) =>
      callsOf(new Limits({ clock, isOn: true, shared: new SharedCounters(store, clock, digestKey) })),
    )
    return { client, first: first!, second: second! }
  }

  test('a caller has one limit at both processes together, even with all calls at the same time [S47]', async (context) => {
    const { first, second } = await startTwo(context)
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? first : second).take({ ...rule, count: 7 }, 'ana')),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  })

  test('Redis stores digests of addresses and persons, and each of them expires [S47]', async (context) => {
    const { client, first } = await startTwo(context)
    await first.take(rule, '192.0.2.77')
    await first.take({ ...rule, name: 'rooms', by: 'person', seconds: 600 }, 'ana@example.org')
    const keys = (await client.keys('*')).toSorted()
    expect(keys).toEqual([
      'zimmer:check',
      'zimmer:limit:address:posts',
      'zimmer:limit:address:posts:ends',
      'zimmer:limit:person:rooms',
      'zimmer:limit:person:rooms:ends',
    ])
    for (const key of keys) expect(await client.pttl(key)).toBeGreaterThan(0)
    for (const key of keys.slice(1)) expect(await client.pttl(key)).toBeLessThanOrEqual(600_000)
    const fields = await Promise.all(
      ['address:posts', 'person:rooms'].map((id) => client.hkeys(`zimmer:limit:${id}`)),
    )
    for (const field of fields.flat()) expect(field).toMatch(/^[\w-]{43}$/)
  })

  test('a step back of the clock of Redis makes no window longer [R20 S47]', async (context) => {
    const { client, first } = await startTwo(context)
    for (let i = 0; i < 2; i++) await first.take(rule, 'ana')
    const ends = 'zimmer:limit:address:posts:ends'
    const [field] = await client.zrange(ends, '0', '0')
    await client.zincrby(ends, 3_600_000, field!)
    await expect(first.take(rule, 'ana')).resolves.toBeUndefined()
  })

  test('a correction of the clock of Redis by less than a second resets no counter [R20 S47]', async (context) => {
    const { client, first } = await startTwo(context)
    for (let i = 0; i < 2; i++) await first.take(rule, 'ana')
    const ends = 'zimmer:limit:address:posts:ends'
    const [field] = await client.zrange(ends, '0', '0')
    await client.zincrby(ends, 900, field!)
    await expect(first.take(rule, 'ana')).rejects.toMatchObject({ code: 'TooManyRequests' })
  })
})

const callsOf = (limits: Limits) => ({
  take: async (taken: WeighedRule, key: string) => limits.take([{ rule: taken, key }]),
})
