import type { Clock } from '#server/platform/clock.ts'
import type { Fail } from '#server/platform/http/endpoints/handle.ts'
import { expiringMapLua, type SharedCounters } from '#server/platform/shared-counters.ts'
import { Script } from '#server/platform/shared-store.ts'

const freeFailures = 5
const longestMs = 15 * 60 * 1000
const hourMs = 60 * 60 * 1000
const failuresAnHour = 100
const maxCounters = 100_000

interface Try {
  /** The email as typed, with the stored hash of the password. After a change of the password new counters begin. */
  account: string
  address: string
  /** Names a browser that has signed in to this account before. */
  device?: string | undefined
  /** The password is public, as that of the demo account. The limit for tries from all addresses does not apply. */
  isPublic?: boolean | undefined
  fail: Fail<'SignInThrottled'>
}

/**
 * The keys of the two counters of a try: of the account from all addresses, and of the account at this address. A try on a
 * known device counts only for the device in both, and a try with a public password only for this address.
 */
interface Keys {
  everywhere: string
  here: string
}

interface Deps {
  clock: Clock
  /** False: every try is allowed, and none is counted. */
  isOn: boolean
  /** Counters of all processes in Redis. While they are left out or unavailable, this process counts alone (decision 20). */
  shared?: SharedCounters | undefined
}

/**
 * Slows down guessing of passwords (S12). For each account and address five failures are free, then the wait doubles
 * from a second to 15 minutes. An account takes 100 failures an hour from all addresses. No account is locked for good.
 * A known device has a counter of its own, so that failures elsewhere do not lock out its owner (S54).
 */
export function createThrottle({ clock, isOn, shared }: Deps) {
  const inProcess = countInProcess(clock)
  const inRedis = shared && countInRedis(shared)
  /** By key, a promise that resolves when the newest try has ended. */
  const lastTries = new Map<string, Promise<void>>()

  /**
   * Runs the tries of one key one after the other. A try counts as a failure until its result is known. Parallel tries with
   * the right password could therefore refuse each other.
   */
  const runInOrder = async (key: string, work: () => Promise<boolean>) => {
    const result = (lastTries.get(key) ?? Promise.resolve()).then(work)
    const end = result.then(
      () => undefined,
      () => undefined,
    )
    lastTries.set(key, end)
    try {
      return await result
    } finally {
      if (lastTries.get(key) === end) lastTries.delete(key)
    }
  }

  const tryOnce = async (keys: Keys, fail: Try['fail'], isRight: () => Promise<boolean>) => {
    const redisWaitMs = await inRedis?.begin(keys)
    const counters = redisWaitMs === undefined ? inProcess : inRedis!
    const waitMs = redisWaitMs ?? inProcess.begin(keys)
    if (waitMs > 0) fail('SignInThrottled', { retryAfter: Math.ceil(waitMs / 1000) })
    let result: boolean
    try {
      result = await isRight()
    } catch (error) {
      await counters.undo(keys)
      throw error
    }
    if (result) await counters.clear(keys)
    return result
  }

  return {
    /** Refuses a try that comes too early. Otherwise compares the password by `isRight`, which takes long, and returns the result. */
    async attempt({ account, address, device, isPublic, fail }: Try, isRight: () => Promise<boolean>) {
      if (!isOn) return isRight()
      // `account` is any text that a caller typed: the prefixes keep the kinds of keys apart.
      const here = device === undefined ? `at ${address} ${account}` : `device ${device}`
      const everywhere = device === undefined && !isPublic ? account : here
      const keys = { everywhere: `everywhere ${everywhere}`, here }
      return runInOrder(here, () => tryOnce(keys, fail, isRight))
    },
    /** How many counters this process has. */
    get size() {
      return inProcess.size
    },
  }
}

interface Failures {
  count: number
  /** The next try is refused before this time, in monotonic milliseconds. */
  waitsUntil: number
  /** The counter is dropped after this time. */
  endsAt: number
}

/**
 * Counts failures in this process. A try counts as a failure before its result is known, so that parallel tries stay within
 * the limit.
 */
function countInProcess(clock: Clock) {
  const counters = new Map<string, Failures>()
  const find = (key: string) => {
    const counter = counters.get(key)
    if (counter === undefined || counter.endsAt > clock.monotonicMs()) return counter
    counters.delete(key)
    return undefined
  }
  const keep = (key: string, counter: Failures) => {
    counters.delete(key)
    if (counters.size >= maxCounters) counters.delete(counters.keys().next().value!)
    counters.set(key, counter)
  }
  return {
    /** Counts a try as a failure and returns 0. A try that comes too early is not counted: returns the milliseconds to wait. */
    begin({ everywhere, here }: Keys) {
      const now = clock.monotonicMs()
      const { count: failed, waitsUntil } = find(here) ?? { count: 0, waitsUntil: 0 }
      if (waitsUntil > now) return waitsUntil - now
      const all = find(everywhere) ?? { count: 0, waitsUntil: 0, endsAt: now + hourMs }
      if (all.count >= failuresAnHour) return all.endsAt - now
      keep(everywhere, { ...all, count: all.count + 1 })
      const until = now + waitAfter(failed + 1)
      keep(here, { count: failed + 1, waitsUntil: until, endsAt: until + longestMs })
      return 0
    },
    /** Removes the counters after the right password. */
    clear({ everywhere, here }: Keys) {
      counters.delete(everywhere)
      counters.delete(here)
    },
    /** Takes back a try whose password could not be compared, because of an error. */
    undo({ everywhere, here }: Keys) {
      for (const key of [everywhere, here]) {
        const counter = find(key)
        if (counter !== undefined) Object.assign(counter, { count: counter.count - 1, waitsUntil: 0 })
      }
    },
    get size() {
      return counters.size
    },
  }
}

const waitAfter = (failures: number) =>
  failures <= freeFailures ? 0 : Math.min(longestMs, 1000 * 2 ** (failures - freeFailures - 1))

/** Like `countInProcess`, for all processes, in Redis. `begin` returns undefined while Redis is unavailable. */
function countInRedis(shared: SharedCounters) {
  const run = (script: Script, { everywhere, here }: Keys) =>
    shared.run(
      script,
      // A full map evicts the counters that end first. Those at one address end sooner, so they have their own map.
      ['zimmer:sign-in:everywhere', 'zimmer:sign-in:here'],
      [shared.digestOf(everywhere), shared.digestOf(here)],
    )
  return {
    begin: async (keys: Keys) => (await run(beginScript, keys)) as number | undefined,
    clear: (keys: Keys) => run(clearScript, keys),
    undo: (keys: Keys) => run(undoScript, keys),
  }
}

/** The value of an entry is the count and the time until which the next try waits. */
const failuresLua = `${expiringMapLua}
local everywhere, here = {map = KEYS[1], field = ARGV[2]}, {map = KEYS[2], field = ARGV[3]}
local function failures(of)
  local value, endsAt = find(of.map, of.field, ${hourMs})
  local count, waitsUntil = string.match(value or '0 0', '(%d+) (%d+)')
  return tonumber(count), tonumber(waitsUntil), endsAt
end
local function keep(of, count, waitsUntil, endsAt)
  put(of.map, of.field, string.format('%d %.0f', count, waitsUntil), endsAt, ${hourMs}, ${maxCounters / 2})
end
`

const beginScript = new Script(`${failuresLua}
local failed, waitsUntil = failures(here)
if waitsUntil > now then return waitsUntil - now end
local all, _, endsAt = failures(everywhere)
if all >= ${failuresAnHour} then return endsAt - now end
keep(everywhere, all + 1, 0, endsAt or now + ${hourMs})
failed = failed + 1
local wait = 0
if failed > ${freeFailures} then wait = math.min(${longestMs}, 1000 * 2 ^ (failed - ${freeFailures} - 1)) end
keep(here, failed, now + wait, now + wait + ${longestMs})
return 0
`)

const clearScript = new Script(`${failuresLua}
drop(everywhere.map, everywhere.field)
drop(here.map, here.field)
`)

const undoScript = new Script(`${failuresLua}
for _, of in ipairs({everywhere, here}) do
  local count, _, endsAt = failures(of)
  if endsAt then keep(of, count - 1, 0, endsAt) end
end
`)
