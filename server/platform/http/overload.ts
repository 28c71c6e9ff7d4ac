import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Pool } from 'pg'

const maxInWork = 500
const sampleMs = 500
/** Fewer slow samples in a row may be an accident. */
const slowSamples = 3

type EventLoopDelay = Pick<ReturnType<typeof monitorEventLoopDelay>, 'mean' | 'enable' | 'disable' | 'reset'>

/** Watches the load of the process (R14): the delay of its event loop and the number of requests in work. */
export function watchLoad(
  maxDelayMs = 200,
  delay: EventLoopDelay = monitorEventLoopDelay({ resolution: 10 }),
) {
  delay.enable()
  let slow = 0
  let inWork = 0
  const timer = setInterval(() => {
    slow = delay.mean / 1e6 > maxDelayMs ? slow + 1 : 0
    delay.reset()
  }, sampleMs)
  timer.unref()
  return {
    begin: () => void inWork++,
    end: () => void inWork--,
    get isOverloaded() {
      return slow >= slowSamples || inWork > maxInWork
    },
    stop: () => {
      clearInterval(timer)
      delay.disable()
    },
  }
}

const tickMs = 50
/** The speed of the pool is measured over this time. */
const measuredTicks = 10
/** A request waits for a connection twice: for its session and for its change. */
const maxWaitMs = 150
/** So many may always wait. The pool has 20 connections, so the queue does not run dry while callers are refused. */
const alwaysMayWait = 40

type WatchedPool = Pick<Pool, 'on' | 'off' | 'waitingCount'>

/**
 * Watches the queue for connections of the database (R14). The wait of a new request follows from the length of the queue
 * and from how many connections the pool gave out lately. A burst of requests after a quiet time is admitted whole.
 */
export function watchQueue(pool: WatchedPool) {
  const given = Array.from({ length: measuredTicks }, () => 0)
  let isFull = false
  const count = () => void given[0]!++
  pool.on('acquire', count)

  /** How many may wait such that the last of them waits so long. */
  const longestFor = (waitMs: number) =>
    Math.max(
      alwaysMayWait,
      (given.slice(1).reduce((sum, each) => sum + each) * waitMs) / (tickMs * (measuredTicks - 1)),
    )

  const timer = setInterval(() => {
    given.pop()
    given.unshift(0)
    const longest = longestFor(maxWaitMs)
    // The queue stays full until it is half empty, so that it does not fill again between two ticks.
    isFull = pool.waitingCount > (isFull ? longest / 2 : longest)
  }, tickMs).unref()

  return {
    /** Whether a new request would wait too long. The limit of a caller who has few requests in work is twice as high. */
    isTooLong: (hasFew: boolean) =>
      isFull && pool.waitingCount > longestFor(hasFew ? 2 * maxWaitMs : maxWaitMs),
    stop: () => {
      clearInterval(timer)
      pool.off('acquire', count)
    },
  }
}
