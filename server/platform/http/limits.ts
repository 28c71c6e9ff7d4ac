import type { Clock } from '../clock.ts'
import { Refused } from './refusal.ts'

/** At most `count` in `seconds`, for each key. */
export interface LimitRule {
  /** One of a fixed set: each name has counters of its own. */
  name: string
  count: number
  seconds: number
  /** Whose count it is. Limits by address do not hold for direct connections of this machine. */
  by: 'address' | 'person'
}

/**
 * For each rule. With all rules full this is about 50 MB. Whoever makes a rule drop counters has 20,000 addresses or
 * accounts, and with them more free counts than the dropped counters held back.
 */
const maxCounters = 20_000

interface Counter {
  used: number
  endsAt: number
}

/** Counters in fixed windows; a crash may lose them (S47, R2). */
export class Limits {
  /**
   * Each rule has counters of its own, those of addresses apart from those of persons: many addresses under one rule
   * reset no other limit. Windows end by monotonic time: a step of the host's clock makes nobody wait longer.
   */
  readonly #counters = new Map<string, Map<string, Counter>>()
  readonly #clock: Clock
  readonly #isOn: boolean

  constructor({ clock, isOn }: { clock: Clock; isOn: boolean }) {
    this.#clock = clock
    this.#isOn = isOn
  }

  /** Counts one, or what it weighs; refuses with 429 and the seconds to wait once the window is used up. */
  take(rule: LimitRule, key: string, weight = 1): void {
    if (!this.#isOn) return
    const now = this.#clock.monotonicMs()
    const counters = this.#countersOf(rule)
    const counter = counters.get(key)
    if (counter === undefined || counter.endsAt <= now) {
      counters.delete(key)
      makeRoom(counters, now)
      counters.set(key, { used: weight, endsAt: now + rule.seconds * 1000 })
      return
    }
    if (counter.used + weight > rule.count) {
      throw new Refused('TooManyRequests', {
        retryAfter: Math.max(1, Math.ceil((counter.endsAt - now) / 1000)),
      })
    }
    counter.used += weight
  }

  get size(): number {
    return this.#counters.values().reduce((sum, { size }) => sum + size, 0)
  }

  #countersOf({ by, name }: LimitRule): Map<string, Counter> {
    const id = `${by} ${name}`
    let counters = this.#counters.get(id)
    if (counters === undefined) this.#counters.set(id, (counters = new Map()))
    return counters
  }
}

/** Drops the counters whose window has ended, and the oldest of a full map. All windows of a rule are of one length. */
function makeRoom(counters: Map<string, Counter>, now: number) {
  for (const [key, { endsAt }] of counters) {
    if (endsAt > now && counters.size < maxCounters) return
    counters.delete(key)
  }
}
