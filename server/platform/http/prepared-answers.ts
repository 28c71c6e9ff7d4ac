import { LRUCache } from 'lru-cache'
import { mebibyte, memoryShare } from '../memory.ts'
import type { Prepared } from './prepared.ts'

/** What is kept with a finished answer. */
export interface Kept {
  prepared: Prepared
}

/** Estimated overhead of an answer: key, tag, objects. */
const bytesBeside = 1024
/** A larger cache would not be hit more often. */
const mostBytes = 256 * mebibyte

/**
 * Keeps the finished answers of all kinds within one bound in bytes, a tenth of the memory there is (R24). The answer
 * that was used least recently is evicted first.
 */
export class PreparedAnswers {
  readonly #kept: LRUCache<string, Kept>

  constructor(memory: number) {
    this.#kept = new LRUCache<string, Kept>({
      maxSize: memoryShare(1 / 10, { min: 1, max: mostBytes }, memory),
      sizeCalculation: ({ prepared }) => prepared.bytes + bytesBeside,
    })
  }

  /** The answers of one kind, which have keys of their own. */
  of<K extends Kept>(kind: string) {
    const kept = this.#kept
    return {
      get: (key: string) => kept.get(`${kind} ${key}`) as K | undefined,
      keep(key: string, value: K) {
        const named = `${kind} ${key}`
        kept.set(named, value)
        // An encoding was added or dropped: insert the answer again, so that the cache counts its new size.
        value.prepared.onResize(() => {
          if (kept.peek(named) !== value) return
          kept.delete(named)
          kept.set(named, value)
        })
      },
      drop: (key: string) => void kept.delete(`${kind} ${key}`),
    }
  }
}
