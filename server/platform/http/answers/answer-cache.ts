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
  /** In milliseconds; at most the age of its kind, which is also the default. 0 for an answer that is not cached. */
  maxAgeMs?: number | undefined
}

export interface CachedAnswer {
  readonly prepared: Prepared
  readonly nextBefore?: string | undefined
  /** Of what the answer shows. A caller who wants another version does not get it. */
  readonly version: string | undefined
  /** When its making began, in monotonic milliseconds. */
  readonly begunAt: number
  /** In monotonic milliseconds. */
  readonly validUntil: number
}

/**
 * The kinds of changes that are counted, for answers that show much: it would be costly to know which of them show one
 * change. Each feature adds its own by declaration merging.
 */
export interface CountedChanges {}
export type Changing = keyof CountedChanges

/**
 * The age of a kind that names none. A change by another process is visible after at most this time, also when the message
 * about it is lost. The version of a kind that is cached for longer must be read from the database.
 */
const safetyAgeMs = 5000

/** The formats between processes. They must not change, because processes of two versions may run at the same time. */
const DropMessage = z.object({ kind: z.literal('drop'), of: z.string(), key: z.string() })
type DropMessage = z.infer<typeof DropMessage>
const ChangedMessage = z.object({ kind: z.literal('changed'), of: z.string() })
type ChangedMessage = z.infer<typeof ChangedMessage>

/** Estimated overhead of an answer: key, tag, objects. */
const bytesBeside = 1024
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
 * that was used least recently is evicted first. Callers who want an answer while it is made wait for the same making.
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
      sizeCalculation: ({ prepared }) => prepared.bytes + bytesBeside,
    })
    deps.bus.subscribe((message) => {
      const dropped = z.safeParse(DropMessage, message)
      if (dropped.success) this.#drop(keyOf(dropped.data.of, dropped.data.key))
      const changed = z.safeParse(ChangedMessage, message)
      if (changed.success) this.#changes.set(changed.data.of, (this.#changes.get(changed.data.of) ?? 0) + 1)
    })
  }

  /** The answers of one kind, which have keys of their own. They are valid for `maxAgeMs` after their making began. */
  of(kind: string, { maxAgeMs = safetyAgeMs }: { maxAgeMs?: number } = {}) {
    return {
      /** The cached answer of this version if it is valid, or what `make` returns. Undefined is not cached. */
      get: <Made extends MadeAnswer | undefined>(
        key: string,
        version: string | undefined,
        make: () => Promise<Made>,
      ): Promise<CachedAnswer | Extract<Made, undefined>> =>
        this.#get(keyOf(kind, key), version, maxAgeMs, make),
      /** The answer if it is cached in this version, and valid. */
      peek: (key: string, version?: string) => this.#peek(keyOf(kind, key), version),
      /** For answers without a version. Call this after the commit of a change of the answer: all processes drop it. */
      drop: (key: string) => this.#deps.bus.publish({ kind: 'drop', of: kind, key } satisfies DropMessage),
    }
  }

  /** Another text after each change of one of these. Part of the version of the answers that show them. */
  versionOf(shown: readonly Changing[]): string {
    return shown.map((each) => this.#changes.get(each) ?? 0).join(' ')
  }

  /** Call this after the commit of a change. All processes count it. */
  noteChange(...changed: Changing[]): void {
    for (const of of changed) this.#deps.bus.publish({ kind: 'changed', of } satisfies ChangedMessage)
  }

  async #get<Made extends MadeAnswer | undefined>(
    key: string,
    version: string | undefined,
    maxAgeMs: number,
    make: () => Promise<Made>,
  ): Promise<CachedAnswer | Extract<Made, undefined>> {
    const known = this.#peek(key, version)
    if (known !== undefined) return known
    const order = version === undefined ? key : keyOf(key, version)
    // All calls with one key and version make the same answer. The first one makes it for all, and its refusal is theirs.
    const running = this.#making.get(order)
    if (running !== undefined) return running as Promise<CachedAnswer>
    const making = this.#make(key, version, maxAgeMs, make)
    this.#making.set(order, making)
    try {
      const answer = await making
      if (answer !== undefined && this.#making.get(order) === making) this.#add(key, answer)
      return answer as CachedAnswer
    } finally {
      if (this.#making.get(order) === making) this.#making.delete(order)
    }
  }

  #peek(key: string, version: string | undefined): CachedAnswer | undefined {
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
    // Of two versions that were made at the same time the newer one stays, whichever was made faster.
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
    // A making that runs may have read before the change. It answers the waiting callers and is not cached.
    this.#making.delete(key)
    this.#answers.delete(key)
  }
}

/** No kind, key or version contains the sign between them. */
const keyOf = (one: string, other: string) => `${one}\0${other}`
