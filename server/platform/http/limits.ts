import type { Clock } from '../clock.ts'
import { Refused } from './refusal.ts'

/** At most `count` in `seconds`, for each key. */
export interface LimitRule {
  name: string
  count: number
  seconds: number
  /** Whose count it is. Limits by address do not hold for direct connections of this machine. */
  by: 'address' | 'person'
}

const maxCounters = 100_000

/** Counters in fixed windows; the oldest make room, and a crash may lose them (S47, R2). */
export class Limits {
  /** Windows end by monotonic time: a step of the host's clock makes nobody wait longer. */
  readonly #counters = new Map<string, { used: number; endsAt: number }>()
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
    const id = `${rule.name} ${key}`
    const counter = this.#counters.get(id)
    if (counter === undefined || counter.endsAt <= now) {
      this.#counters.delete(id)
      if (this.#counters.size >= maxCounters) this.#counters.delete(this.#counters.keys().next().value!)
      this.#counters.set(id, { used: weight, endsAt: now + rule.seconds * 1000 })
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
    return this.#counters.size
  }
}
