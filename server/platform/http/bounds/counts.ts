/** How many of something, or how many bytes, each owner has open. */
export class Counts {
  readonly #counts = new Map<string, number>()

  of(owner: string): number {
    return this.#counts.get(owner) ?? 0
  }

  add(owner: string, count = 1): void {
    this.#counts.set(owner, this.of(owner) + count)
  }

  remove(owner: string, count = 1): void {
    const left = this.of(owner) - count
    if (left > 0) this.#counts.set(owner, left)
    else this.#counts.delete(owner)
  }

  /** The owner with the most. */
  largest(): string | undefined {
    let [largest, most]: [string | undefined, number] = [undefined, 0]
    for (const [owner, count] of this.#counts) if (count > most) [largest, most] = [owner, count]
    return largest
  }
}
