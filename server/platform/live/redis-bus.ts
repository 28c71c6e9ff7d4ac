import type { FastifyBaseLogger } from 'fastify'
import { Redis, type RedisOptions } from 'ioredis'
import { type Bus, createBusOn } from './bus.ts'

const channel = 'zimmer:live'

const options = {
  connectTimeout: 2000,
  maxRetriesPerRequest: null,
  retryStrategy: (tries: number) => Math.min(tries * 200, 2000),
} satisfies RedisOptions

interface RedisPlace {
  url: string
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/** Words by Redis. While that is away nothing is sent, nothing fails, and it is logged once. */
export const createRedisBus = ({ url, log }: RedisPlace): Bus =>
  createBusOn((receive) => {
    const listening = new Redis(url, options)
    const sending = new Redis(url, { ...options, enableOfflineQueue: false })
    let isUnavailable = false
    const lose = (error: Error) => {
      if (!isUnavailable)
        log.warn({ err: error }, 'Redis is away: live words of other processes do not arrive')
      isUnavailable = true
    }
    listening.on('error', lose)
    sending.on('error', lose)
    listening.on('ready', () => {
      if (isUnavailable) log.info('Redis is back')
      isUnavailable = false
    })
    listening.on('message', (_channel, text: string) => receive(text))
    listening.subscribe(channel).catch(lose)
    return {
      send: (text) => {
        if (sending.status === 'ready') sending.publish(channel, text).catch(() => {})
      },
      close: async () => {
        listening.disconnect()
        sending.disconnect()
      },
    }
  })
