/** Something that is open for a while and takes memory. */
export interface Held {
  bytes: number
  /** The address and the person it belongs to. */
  owners: readonly string[]
  /** A buffer shared by several: its bytes count once, and for no owner. */
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
 * Bounds what is open, in all and for each owner (R24, R25). Over a bound the oldest is evicted, because it is the
 * slowest. The newest always stays.
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
    for (const owner of held.owners) {
      const share = this.#owners.get(owner) ?? { held: new Set<H>(), bytes: 0 }
      this.#owners.set(owner, share)
      share.held.add(held)
      if (held.shared === undefined) share.bytes += held.bytes
      this.#shrink(share, held, () => share.bytes > ofOwner.bytes || share.held.size > ofOwner.count)
    }
    this.#shrink(this.#all, held, () => this.#all.bytes > bytes)
  }

  remove(held: H): void {
    if (!this.#all.held.delete(held)) return
    this.#all.bytes -= this.#end(held)
    for (const owner of held.owners) {
      const share = this.#owners.get(owner)!
      share.held.delete(held)
      if (held.shared === undefined) share.bytes -= held.bytes
      if (share.held.size === 0) this.#owners.delete(owner)
    }
  }

  #shrink({ held: open }: Share<H>, newest: H, isOver: () => boolean) {
    while (isOver()) {
      const oldest = open.values().next().value!
      if (oldest === newest) return
      this.remove(oldest)
      oldest.evict()
    }
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
