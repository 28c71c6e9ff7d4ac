import type { FastifyBaseLogger } from 'fastify'
import type { ClientConfig } from 'pg'
import type { Config } from '#server/config.ts'
import { type Bus, createLocalBus } from './bus.ts'
import { createNotifyBus } from './notify-bus.ts'
import { createRedisBus } from './redis-bus.ts'

interface BusPlace {
  config: Pick<Config, 'databaseUrl' | 'redisUrl'>
  connection: ClientConfig
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/** The messenger that the settings ask for: Redis, else a database that several processes may share, else none. */
export function createBus({ config: { databaseUrl, redisUrl }, connection, log }: BusPlace): Bus {
  if (redisUrl !== undefined) return createRedisBus({ url: redisUrl, log })
  return databaseUrl === undefined ? createLocalBus() : createNotifyBus({ connection, log })
}
