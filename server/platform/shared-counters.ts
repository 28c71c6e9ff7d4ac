import { createHmac } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Script, SharedStore } from './shared-store.ts'

/** Counters that all processes share in Redis (decision 20). */
export class SharedCounters {
  readonly #store: SharedStore
  readonly #clock: Clock
  readonly #digestKey: Buffer

  constructor(store: SharedStore, clock: Clock, digestKey: Buffer) {
    this.#store = store
    this.#clock = clock
    this.#digestKey = digestKey
  }

  /** A keyed digest. Redis stores it instead of the address, person or account. */
  digestOf(name: string): string {
    return createHmac('sha256', this.#digestKey).update(name).digest('base64url')
  }

  /** Runs a script that begins with `nowLua`. Returns undefined while Redis is unavailable. */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    // How far a test has moved its clock: 0 outside of tests.
    const movedMs = Math.round(this.#clock.monotonicMs() - performance.now())
    return this.#store.run(script, keys, [movedMs, ...args])
  }
}

/** `now` is the time of Redis in milliseconds. The first argument of each script moves it in tests. */
export const nowLua = `
local time = redis.call('time')
local now = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
`

/** A smaller step of the clock of Redis comes from rounding or from a correction, and resets no counter. */
export const clockSlackMs = 1000

/**
 * Lua functions for maps in Redis with entries that expire. A map is a hash with the values, and a sorted set with the time
 * at which each entry expires. A full map evicts the entries that expire first.
 */
export const expiringMapLua = `${nowLua}
-- Ignores an entry that would last clearly longer than a new one: the clock of Redis has stepped back since.
local function find(map, field, longestMs)
  local endsAt = tonumber(redis.call('zscore', map .. ':ends', field))
  if endsAt and endsAt > now and endsAt <= now + longestMs + ${clockSlackMs} then
    return redis.call('hget', map, field), endsAt
  end
end

local function drop(map, field)
  redis.call('hdel', map, field)
  redis.call('zrem', map .. ':ends', field)
end

local function put(map, field, value, endsAt, longestMs, most)
  local ends = map .. ':ends'
  redis.call('hset', map, field, value)
  redis.call('zadd', ends, endsAt, field)
  redis.call('pexpire', map, longestMs)
  redis.call('pexpire', ends, longestMs)
  for _, ended in ipairs(redis.call('zrangebyscore', ends, '-inf', now, 'limit', 0, 100)) do drop(map, ended) end
  local over = redis.call('zcard', ends) - most
  if over > 0 then
    for _, first in ipairs(redis.call('zrange', ends, 0, over - 1)) do drop(map, first) end
  end
end
`
