import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Pool } from 'pg'

const maxInWork = 500
/** Requests above the first limit are those of callers with few requests in work. */
const maxInWorkForFew = 600
const sampleMs = 500
/** One or two slow samples in a row may come from a single long task. */
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
    /** Whether a new request is refused. The limit of a caller who has few requests in work is higher. */
    isOverloaded: (hasFew: boolean) => slow >= slowSamples || inWork > (hasFew ? maxInWorkForFew : maxInWork),
    stop: () => {
      clearInterval(timer)
      delay.disable()
    },
  }
}

const tickMs = 50
/** The speed of the pool is measured over so many ticks: half a second. */
const measuredTicks = 10
/** The longest wait for one connection. A request waits twice: for its session and for its change. */
const maxWaitMs = 150
/** The queue may always have this length: two for each of the 20 connections, which are never idle then. */
const alwaysMayWait = 40
/** After the queue was too long, each new request is examined for so many ticks: two seconds. */
const strictTicks = 40

type WatchedPool = Pick<Pool, 'on' | 'off' | 'waitingCount'>

/**
 * Watches the queue for connections of the database (R14). The wait of a new request is the length of the queue, divided by
 * the number of connections that the pool gives out in a second. After a quiet time the queue is examined at each tick, so
 * all requests that come between two ticks are admitted. For two seconds after a queue that was too long, each new request is
 * examined.
 */
export function watchQueue(pool: WatchedPool) {
  /** How many connections the pool gave out in each of the last ticks, the newest first. */
  const givenOutPerTick = Array.from({ length: measuredTicks }, () => 0)
  let strictFor = 0
  let [entering, waitingBefore] = [0, 0]
  const count = () => void givenOutPerTick[0]!++
  pool.on('acquire', count)

  /** The length of the queue at which its last request waits this long. */
  const longestQueueFor = (waitMs: number) =>
    Math.max(
      alwaysMayWait,
      (givenOutPerTick.slice(1).reduce((sum, each) => sum + each) * waitMs) / (tickMs * (measuredTicks - 1)),
    )

  const timer = setInterval(() => {
    givenOutPerTick.pop()
    givenOutPerTick.unshift(0)
    strictFor = pool.waitingCount > longestQueueFor(maxWaitMs) ? strictTicks : Math.max(0, strictFor - 1)
  }, tickMs).unref()

  return {
    /** Whether a new request would wait too long. The limit of a caller who has few requests in work is twice as high. */
    isTooLong: (hasFew: boolean) =>
      strictFor > 0 &&
      Math.max(pool.waitingCount, waitingBefore + entering) >
        longestQueueFor(hasFew ? 2 * maxWaitMs : maxWaitMs),
    /** Counts a request that may ask for a connection. At the end of this turn of the event loop it is in the queue. */
    enter: () => {
      if (entering++ > 0) return
      waitingBefore = pool.waitingCount
      setImmediate(() => ([entering, waitingBefore] = [0, 0]))
    },
    stop: () => {
      clearInterval(timer)
      pool.off('acquire', count)
    },
  }
}
