import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ClientConfig } from 'pg'
import { onTestFinished, type TestContext } from 'vitest'
import { buildApp } from '#server/app.ts'
import { createLog } from '#server/log.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { type Bus, createLocalBus } from '#server/platform/live/bus.ts'
import { createNotifyBus } from '#server/platform/live/notify-bus.ts'
import { createRedisBus } from '#server/platform/live/redis-bus.ts'
import { Client, startTestApp } from './test-app.ts'

/** What may carry words between processes. */
export const messengers = ['one process', 'NOTIFY', 'Redis'] as const
export type Messenger = (typeof messengers)[number]

type BusFor = (connection: ClientConfig) => Bus

/** Makes the messengers of a test; one that is not installed skips it. */
export async function startMessenger(messenger: Messenger, context: TestContext): Promise<BusFor> {
  const log = createLog('silent')
  if (messenger === 'NOTIFY') return (connection) => createNotifyBus({ connection, log })
  if (messenger === 'Redis') {
    if (redisIsMissing) context.skip('redis-server is not installed')
    const { url } = await startRedis()
    return () => createRedisBus({ url, log })
  }
  const bus = createLocalBus()
  return () => bus
}

/** Two processes, as far as people can tell: two apps with a messenger each on one database. */
export async function startTwoApps(messenger: Messenger, context: TestContext) {
  const busFor = await startMessenger(messenger, context)
  const t = await startTestApp({ busFor, config: { limitsRates: false } })
  const bus = busFor(t.connection)
  const { config, db: database, clock } = t
  const other = await buildApp({ config, database, clock, random: systemRandom, bus })
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

export const redisIsMissing = !(process.env.PATH ?? '')
  .split(delimiter)
  .some((folder) => existsSync(join(folder, 'redis-server')))

/** A Redis that can go away and come back. */
export async function startRedis() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  let stop = await run(port)
  onTestFinished(() => stop())
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: () => stop(),
    start: async () => {
      stop = await run(port)
    },
  }
}

async function run(port: number) {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const redis = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(redis, 'exit')
  for await (const line of createInterface(redis.stdout)) if (line.includes('Ready to accept')) break
  redis.stdout.resume()
  return async () => {
    redis.kill('SIGKILL')
    await ended
  }
}
