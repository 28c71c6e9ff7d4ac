/** An item that takes memory while it is open: a body, an answer or a stream. */
export interface Held {
  bytes: number
  /** The person whose item this is, or the address of a caller without a session. */
  owner: string
  /** A buffer that several items use. Its bytes count once, and for no owner. */
  shared?: object
  /** Ends the item, because too much is open. */
  evict(): void
}

interface Bounds {
  /** The limit of all items together. */
  bytes: number
  /** The limits of the items of one owner. */
  ofOwner: { bytes: number; count: number }
}

/** The open items of one owner, or of all, with the sum of their bytes. The sum of an owner leaves out shared buffers. */
interface OpenItems<H> {
  held: Set<H>
  bytes: number
}

/**
 * Bounds the open items, in all and for each owner (R24, R25). Over a limit of an owner the oldest item of that owner is
 * evicted, because it is the slowest. Over the limit of all the oldest item of the owner with the most bytes is evicted, so
 * that nobody can evict the items of people with fewer bytes. The newest item always stays.
 */
export class Bounded<H extends Held> implements Iterable<H> {
  readonly #bounds: Bounds
  readonly #all: OpenItems<H> = { held: new Set(), bytes: 0 }
  readonly #owners = new Map<string, OpenItems<H>>()
  readonly #holders = new Map<object, number>()

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  [Symbol.iterator](): Iterator<H> {
    return this.#all.held.values()
  }

  add(held: H): void {
    this.#all.held.add(held)
    this.#all.bytes += this.#addHolder(held)
    const { bytes, ofOwner } = this.#bounds
    const own = this.#owners.getOrInsertComputed(held.owner, () => ({ held: new Set(), bytes: 0 }))
    own.held.add(held)
    if (held.shared === undefined) own.bytes += held.bytes
    while (own.bytes > ofOwner.bytes || own.held.size > ofOwner.count)
      if (!this.#evict(oldestOf(own, held))) break
    while (this.#all.bytes > bytes) if (!this.#evict(this.#oldestOfLargest(held))) break
  }

  remove(held: H): void {
    if (!this.#all.held.delete(held)) return
    this.#all.bytes -= this.#removeHolder(held)
    const own = this.#owners.get(held.owner)!
    own.held.delete(held)
    if (held.shared === undefined) own.bytes -= held.bytes
    if (own.held.size === 0) this.#owners.delete(held.owner)
  }

  /** Returns whether there was an item to evict. */
  #evict(held: H | undefined): boolean {
    if (held === undefined) return false
    this.remove(held)
    held.evict()
    return true
  }

  #oldestOfLargest(newest: H): H | undefined {
    let [largest, most]: [H | undefined, number] = [undefined, -1]
    for (const items of this.#owners.values()) {
      const oldest = oldestOf(items, newest)
      if (oldest !== undefined && items.bytes > most) [largest, most] = [oldest, items.bytes]
    }
    return largest
  }

  /** Counts the item among those that use its shared buffer. Returns the bytes by which it raises the sum of all. */
  #addHolder({ bytes, shared }: Held): number {
    if (shared === undefined) return bytes
    const holders = this.#holders.get(shared) ?? 0
    this.#holders.set(shared, holders + 1)
    return holders === 0 ? bytes : 0
  }

  /** Undoes `#addHolder`. Returns the bytes by which the end of the item lowers the sum of all. */
  #removeHolder({ bytes, shared }: Held): number {
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

/** The oldest of these items, unless that is the newest of all. */
function oldestOf<H>({ held }: OpenItems<H>, newest: H): H | undefined {
  const [oldest] = held
  return oldest === newest ? undefined : oldest
}
