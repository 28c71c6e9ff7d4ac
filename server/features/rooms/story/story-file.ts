import { once } from 'node:events'
import { endOf, startChild } from '#server/platform/child-process.ts'
import { unavailable } from '#server/platform/http/refusal.ts'
import { passageBytes } from '../policy.ts'
import type { StoryPassage } from './story-queries.ts'
import { type StoryOrder, writeStory } from './write-story.ts'

/**
 * The file of a story that counts for so many bytes (`story_bytes`) is made within a few milliseconds, faster than a
 * process starts.
 */
export const shortStoryBytes = 64 * 1024

interface Bounds {
  timeMs: number
  heapMb: number
}
/**
 * A book of the longest story takes some 6 s. One of blank lines alone takes some 500 MB of heap, and more with characters
 * beyond Latin-1, which make its strings twice as large (R24).
 */
const enough: Bounds = { timeMs: 60_000, heapMb: 768 }

/**
 * Makes the file of a story. For a long story a process of its own makes it, because the longest takes seconds (S51) and
 * hundreds of megabytes. When this process fails, `add` and `make` refuse, and `onFailure` gets the reason.
 */
export class StoryMaker {
  readonly #order: StoryOrder
  readonly #onFailure: (reason: string) => void
  readonly #bounds: Bounds
  readonly #passages: StoryPassage[] = []
  #bytes = 0
  #process: StoryProcess | undefined

  constructor(order: StoryOrder, onFailure: (reason: string) => void, bounds: Partial<Bounds> = {}) {
    this.#order = order
    this.#onFailure = onFailure
    this.#bounds = { ...enough, ...bounds }
  }

  async add(passages: StoryPassage[]): Promise<void> {
    if (this.#process !== undefined) return this.#process.send(passages)
    this.#passages.push(...passages)
    for (const { content } of passages) this.#bytes += Buffer.byteLength(content) + passageBytes
    if (this.#bytes <= shortStoryBytes) return
    this.#process = new StoryProcess(this.#bounds, this.#onFailure)
    await this.#process.send([this.#order, ...this.#passages])
  }

  async make(): Promise<Uint8Array> {
    return this.#process?.finish() ?? writeStory(this.#order, this.#passages)
  }

  end(): void {
    this.#process?.end()
  }
}

/**
 * The process reads lines of JSON, the order and then the passages, and at the end of its input writes a line with the
 * length of the file, and the file.
 */
class StoryProcess {
  readonly #child
  readonly #onFailure
  readonly #input
  #file: Buffer | undefined
  #received = 0
  readonly #end
  readonly #timer

  constructor({ timeMs, heapMb }: Bounds, onFailure: (reason: string) => void) {
    this.#onFailure = onFailure
    try {
      this.#child = startChild(new URL('./story-process.ts', import.meta.url), { heapMb, hasPipes: true })
    } catch (error) {
      onFailure((error as Error).message)
      throw unavailable()
    }
    const late = Promise.withResolvers<string>()
    this.#end = Promise.race([endOf(this.#child), late.promise])
    this.#input = this.#child.stdin!
    this.#timer = setTimeout(() => {
      late.resolve('It took too long.')
      this.end()
    }, timeMs)
    // The process may end between two calls of `send`. Then the next call refuses.
    this.#input.on('error', () => {})
    this.#child.stdout!.on('data', (bytes: Buffer) => this.#receive(bytes))
  }

  /** Waits until the process reads, so that a long story is never whole in the memory of the server. */
  async send(values: unknown[]): Promise<void> {
    for (const slice of linesOf(values)) {
      if (!this.#input.write(slice))
        await Promise.race([once(this.#input, 'drain').catch(() => this.#end), this.#end])
      if (this.#input.destroyed) await this.#fail()
    }
  }

  async finish(): Promise<Buffer> {
    this.#input.end()
    await this.#end
    return this.#child.exitCode === 0 && this.#file?.length === this.#received ? this.#file : this.#fail()
  }

  /** The first part is the length. To join all parts at the end would keep the event loop busy for too long (S51). */
  #receive(bytes: Buffer): void {
    if (this.#file !== undefined) return void (this.#received += bytes.copy(this.#file, this.#received))
    const end = bytes.indexOf('\n')
    this.#file = Buffer.allocUnsafeSlow(Number(bytes.toString('latin1', 0, end)))
    this.#receive(bytes.subarray(end + 1))
  }

  async #fail(): Promise<never> {
    this.#onFailure(await this.#end)
    throw unavailable()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#input.destroy()
    this.#child.kill('SIGKILL')
  }
}

/** Lines of JSON in slices that are sent at once. */
function* linesOf(values: unknown[]) {
  let slice = ''
  for (const value of values) {
    slice += `${JSON.stringify(value)}\n`
    if (slice.length < sliceLength) continue
    yield slice
    slice = ''
  }
  yield slice
}

const sliceLength = 64 * 1024
