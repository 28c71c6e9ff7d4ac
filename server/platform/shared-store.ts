import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { inTime } from './in-time.ts'

/** A script in Lua, which Redis runs as one step. */
export class Script {
  readonly lua: string
  readonly sha1: string

  constructor(lua: string) {
    this.lua = lua
    this.sha1 = createHash('sha1').update(lua).digest('hex')
  }
}

/** Runs scripts in Redis on data that all processes share (decision 20). */
export interface SharedStore {
  /**
   * Runs a script and returns its answer. Returns undefined while Redis is unavailable: the caller then uses counters of
   * this process.
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  close(): Promise<void>
}

/** The longest wait of a request for Redis. */
const answerWithinMs = 50
const startWithinMs = 2000
const retryMs = 500

interface Options {
  url: string
  log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  answerWithinMs?: number
}

/**
 * Connects to Redis. After a failure or a late answer no script is sent until a check succeeds, so that few requests wait
 * for a Redis that has stopped. The check stores a value, because a Redis whose memory is full still answers reads.
 */
export async function openSharedStore({
  url,
  log,
  answerWithinMs: withinMs = answerWithinMs,
}: Options): Promise<SharedStore> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    connectTimeout: startWithinMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    // Do not send a command again: this process has already counted by itself.
    autoResendUnfulfilledCommands: false,
    retryStrategy: (tries) => Math.min(tries * 200, retryMs),
    // Closes a connection when Redis is not reachable any more.
    socketTimeout: 5000,
    keepAlive: 10_000,
  })
  let isAvailable = false
  let isWarned = false
  let isClosed = false
  let check: Promise<void> | undefined
  /** The scripts whose text was sent over this connection. */
  const sent = new Set<Script>()

  const noAnswer = () => new Error(`Redis did not answer within ${withinMs} ms`)
  const onFailure = (error: unknown) => {
    isAvailable = false
    if (isWarned || isClosed) return
    isWarned = true
    log.warn({ err: error }, 'Redis is unavailable: each process counts limits by itself')
  }
  const checkOnce = async () => {
    try {
      await inTime(redis.set('zimmer:check', '1', 'PX', 60_000), withinMs, noAnswer)
    } catch (error) {
      return onFailure(error)
    }
    if (isWarned) log.info('Redis is available again: all processes count limits together')
    isWarned = false
    isAvailable = true
  }
  /**
   * The first run of a script over a connection sends its text, and later runs send its digest. So Redis knows the digest,
   * no script has to be sent a second time, and scripts run in the order in which they are called.
   */
  const runScript = async (script: Script, given: string[], keyCount: number) => {
    if (!sent.has(script)) {
      sent.add(script)
      return redis.eval(script.lua, keyCount, ...given)
    }
    try {
      return await redis.evalsha(script.sha1, keyCount, ...given)
    } catch (error) {
      // The script cache of Redis was emptied.
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error
      return redis.eval(script.lua, keyCount, ...given)
    }
  }
  const startCheck = () => {
    check ??= checkOnce().finally(() => (check = undefined))
  }
  redis.on('error', onFailure)
  redis.on('close', () => {
    sent.clear()
    onFailure(new Error('The connection to Redis has ended'))
  })
  redis.on('ready', startCheck)
  const timer = setInterval(() => {
    if (!isAvailable && redis.status === 'ready') startCheck()
  }, retryMs).unref()

  // Wait for the connection, so that the first requests can use Redis.
  const startedAt = performance.now()
  while (!isAvailable && !isWarned && performance.now() - startedAt < startWithinMs) await delay(5)
  if (!isAvailable) onFailure(new Error('Redis did not answer'))

  return {
    run: async (script, keys, args) => {
      if (!isAvailable) return undefined
      try {
        return await inTime(
          runScript(script, [...keys, ...args.map(String)], keys.length),
          withinMs,
          noAnswer,
        )
      } catch (error) {
        onFailure(error)
        return undefined
      }
    },
    close: async () => {
      isClosed = true
      clearInterval(timer)
      redis.disconnect()
      await check
    },
  }
}
