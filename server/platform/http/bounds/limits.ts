import type { Clock } from '../../clock.ts'
import { expiringMapLua, type SharedCounters } from '../../shared-counters.ts'
import { Script } from '../../shared-store.ts'
import { Refused } from '../refusal.ts'

/** At most `count` in `seconds`, for each key. */
export interface LimitRule {
  /** The name of the rule; each name has its own counters. */
  name: string
  count: number
  seconds: number
  /** Whether addresses or persons are counted. Limits by address do not hold for direct connections of this machine. */
  by: 'address' | 'person'
  /** Whether `REGISTRATION_ALLOWANCE` raises the count for addresses. An allowance of an admin raises all limits by address. */
  isRaisable?: true
}

/** A rule, and how much a call counts towards it: `weight`, or one. */
export type WeighedRule = LimitRule & { weight?: number }

/** A rule, and the address or person whose counter it uses. */
export interface Charge {
  rule: WeighedRule
  key: string
}

/**
 * The maximum of counters of one rule. With all rules full they take about 50 MB. Only an attacker with this many addresses or
 * accounts can make a rule drop counters. With these an attacker can already send more requests than a drop allows.
 */
const maxCounters = 20_000

interface Counter {
  used: number
  endsAt: number
}

interface Deps {
  clock: Clock
  isOn: boolean
  /** Counters of all processes in Redis. While they are left out or unavailable, this process counts alone (decision 20). */
  shared?: SharedCounters | undefined
}

/** Counters in fixed windows; a crash may lose them (S47, R2). */
export class Limits {
  /**
   * Each rule has counters of its own, those of addresses apart from those of persons: many addresses under one rule
   * reset no other limit. Windows end by monotonic time, so that a step of the host's clock makes no window longer.
   */
  readonly #counters = new Map<string, Map<string, Counter>>()
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Counts one request, or its weight, towards each rule in turn. The first rule whose window is used up refuses with 429
   * and the seconds to wait. Without a shared store it refuses at once and returns no promise.
   */
  take(charges: readonly Charge[]): Promise<void> | undefined {
    if (!this.#deps.isOn || charges.length === 0) return undefined
    if (this.#deps.shared !== undefined) return this.#takeFrom(this.#deps.shared, charges)
    this.#takeHere(charges)
    return undefined
  }

  /**
   * Counts one request and returns true. Returns false and counts nothing when its window is used up, or when Redis
   * counts: `take` decides then.
   */
  takeAtOnce(rule: LimitRule, key: string): boolean {
    if (!this.#deps.isOn) return true
    return (
      this.#deps.shared === undefined && this.#msToWait({ rule, key }, this.#deps.clock.monotonicMs()) === 0
    )
  }

  /**
   * Reduces the counters of charges that `take` has counted, to no less than 0. If the window of a charge has ended since, this
   * reduces the next window of its key, once that has begun.
   */
  async giveBack(charges: readonly Charge[]): Promise<void> {
    const { isOn, shared, clock } = this.#deps
    if (!isOn || charges.length === 0) return
    if (shared !== undefined && (await runScript(giveBackScript, shared, charges)) !== undefined) return
    for (const { rule, key } of charges) {
      const counter = this.#counters.get(idOf(rule))?.get(key)
      if (counter !== undefined && counter.endsAt > clock.monotonicMs())
        counter.used = Math.max(0, counter.used - (rule.weight ?? 1))
    }
  }

  /** How many counters this process has. */
  get size(): number {
    return this.#counters.values().reduce((sum, { size }) => sum + size, 0)
  }

  async #takeFrom(shared: SharedCounters, charges: readonly Charge[]) {
    const waitMs = await runScript(takeScript, shared, charges)
    if (waitMs === undefined) this.#takeHere(charges)
    else if (waitMs !== 0) refuse(waitMs as number)
  }

  #takeHere(charges: readonly Charge[]) {
    const now = this.#deps.clock.monotonicMs()
    for (const charge of charges) {
      const waitMs = this.#msToWait(charge, now)
      if (waitMs > 0) refuse(waitMs)
    }
  }

  /** Counts a charge and returns 0. When its window is used up, counts nothing and returns the time until the next one. */
  #msToWait({ rule, key }: Charge, now: number): number {
    const { weight = 1 } = rule
    const counters = this.#counters.getOrInsertComputed(idOf(rule), () => new Map())
    const counter = counters.get(key)
    if (counter === undefined || counter.endsAt <= now) {
      counters.delete(key)
      makeRoom(counters, now)
      counters.set(key, { used: weight, endsAt: now + rule.seconds * 1000 })
    } else if (counter.used + weight > rule.count) return counter.endsAt - now
    else counter.used += weight
    return 0
  }
}

const idOf = ({ by, name }: LimitRule) => `${by}:${name}`

function refuse(waitMs: number): never {
  throw new Refused('TooManyRequests', { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) })
}

/** Drops the counters whose window has ended, and the oldest of a full map. All windows of a rule are of one length. */
function makeRoom(counters: Map<string, Counter>, now: number) {
  for (const [key, { endsAt }] of counters) {
    if (endsAt > now && counters.size < maxCounters) return
    counters.delete(key)
  }
}

/** Returns undefined while Redis is unavailable. */
const runScript = (script: Script, shared: SharedCounters, charges: readonly Charge[]) =>
  shared.run(
    script,
    charges.map(({ rule }) => `zimmer:limit:${idOf(rule)}`),
    [
      maxCounters,
      ...charges.flatMap(({ rule, key }) => [
        shared.digestOf(key),
        rule.count,
        rule.seconds * 1000,
        rule.weight ?? 1,
      ]),
    ],
  )

/** `#takeHere` for all processes. Returns the milliseconds to wait, or 0. */
const takeScript = new Script(`${expiringMapLua}
local most = tonumber(ARGV[2])
for i, map in ipairs(KEYS) do
  local field, count, ms, weight = unpack(ARGV, 4 * i - 1, 4 * i + 2)
  count, ms, weight = tonumber(count), tonumber(ms), tonumber(weight)
  local used, endsAt = find(map, field, ms)
  if not used then put(map, field, weight, now + ms, ms, most)
  elseif used + weight > count then return endsAt - now
  else redis.call('hincrby', map, field, weight) end
end
return 0
`)

/** `giveBack` for all processes. */
const giveBackScript = new Script(`${expiringMapLua}
for i, map in ipairs(KEYS) do
  local field, _, ms, weight = unpack(ARGV, 4 * i - 1, 4 * i + 2)
  local used = find(map, field, tonumber(ms))
  if used then redis.call('hset', map, field, math.max(0, used - weight)) end
end
return 0
`)
