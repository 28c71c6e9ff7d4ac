import type { FastifyBaseLogger } from 'fastify'
import { Redis, type RedisOptions } from 'ioredis'
import { type Bus, createBusOn } from './bus.ts'

const channel = 'zimmer:live'

const redisOptions = {
  connectTimeout: 2000,
  maxRetriesPerRequest: null,
  retryStrategy: (tries: number) => Math.min(tries * 200, 2000),
} satisfies RedisOptions

interface Options {
  url: string
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/** Sends messages by Redis. While Redis is unavailable messages are dropped, no call fails, and one warning is logged. */
export const createRedisBus = ({ url, log }: Options): Bus =>
  createBusOn((receive) => {
    const receiver = new Redis(url, redisOptions)
    const sender = new Redis(url, { ...redisOptions, enableOfflineQueue: false })
    let isUnavailable = false
    const onFailure = (error: Error) => {
      if (!isUnavailable)
        log.warn({ err: error }, 'Redis is unavailable: live messages of other processes do not arrive')
      isUnavailable = true
    }
    receiver.on('error', onFailure)
    sender.on('error', onFailure)
    receiver.on('ready', () => {
      if (isUnavailable) log.info('Redis is available again')
      isUnavailable = false
    })
    receiver.on('message', (_channel, text: string) => receive(text))
    receiver.subscribe(channel).catch(onFailure)
    return {
      send: (text) => {
        if (sender.status === 'ready') sender.publish(channel, text).catch(() => {})
      },
      close: async () => {
        receiver.disconnect()
        sender.disconnect()
      },
    }
  })
