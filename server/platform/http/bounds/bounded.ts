/** An open body, answer or stream that takes memory. */
export interface Held {
  bytes: number
  /** The person it belongs to, or the address of a caller without a session. */
  owner: string
  /** A buffer that several share. Its bytes count once, and for no owner. */
  shared?: object
  /** Ends it, because too much is open. */
  evict(): void
}

interface Bounds {
  /** Of all together. */
  bytes: number
  /** Of each owner. */
  ofOwner: { bytes: number; count: number }
}

interface Share<H> {
  held: Set<H>
  bytes: number
}

/**
 * Bounds what is open, in all and for each owner (R24, R25). Over the bound of an owner the oldest of that owner is
 * evicted, because it is the slowest. Over the bound of all it is the oldest of the owner who holds most: nobody can
 * evict people who hold less. The newest always stays.
 */
export class Bounded<H extends Held> implements Iterable<H> {
  readonly #bounds: Bounds
  readonly #all: Share<H> = { held: new Set(), bytes: 0 }
  readonly #owners = new Map<string, Share<H>>()
  readonly #holders = new Map<object, number>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  [Symbol.iterator](): Iterator<H> {
    return this.#all.held.values()
  }

  add(held: H): void {
    this.#all.held.add(held)
    this.#all.bytes += this.#begin(held)
    const { bytes, ofOwner } = this.#bounds
    const share = this.#owners.getOrInsertComputed(held.owner, () => ({ held: new Set(), bytes: 0 }))
    share.held.add(held)
    if (held.shared === undefined) share.bytes += held.bytes
    while (share.bytes > ofOwner.bytes || share.held.size > ofOwner.count)
      if (!this.#evict(oldestOf(share, held))) break
    while (this.#all.bytes > bytes) if (!this.#evict(this.#oldestOfLargest(held))) break
  }

  remove(held: H): void {
    if (!this.#all.held.delete(held)) return
    this.#all.bytes -= this.#end(held)
    const share = this.#owners.get(held.owner)!
    share.held.delete(held)
    if (held.shared === undefined) share.bytes -= held.bytes
    if (share.held.size === 0) this.#owners.delete(held.owner)
  }

  /** Answers whether there was something to evict. */
  #evict(held: H | undefined): boolean {
    if (held === undefined) return false
    this.remove(held)
    held.evict()
    return true
  }

  #oldestOfLargest(newest: H): H | undefined {
    let [largest, most]: [H | undefined, number] = [undefined, -1]
    for (const share of this.#owners.values()) {
      const oldest = oldestOf(share, newest)
      if (oldest !== undefined && share.bytes > most) [largest, most] = [oldest, share.bytes]
    }
    return largest
  }

  /** The bytes that this one adds. */
  #begin({ bytes, shared }: Held): number {
    if (shared === undefined) return bytes
    const holders = this.#holders.get(shared) ?? 0
    this.#holders.set(shared, holders + 1)
    return holders === 0 ? bytes : 0
  }

  /** The bytes that go with this one. */
  #end({ bytes, shared }: Held): number {
    if (shared === undefined) return bytes
    const holders = this.#holders.get(shared)! - 1
    if (holders > 0) {
      this.#holders.set(shared, holders)
      return 0
    }
    this.#holders.delete(shared)
    return bytes
  }
}

/** The oldest of a share, unless that is the newest of all. */
function oldestOf<H>({ held }: Share<H>, newest: H): H | undefined {
  const [oldest] = held
  return oldest === newest ? undefined : oldest
}
