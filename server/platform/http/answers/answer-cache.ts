import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { Clock } from '../../clock.ts'
import type { Bus } from '../../live/bus.ts'
import { mebibyte, memoryShare } from '../../memory.ts'
import type { Prepared } from './prepared.ts'

/** A finished answer, and how long it may be cached. */
export interface MadeAnswer {
  prepared: Prepared
  /** The cursor of the next slice, when the answer is a slice of a list. */
  nextBefore?: string | undefined
  /** How long the answer is valid. The `maxAgeMs` of its kind is the default and the maximum. 0: the answer is not cached. */
  maxAgeMs?: number | undefined
}

export interface CachedAnswer {
  readonly prepared: Prepared
  readonly nextBefore?: string | undefined
  /** The version of the content. `get` and `peek` return the answer only to callers who ask for this version. */
  readonly version: string | undefined
  /** When `make` was called, in monotonic milliseconds. */
  readonly begunAt: number
  /** In monotonic milliseconds. */
  readonly validUntil: number
}

/**
 * The kinds of changes that the cache counts. An answer that shows many things has such counts as its version, because it
 * would be costly to find the answers that show one changed thing. Each feature adds its kinds by declaration merging.
 */
export interface CountedChanges {}
export type ChangeKind = keyof CountedChanges

/**
 * How long answers are valid when their kind names no time. A change by another process is visible after at most this time,
 * also when the bus message about it is lost. The version of a kind that is cached for longer must be read from the database.
 */
const defaultMaxAgeMs = 5000

/** The bus messages. Their formats must not change, because processes of two versions may run at the same time. */
const DropMessage = z.object({ kind: z.literal('drop'), of: z.string(), key: z.string() })
type DropMessage = z.infer<typeof DropMessage>
const ChangedMessage = z.object({ kind: z.literal('changed'), of: z.string() })
type ChangedMessage = z.infer<typeof ChangedMessage>

/** The estimated bytes of an answer beside its content: key, tag, objects. */
const overheadBytes = 1024
/** A larger cache would not be hit more often. */
const mostBytes = 256 * mebibyte

interface Deps {
  /** Bytes that the process may use. */
  memory: number
  bus: Bus
  clock: Clock
}

/**
 * The cache of finished answers of all kinds, within one bound in bytes: a tenth of the available memory (R24). The answer
 * that was used least recently is evicted first. A key has one cached answer, of one version. A call for an answer that is
 * being made waits for it, so that it is made once.
 */
export class AnswerCache {
  readonly #answers: LRUCache<string, CachedAnswer>
  readonly #making = new Map<string, Promise<CachedAnswer | undefined>>()
  readonly #changes = new Map<string, number>()
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
    this.#answers = new LRUCache<string, CachedAnswer>({
      maxSize: memoryShare(1 / 10, { min: 1, max: mostBytes }, deps.memory),
      sizeCalculation: ({ prepared }) => prepared.bytes + overheadBytes,
    })
    deps.bus.subscribe((message) => {
      const dropped = z.safeParse(DropMessage, message)
      if (dropped.success) this.#drop(keyOf(dropped.data.of, dropped.data.key))
      const changed = z.safeParse(ChangedMessage, message)
      if (changed.success) this.#changes.set(changed.data.of, (this.#changes.get(changed.data.of) ?? 0) + 1)
    })
  }

  /** The answers of one kind, each with a key. An answer is valid for `maxAgeMs` after `make` was called. */
  of(kind: string, { maxAgeMs = defaultMaxAgeMs }: { maxAgeMs?: number } = {}) {
    return {
      /** The cached answer of this version if it is valid, or what `make` returns. Undefined is not cached. */
      get: <Made extends MadeAnswer | undefined>(
        key: string,
        version: string | undefined,
        make: () => Promise<Made>,
      ): Promise<CachedAnswer | Extract<Made, undefined>> =>
        this.#get(keyOf(kind, key), version, maxAgeMs, make),
      /** The cached answer of this version if it is valid. Makes none. */
      peek: (key: string, version?: string) => this.#findValid(keyOf(kind, key), version),
      /**
       * Drops the answer of a key in all processes, for kinds whose answers have no version. Call this after the commit of a
       * change that the answer shows.
       */
      drop: (key: string) => this.#deps.bus.publish({ kind: 'drop', of: kind, key } satisfies DropMessage),
    }
  }

  /** The counts of these kinds of changes in this process, as a text: a version of answers that show them. */
  versionOf(kinds: readonly ChangeKind[]): string {
    return kinds.map((kind) => this.#changes.get(kind) ?? 0).join(' ')
  }

  /** Counts a change of each kind in all processes. Call this after the commit. */
  noteChange(...kinds: ChangeKind[]): void {
    for (const kind of kinds) this.#deps.bus.publish({ kind: 'changed', of: kind } satisfies ChangedMessage)
  }

  async #get<Made extends MadeAnswer | undefined>(
    key: string,
    version: string | undefined,
    maxAgeMs: number,
    make: () => Promise<Made>,
  ): Promise<CachedAnswer | Extract<Made, undefined>> {
    const known = this.#findValid(key, version)
    if (known !== undefined) return known
    const makingKey = version === undefined ? key : keyOf(key, version)
    // All calls with one key and version need the same answer. The first one makes it for all. When it fails, all fail.
    const running = this.#making.get(makingKey)
    if (running !== undefined) return running as Promise<CachedAnswer>
    const making = this.#make(key, version, maxAgeMs, make)
    this.#making.set(makingKey, making)
    try {
      const answer = await making
      if (answer !== undefined && this.#making.get(makingKey) === making) this.#add(key, answer)
      return answer as CachedAnswer
    } finally {
      if (this.#making.get(makingKey) === making) this.#making.delete(makingKey)
    }
  }

  #findValid(key: string, version: string | undefined): CachedAnswer | undefined {
    const known = this.#answers.get(key)
    if (known === undefined || known.version !== version) return undefined
    return this.#deps.clock.monotonicMs() < known.validUntil ? known : undefined
  }

  async #make(
    key: string,
    version: string | undefined,
    maxAgeMs: number,
    make: () => Promise<MadeAnswer | undefined>,
  ): Promise<CachedAnswer | undefined> {
    const begunAt = this.#deps.clock.monotonicMs()
    const made = await make()
    if (made === undefined) return undefined
    const known = this.#answers.peek(key)?.prepared
    return {
      // Unchanged content keeps the bytes that are already compressed.
      prepared: known?.etag === made.prepared.etag ? known : made.prepared,
      nextBefore: made.nextBefore,
      version,
      begunAt,
      validUntil: begunAt + Math.min(made.maxAgeMs ?? maxAgeMs, maxAgeMs),
    }
  }

  #add(key: string, answer: CachedAnswer) {
    if (answer.validUntil <= this.#deps.clock.monotonicMs()) return
    // Two versions may be made at the same time. Keep the one that was begun later, whichever is finished first.
    if ((this.#answers.peek(key)?.begunAt ?? -Infinity) > answer.begunAt) return
    this.#answers.set(key, answer)
    // An encoding was added or dropped: insert the answer again, so that the cache counts its new size.
    answer.prepared.onResize(() => {
      if (this.#answers.peek(key) !== answer) return
      this.#answers.delete(key)
      this.#answers.set(key, answer)
    })
  }

  #drop(key: string) {
    // An answer that is being made may show the state before the change. The waiting calls get it, and it is not cached.
    this.#making.delete(key)
    this.#answers.delete(key)
  }
}

/** No kind, key or version contains the character NUL. */
const keyOf = (one: string, other: string) => `${one}\0${other}`
