import type { Clock } from '#server/platform/clock.ts'
import { Refused } from '#server/platform/http/refusal.ts'

const freeFailures = 5
const longestMs = 15 * 60 * 1000
const hourMs = 60 * 60 * 1000
const failuresAnHour = 100
const maxCounters = 100_000

interface Failures {
  count: number
  /** Until when the next try has to wait, in milliseconds. */
  waitsUntil: number
  /** When this counter is worth nothing any more. */
  endsAt: number
}

/**
 * Slows down guessing (S12): for each account and address five failures are free, then the wait doubles from a second
 * to 15 minutes; an account takes 100 failures an hour from all addresses. Nothing is locked for good.
 */
export function createThrottle(clock: Clock) {
  const counters = new Map<string, Failures>()
  const time = () => clock.now().getTime()

  const find = (key: string) => {
    const counter = counters.get(key)
    if (counter === undefined || counter.endsAt > time()) return counter
    counters.delete(key)
    return undefined
  }
  const keep = (key: string, counter: Failures) => {
    counters.delete(key)
    if (counters.size >= maxCounters) counters.delete(counters.keys().next().value!)
    counters.set(key, counter)
  }

  return {
    /** Refuses a try that comes too early, before any password is looked at. */
    check(account: string, address: string) {
      const now = time()
      const pair = find(pairKey(account, address))
      const all = find(account)
      const waitMs = Math.max(
        (pair?.waitsUntil ?? 0) - now,
        all !== undefined && all.count >= failuresAnHour ? all.endsAt - now : 0,
      )
      if (waitMs > 0) throw new Refused('SignInThrottled', { retryAfter: Math.ceil(waitMs / 1000) })
    },
    fail(account: string, address: string) {
      const now = time()
      const pair = pairKey(account, address)
      const count = (find(pair)?.count ?? 0) + 1
      const waitMs = count <= freeFailures ? 0 : Math.min(longestMs, 1000 * 2 ** (count - freeFailures - 1))
      keep(pair, { count, waitsUntil: now + waitMs, endsAt: now + waitMs + longestMs })
      const all = find(account)
      keep(account, { count: (all?.count ?? 0) + 1, waitsUntil: 0, endsAt: all?.endsAt ?? now + hourMs })
    },
    succeed(account: string, address: string) {
      counters.delete(pairKey(account, address))
      counters.delete(account)
    },
  }
}

export type Throttle = ReturnType<typeof createThrottle>

const pairKey = (account: string, address: string) => `${account} ${address}`
