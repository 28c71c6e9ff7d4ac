import { Refused } from './http/refusal.ts'

interface Bounds {
  atOnce: number
  maxWaiting: number
  /** The most waiting calls of one owner; by default `maxWaiting`. */
  maxWaitingPerOwner?: number
  /** The longest wait of a call. By default a call waits until its turn. */
  maxWaitMs?: number
}

/** Whose work it is, and how large. */
interface Claim {
  /** The person or the address of the caller. Work without an owner counts only in the common queue. */
  owner?: string | undefined
  size?: number | undefined
}

interface Waiting {
  owner: string | undefined
  size: number
  /** The number of the call in the order of arrival. */
  arrival: number
  start: () => void
  refuse: () => void
}

/** Every fourth turn goes to the oldest call: a steady stream of small work must not starve large work. */
const oldestEveryTurns = 4

const busy = () => new Refused('Unavailable', { retryAfter: 2 })

/**
 * Runs costly work, at most `atOnce` at a time. The smallest work starts first, and work of one size in the order of arrival.
 * One turn of four belongs to the work that has waited longest.
 * A call is refused with 503 when its owner has too many waiting calls, and when it has waited too long. When the whole
 * queue is full, the largest work is refused: that of the new call or one that waits.
 */
export function createSemaphore(bounds: Bounds) {
  const { atOnce, maxWaiting, maxWaitingPerOwner = maxWaiting, maxWaitMs } = bounds
  const queue: Waiting[] = []
  let running = 0
  let arrivals = 0
  let turns = 0

  const isOwnerFull = (owner: string | undefined) =>
    owner !== undefined && queue.filter((waiting) => waiting.owner === owner).length >= maxWaitingPerOwner

  async function wait({ owner, size = 0 }: Claim): Promise<void> {
    if (isOwnerFull(owner)) throw busy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const refuse = () => reject(busy())
    const call = { owner, size, arrival: arrivals++, start: resolve, refuse }
    const next = queue.findIndex((waiting) => waiting.size > size)
    queue.splice(next === -1 ? queue.length : next, 0, call)
    if (queue.length > maxWaiting) queue.pop()!.refuse()
    if (maxWaitMs === undefined) return promise
    const leave = () => {
      queue.splice(queue.indexOf(call), 1)
      refuse()
    }
    const timer = setTimeout(leave, maxWaitMs)
    return promise.finally(() => clearTimeout(timer))
  }

  function takeNext(): Waiting | undefined {
    if (queue.length === 0) return undefined
    const isForOldest = ++turns % oldestEveryTurns === 0
    const oldest = Math.min(...queue.map(({ arrival }) => arrival))
    return queue.splice(isForOldest ? queue.findIndex(({ arrival }) => arrival === oldest) : 0, 1)[0]
  }

  return async <T>(work: () => Promise<T>, claim: Claim = {}): Promise<T> => {
    if (running >= atOnce) await wait(claim)
    else running++
    try {
      return await work()
    } finally {
      const next = takeNext()
      if (next === undefined) running--
      else next.start()
    }
  }
}

/** A semaphore for each owner. It is removed when the owner has no calls, so that it takes no memory. */
export class OwnerSemaphores {
  readonly #bounds: Bounds
  readonly #owners = new Map<string, { withPermit: ReturnType<typeof createSemaphore>; calls: number }>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const entry = this.#owners.getOrInsertComputed(owner, () => ({
      withPermit: createSemaphore(this.#bounds),
      calls: 0,
    }))
    entry.calls++
    try {
      return await entry.withPermit(work)
    } finally {
      if (--entry.calls === 0) this.#owners.delete(owner)
    }
  }

  get ownerCount(): number {
    return this.#owners.size
  }
}
