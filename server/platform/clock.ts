/** What time it is. The database follows the same clock through `app_now()`. */
export interface Clock {
  now(): Date
  /** Milliseconds that only grow, whatever happens to the clock of the host: for limits, waits and ages in memory. */
  monotonicMs(): number
  /** How far the time of the database is ahead of the real time; always 0 outside of tests. */
  readonly offsetMs: number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  offsetMs: 0,
}

export interface TestClock extends Clock {
  /** Lets time go by, for the host and the database alike. */
  advance(ms: number): void
  set(instant: string | Date): void
  /** Steps the clock of the host, the one of the database, or both; monotonic time goes on. */
  step(ms: { host?: number; database?: number }): void
}

/** A clock that runs on from `start` and can be moved. */
export function testClock(start: string | Date): TestClock {
  let movedMs = 0
  let advancedMs = 0
  let hostMs = 0
  let databaseMs = 0
  const set = (instant: string | Date) => {
    const time = new Date(instant).getTime()
    if (Number.isNaN(time)) throw new Error(`Not an instant: ${String(instant)}`)
    const before = movedMs
    movedMs = time - Date.now()
    advancedMs += movedMs - before
  }
  set(start)
  advancedMs = 0
  return {
    now: () => new Date(Date.now() + movedMs + hostMs),
    monotonicMs: () => performance.now() + advancedMs,
    get offsetMs() {
      return movedMs + databaseMs
    },
    advance(ms) {
      movedMs += ms
      advancedMs += ms
    },
    set,
    step({ host = 0, database = 0 }) {
      hostMs += host
      databaseMs += database
    },
  }
}
