import { PassThrough } from 'node:stream'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPatientStore, redisIsMissing, startRedis } from '#server/testing/messengers.ts'
import { testClock } from './clock.ts'
import { Limits, type LimitRule } from './http/bounds/limits.ts'
import { SharedCounters } from './shared-counters.ts'
import { openSharedStore, Script } from './shared-store.ts'

const rule: LimitRule = { name: 'posts', count: 1000, seconds: 600, by: 'address' }
const patience = { timeout: 20_000, interval: 20 }

/** A process that counts in Redis, with the time limit of a server. */
async function startProcess(url: string) {
  const lines: { level: number; msg: string }[] = []
  const output = new PassThrough().on('data', (line: Buffer) => void lines.push(JSON.parse(line.toString())))
  const store = await openSharedStore({ url, log: pino({}, output) })
  onTestFinished(() => store.close())
  const clock = testClock('2025-06-10T12:00:00Z')
  const shared = new SharedCounters(store, clock, Buffer.from('key'))
  const limits = new Limits({ clock, isOn: true, shared })
  /** Counts one request. Returns whether this process counted by itself, and the time that this took. */
  const take = async () => {
    const [before, from] = [limits.size, performance.now()]
    await limits.take([{ rule, key: String(before) }])
    return { isAlone: limits.size > before, tookMs: performance.now() - from }
  }
  return {
    take,
    lines,
    said: (...expected: unknown[]) =>
      vi.waitFor(() => expect(lines.map(({ msg }) => msg).slice(0, 2)).toEqual(expected), patience),
    isShared: () => vi.waitFor(async () => expect((await take()).isAlone).toBe(false), patience),
    isAlone: () => vi.waitFor(async () => expect((await take()).isAlone).toBe(true), patience),
  }
}

const warned = expect.stringMatching(/^Redis is unavailable/)
const saidAgain = expect.stringMatching(/^Redis is available again/)

test.skipIf(redisIsMissing)(
  'a process counts by itself at once while Redis is stopped, killed or full, and together with the others afterwards [S47 R16]',
  async () => {
    const redis = await startRedis()
    const one = await startProcess(redis.url)
    await one.isShared()
    const client = new Redis(redis.url)
    client.on('error', () => {})
    onTestFinished(() => client.disconnect())

    const outages = {
      stopped: { begin: async () => void redis.pause(), end: async () => void redis.resume() },
      killed: { begin: () => redis.stop(), end: () => redis.start() },
      full: {
        begin: async () => void (await client.config('SET', 'maxmemory', '1')),
        end: async () => void (await client.config('SET', 'maxmemory', '0')),
      },
    }
    for (const { begin, end } of Object.values(outages)) {
      one.lines.length = 0
      await begin()
      const atOnce = await Promise.all(Array.from({ length: 20 }, () => one.take()))
      expect(Math.max(...atOnce.map(({ tookMs }) => tookMs))).toBeLessThan(1000)
      await one.isAlone()
      // Later requests do not wait for Redis: a hundred that wait take five seconds.
      const from = performance.now()
      for (let i = 0; i < 100; i++) expect((await one.take()).isAlone).toBe(true)
      expect(performance.now() - from).toBeLessThan(2500)
      await one.said(warned)
      await end()
      await one.isShared()
      await one.said(warned, saidAgain)
    }
  },
)

test.skipIf(redisIsMissing)(
  'a process that starts without Redis counts by itself until Redis is there [S47 R16]',
  async () => {
    const redis = await startRedis()
    await redis.stop()
    const one = await startProcess(redis.url)
    expect((await one.take()).isAlone).toBe(true)
    await redis.start()
    await one.isShared()
    await one.said(warned, saidAgain)
  },
)

test.skipIf(redisIsMissing)(
  'each process runs its scripts in the order of its calls, also when two processes send a new script at the same time [R12 S47]',
  async () => {
    const redis = await startRedis()
    const stores = [await openPatientStore(redis.url), await openPatientStore(redis.url)]
    const client = new Redis(redis.url)
    onTestFinished(() => client.disconnect())
    const numbers = Array.from({ length: 6 }, (_, i) => String(i))
    for (let round = 0; round < 50; round++) {
      const append = new Script(`return redis.call('rpush', KEYS[1], ARGV[1]) -- ${round}`)
      await Promise.all(
        numbers.flatMap((number) =>
          stores.map((store, i) => store.run(append, [`list ${round} ${i}`], [number])),
        ),
      )
      for (const i of stores.keys()) expect(await client.lrange(`list ${round} ${i}`, 0, -1)).toEqual(numbers)
    }
  },
)
