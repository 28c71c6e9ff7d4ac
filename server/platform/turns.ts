import { Refused } from './http/refusal.ts'

interface Bounds {
  atOnce: number
  maxWaiting: number
}

/** Lets costly work begin a few at once; who comes when too many wait is asked to come back. */
export function createTurns({ atOnce, maxWaiting }: Bounds) {
  const waiting: (() => void)[] = []
  let running = 0

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= maxWaiting) throw new Refused('Unavailable', { retryAfter: 2 })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
