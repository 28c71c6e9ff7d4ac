/** What time it is. The database follows the same clock through `app_now()`. */
export interface Clock {
  now(): Date
  /** How far this clock is ahead of the real time; always 0 outside of tests. */
  readonly offsetMs: number
}

export const systemClock: Clock = { now: () => new Date(), offsetMs: 0 }

export interface TestClock extends Clock {
  advance(ms: number): void
  set(instant: string | Date): void
}

/** A clock that runs on from `start` and can be moved. */
export function testClock(start: string | Date): TestClock {
  let offsetMs = 0
  const set = (instant: string | Date) => {
    const time = new Date(instant).getTime()
    if (Number.isNaN(time)) throw new Error(`Not an instant: ${String(instant)}`)
    offsetMs = time - Date.now()
  }
  set(start)
  return {
    now: () => new Date(Date.now() + offsetMs),
    get offsetMs() {
      return offsetMs
    },
    advance(ms) {
      offsetMs += ms
    },
    set,
  }
}
