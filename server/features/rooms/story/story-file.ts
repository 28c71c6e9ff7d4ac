import { Worker } from 'node:worker_threads'
import type { StoryPassage } from './story-queries.ts'
import { type StoryOrder, writeStory } from './write-story.ts'

/** Pages of passages, then the order. */
export type ToStoryThread = StoryPassage[] | StoryOrder

/** The file of a story of so many letters is made within a few milliseconds, faster than a thread starts. */
const shortLength = 50_000

/** Makes the file of a story. For a long story a thread makes it, because the longest takes seconds (S51). */
export class StoryMaker {
  readonly #passages: StoryPassage[] = []
  #length = 0
  #thread: StoryThread | undefined

  add(passages: StoryPassage[]): void {
    this.#length += passages.reduce((sum, { content }) => sum + content.length, 0)
    if (this.#length > shortLength && this.#thread === undefined) {
      this.#thread = new StoryThread()
      this.#thread.add(this.#passages)
    }
    if (this.#thread === undefined) this.#passages.push(...passages)
    else this.#thread.add(passages)
  }

  make(order: StoryOrder): Promise<Uint8Array> | Uint8Array {
    return this.#thread?.make(order) ?? writeStory(order, this.#passages)
  }

  async end(): Promise<void> {
    await this.#thread?.end()
  }
}

class StoryThread {
  readonly #worker = new Worker(new URL('./story-thread.ts', import.meta.url))
  readonly #made: Promise<Uint8Array>

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    this.#worker.once('message', resolve)
    this.#worker.once('error', reject)
    this.#worker.once('exit', () => reject(new Error('The thread that makes a story has ended.')))
    // The thread may fail while passages are still read. Then `make` rejects.
    promise.catch(() => {})
    this.#made = promise
  }

  add(passages: StoryPassage[]): void {
    this.#worker.postMessage(passages satisfies ToStoryThread)
  }

  make(order: StoryOrder): Promise<Uint8Array> {
    this.#worker.postMessage(order satisfies ToStoryThread)
    return this.#made
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
