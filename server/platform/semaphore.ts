import { Refused } from './http/refusal.ts'

interface Bounds {
  atOnce: number
  maxWaiting: number
}

/** Runs costly work, at most `atOnce` at a time. A caller is refused with 503 when too many wait already. */
export function createSemaphore({ atOnce, maxWaiting }: Bounds) {
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
