import { Counts } from '../http/bounds/counts.ts'
import { clockSlackMs, nowLua, type SharedCounters } from '../shared-counters.ts'
import { Script } from '../shared-store.ts'

/** A person, an address or the process, of which at most `max` streams are open. */
export interface Owner {
  name: string
  max: number
  /** Whether the streams at all processes count. */
  isShared: boolean
}

/** The leases of a process that was killed end after this time. */
const leaseMs = 15_000
export const renewMs = 5000
const ownersPerScript = 250

interface Deps {
  /** The counters in Redis. Without them, or while Redis is unavailable, each process counts by itself (decision 20). */
  shared?: SharedCounters | undefined
  processId: string
}

/**
 * Limits the open streams of each owner. A stream holds one lease of each of its owners. For each owner, a process writes to
 * Redis how many leases the streams at this process hold, with an expiry. It writes the number itself, never a difference,
 * and again every five seconds. So the number is right again after a lost call or a restart of Redis.
 */
export class StreamLeases {
  readonly #own = new Counts()
  /** The shared owners with leases at this process. */
  readonly #owners = new Set<string>()
  /** The owners whose number is not written yet. */
  readonly #changed = new Set<string>()
  readonly #deps: Deps
  #writing: Promise<void> | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Acquires a lease of each owner, or returns the first owner that has no lease left. */
  async acquire(owners: readonly Owner[]): Promise<Owner | undefined> {
    const full = owners.find(({ name, max }) => this.#own.of(name) >= max)
    if (full !== undefined) return full
    for (const { name } of owners) this.#own.add(name)
    if (this.#deps.shared === undefined) return undefined
    const shared = owners.filter(({ isShared }) => isShared)
    for (const { name } of shared) this.#owners.add(name)
    const refused = await this.#acquireShared(shared)
    if (refused !== undefined) this.release(owners)
    return refused
  }

  release(owners: readonly Owner[]): void {
    for (const { name } of owners) this.#own.remove(name)
    if (this.#deps.shared === undefined) return
    for (const { name, isShared } of owners) if (isShared) this.#changed.add(name)
    this.#writing ??= this.#writeChanged()
  }

  /** Writes all numbers of this process again, with a new expiry. */
  async renew(): Promise<void> {
    for (const name of this.#owners) this.#changed.add(name)
    await this.whenWritten()
  }

  /** Resolves when other processes can acquire the released leases, or Redis is unavailable. */
  async whenWritten(): Promise<void> {
    await (this.#writing ??= this.#writeChanged())
  }

  async #acquireShared(owners: readonly Owner[]): Promise<Owner | undefined> {
    if (owners.length === 0) return undefined
    const numbers = owners.flatMap(({ name, max }) => [this.#own.of(name), max])
    const indexOfFull = await this.#run(
      acquireScript,
      owners.map(({ name }) => name),
      numbers,
    )
    return typeof indexOfFull === 'number' && indexOfFull >= 0 ? owners[indexOfFull] : undefined
  }

  /** Waits for the end of this turn of the event loop, so that one script writes all numbers that change in the turn. */
  async #writeChanged() {
    await new Promise(setImmediate)
    while (this.#changed.size > 0) {
      const names = [...this.#changed.keys().take(ownersPerScript)]
      for (const name of names) this.#changed.delete(name)
      for (const name of names) if (this.#own.of(name) === 0) this.#owners.delete(name)
      await this.#run(
        writeScript,
        names,
        names.map((name) => this.#own.of(name)),
      )
    }
    this.#writing = undefined
  }

  async #run(script: Script, names: readonly string[], numbers: readonly number[]) {
    const { processId, shared } = this.#deps
    if (shared === undefined) return undefined
    const keys = names.map((name) => `zimmer:streams:${shared.digestOf(name)}`)
    return shared.run(script, keys, [processId, ...numbers])
  }
}

/** For each owner a hash: the number of leases at each process, with the time at which they expire. */
const leasesLua = `${nowLua}local processId = ARGV[2]
local function write(key, count)
  if tonumber(count) == 0 then return redis.call('hdel', key, processId) end
  redis.call('hset', key, processId, string.format('%d %.0f', count, now + ${leaseMs}))
  redis.call('pexpire', key, ${leaseMs})
end
local function countOfOthers(key)
  local sum, fields = 0, redis.call('hgetall', key)
  for i = 1, #fields, 2 do
    local count, endsAt = string.match(fields[i + 1], '(%d+) (%d+)')
    endsAt = tonumber(endsAt)
    if endsAt <= now or endsAt > now + ${leaseMs + clockSlackMs} then redis.call('hdel', key, fields[i])
    elseif fields[i] ~= processId then sum = sum + count end
  end
  return sum
end
`

/** Returns the index of the first owner without a free lease, or -1. */
const acquireScript = new Script(`${leasesLua}
for i, key in ipairs(KEYS) do
  if countOfOthers(key) + ARGV[2 * i + 1] > tonumber(ARGV[2 * i + 2]) then return i - 1 end
end
for i, key in ipairs(KEYS) do write(key, ARGV[2 * i + 1]) end
return -1
`)

const writeScript = new Script(`${leasesLua}
for i, key in ipairs(KEYS) do write(key, ARGV[i + 2]) end
`)
