import { setImmediate } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { ClientConfig } from 'pg'
import { onTestFinished, type TestContext } from 'vitest'
import { buildApp, type Outside } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { createLog } from '#server/log.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { type Bus, createLocalBus } from '#server/platform/live/bus.ts'
import { createNotifyBus } from '#server/platform/live/notify-bus.ts'
import { createRedisBus } from '#server/platform/live/redis-bus.ts'
import { openSharedStore, type SharedStore } from '#server/platform/shared-store.ts'
import { launchRedis, redisIsMissing } from './redis.ts'
import { Client, startTestApp } from './test-app.ts'

export { redisIsMissing }

/** The services that may carry messages between processes. */
export const messengers = ['one process', 'NOTIFY', 'Redis'] as const
export type Messenger = (typeof messengers)[number]

interface Messengers {
  busFor: (connection: ClientConfig) => Bus
  /** Opens what all processes count together, where the messenger is Redis. */
  openStore?: () => Promise<SharedStore>
}

/** Makes the messengers of a test; one that is not installed skips it. */
export async function startMessenger(messenger: Messenger, context: TestContext): Promise<Messengers> {
  const log = createLog('silent')
  if (messenger === 'NOTIFY') return { busFor: (connection) => createNotifyBus({ connection, log }) }
  if (messenger === 'Redis') {
    if (redisIsMissing) context.skip('redis-server is not installed')
    const { url } = await startRedis()
    return { busFor: () => createRedisBus({ url, log }), openStore: () => openPatientStore(url) }
  }
  const bus = createLocalBus()
  return { busFor: () => bus }
}

/** Two apps on one database, each with a messenger of its own, in place of two processes. */
export async function startTwoApps(
  messenger: Messenger,
  context: TestContext,
  settings: Partial<Config> = { limitsRates: false },
  outside: Pick<Outside, 'callOutgoing'> = {},
) {
  const { busFor, openStore } = await startMessenger(messenger, context)
  const buses: Bus[] = []
  const makeBus = (connection: ClientConfig) => {
    const bus = busFor(connection)
    buses.push(bus)
    return bus
  }
  const t = await startTestApp({ ...outside, busFor: makeBus, config: settings, shared: await openStore?.() })
  const bus = makeBus(t.connection)
  await untilConnected(buses)
  const { config, db: database, clock } = t
  const shared = await openStore?.()
  const other = await buildApp({ ...outside, config, database, clock, random: systemRandom, bus, shared })
  onTestFinished(async () => {
    await other.close()
    await bus.close()
  })
  /** The same browser, at the other process. */
  const atOther = (client: Client) => {
    const same = new Client((options) => other.inject(options))
    for (const [name, value] of client.cookies) same.cookies.set(name, value)
    same.user = client.user
    return same
  }
  return { ...t, other, atOther }
}

/** Waits until a message of each bus has reached every bus. A bus sends nothing before it is connected. */
async function untilConnected(buses: Bus[]) {
  const arrived = new Set<string>()
  const pairs = buses.flatMap((_, from) => buses.map((_, to) => `${from} to ${to}`))
  const ends = buses.map((bus, to) =>
    bus.subscribe((message) => {
      if (typeof message === 'object' && message !== null && 'probeOf' in message)
        arrived.add(`${String(message.probeOf)} to ${to}`)
    }),
  )
  for (let sentAt = -Infinity; !pairs.every((pair) => arrived.has(pair)); await setImmediate()) {
    if (performance.now() - sentAt < 20) continue
    sentAt = performance.now()
    for (const [from, bus] of buses.entries()) bus.publish({ probeOf: from })
  }
  for (const end of ends) end()
}

/** Where limits are counted. */
export const counters = ['this process', 'Redis'] as const

/** Waits for Redis as long as a machine with many tests needs. */
export const openPatientStore = async (url: string) => {
  const store = await openSharedStore({ url, log: createLog('silent'), answerWithinMs: 30_000 })
  onTestFinished(() => store.close())
  return store
}

/** The shared store of a test in a Redis of its own; undefined for counters of this process. */
export async function startCounters(where: (typeof counters)[number], context: TestContext) {
  if (where === 'this process') return undefined
  if (redisIsMissing) context.skip('redis-server is not installed')
  const redis = await startRedis()
  const client = new Redis(redis.url)
  onTestFinished(() => client.disconnect())
  return { url: redis.url, client, shared: await openPatientStore(redis.url) }
}

/** A Redis that can go away and come back, and ends with the test. */
export async function startRedis() {
  const redis = await launchRedis()
  onTestFinished(() => redis.stop())
  return redis
}
