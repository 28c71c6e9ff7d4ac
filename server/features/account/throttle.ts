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

interface Try {
  /** The account as it was typed, with what changes when its password does. */
  account: string
  address: string
  /** Names a browser that has signed in to this account before. */
  device?: string | undefined
  /** The password is public, as that of the demo account: there is nothing to guess. */
  isPublic?: boolean | undefined
}

/**
 * Slows down guessing (S12): for each account and address five failures are free, then the wait doubles from a second
 * to 15 minutes; an account takes 100 failures an hour from all addresses. Nothing is locked for good. A known device
 * is counted by itself alone, so that failures elsewhere do not keep its owner out (S54).
 */
export function createThrottle({ clock, isOn }: { clock: Clock; isOn: boolean }) {
  const counters = new Map<string, Failures>()
  /** The end of the last try in work, for each account and address. */
  const lastTries = new Map<string, Promise<void>>()
  const time = () => clock.monotonicMs()

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
  const refuseUntil = (instant: number) => {
    const waitMs = instant - time()
    if (waitMs > 0) throw new Refused('SignInThrottled', { retryAfter: Math.ceil(waitMs / 1000) })
  }

  /** One after the other: many tries at once are no way around the wait. */
  const inTurn = async (key: string, work: () => Promise<boolean>) => {
    const turn = (lastTries.get(key) ?? Promise.resolve()).then(work)
    const end = turn.then(
      () => undefined,
      () => undefined,
    )
    lastTries.set(key, end)
    try {
      return await turn
    } finally {
      if (lastTries.get(key) === end) lastTries.delete(key)
    }
  }

  const tryOnce = async (everywhere: string, here: string, isRight: () => Promise<boolean>) => {
    refuseUntil(find(here)?.waitsUntil ?? -Infinity)
    const all = find(everywhere) ?? { count: 0, waitsUntil: 0, endsAt: time() + hourMs }
    if (all.count >= failuresAnHour) refuseUntil(all.endsAt)
    // Counted before it is known, so that tries from many addresses at once stay within the hundred.
    all.count++
    keep(everywhere, all)
    let isKnown = false
    try {
      const result = await isRight()
      isKnown = true
      if (result) {
        counters.delete(here)
        counters.delete(everywhere)
      } else failed(here)
      return result
    } finally {
      if (!isKnown) all.count--
    }
  }
  const failed = (here: string) => {
    const count = (find(here)?.count ?? 0) + 1
    const waitMs = count <= freeFailures ? 0 : Math.min(longestMs, 1000 * 2 ** (count - freeFailures - 1))
    const waitsUntil = time() + waitMs
    keep(here, { count, waitsUntil, endsAt: waitsUntil + longestMs })
  }

  return {
    /** Lets a password be compared, or refuses a try that comes too early before any work. */
    async attempt({ account, address, device, isPublic }: Try, isRight: () => Promise<boolean>) {
      if (!isOn) return isRight()
      // An account is any text that was typed: what stands before it keeps the two kinds apart.
      const here = device === undefined ? `at ${address} ${account}` : `device ${device}`
      const everywhere = device === undefined && !isPublic ? account : here
      return inTurn(here, () => tryOnce(`everywhere ${everywhere}`, here, isRight))
    },
    get size() {
      return counters.size
    },
  }
}
