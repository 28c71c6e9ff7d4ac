import type { FastifyBaseLogger } from 'fastify'
import type { ClientConfig } from 'pg'
import type { PlatformSettings } from '#server/platform/settings.ts'
import { type Bus, createLocalBus } from './bus.ts'
import { createNotifyBus } from './notify-bus.ts'
import { createRedisBus } from './redis-bus.ts'

interface Options {
  config: Pick<PlatformSettings, 'databaseUrl' | 'redisUrl'>
  connection: ClientConfig
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/** Creates the bus that the settings name: over Redis, else over a database that several processes may share, else in this process. */
export function createBus({ config: { databaseUrl, redisUrl }, connection, log }: Options): Bus {
  if (redisUrl !== undefined) return createRedisBus({ url: redisUrl, log })
  return databaseUrl === undefined ? createLocalBus() : createNotifyBus({ connection, log })
}
