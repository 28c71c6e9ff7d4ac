import type { FastifyBaseLogger } from 'fastify'
import type { ClientConfig } from 'pg'
import type { PlatformSettings } from '#server/platform/settings.ts'
import { type Bus, createLocalBus } from './bus.ts'
import { createNotifyBus } from './notify-bus.ts'

interface Options {
  config: Pick<PlatformSettings, 'databaseUrl' | 'redisUrl'>
  connection: ClientConfig
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/**
 * Creates the bus that the settings name: over Redis, else over a database that several processes may share, else in this
 * process. The library for Redis is loaded only where it is needed.
 */
export async function createBus({
  config: { databaseUrl, redisUrl },
  connection,
  log,
}: Options): Promise<Bus> {
  if (redisUrl !== undefined) {
    const { createRedisBus } = await import('./redis-bus.ts')
    return createRedisBus({ url: redisUrl, log })
  }
  return databaseUrl === undefined ? createLocalBus() : createNotifyBus({ connection, log })
}
