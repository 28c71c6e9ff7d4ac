import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import type { Bus } from '../live/bus.ts'
import type { PreparedAnswers } from './prepared-answers.ts'
import type { Prepared } from './prepared.ts'

/** A page of a list as finished bytes. */
export interface PreparedPage {
  prepared: Prepared
  nextBefore: string | undefined
  /** How long it may be kept, in milliseconds. At most the safety age, which is also the default. */
  keptMs?: number
}

interface KeptPage extends PreparedPage {
  /** In monotonic milliseconds. */
  keptUntil: number
}

/** A change by another process is visible after at most this time, also when the message about it is lost. */
const safetyAgeMs = 5000

/** The format between processes. It must not change, because processes of two versions may run at the same time. */
const DropMessage = z.object({ kind: z.literal('drop'), of: z.string(), key: z.string() })
type DropMessage = z.infer<typeof DropMessage>

interface Deps {
  answers: PreparedAnswers
  bus: Bus
  /** Names the kind of the pages. */
  kind: string
  clock: Clock
}

/** Keeps pages that are the same for all callers. Callers that arrive while a page is read wait for the same reading. */
export class SharedAnswers {
  readonly #pages
  readonly #readings = new Map<string, Promise<KeptPage | undefined>>()
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
    this.#pages = deps.answers.of<KeptPage>(deps.kind)
    deps.bus.subscribe((message) => {
      const { success, data } = z.safeParse(DropMessage, message)
      if (success && data.of === deps.kind) this.#drop(data.key)
    })
  }

  /** The kept page, or what `read` returns. Undefined is not kept. */
  async get<P extends PreparedPage | undefined>(
    key: string,
    read: () => Promise<P>,
  ): Promise<PreparedPage | P> {
    const known = this.peek(key)
    if (known !== undefined) return known
    const running = this.#readings.get(key)
    // All calls with one key pass the same `read`.
    if (running !== undefined) return running as Promise<P>
    const reading = this.#read(read, this.#pages.get(key))
    this.#readings.set(key, reading)
    try {
      const page = await reading
      if (page !== undefined && this.#readings.get(key) === reading) this.#pages.keep(key, page)
      return page as P
    } finally {
      if (this.#readings.get(key) === reading) this.#readings.delete(key)
    }
  }

  /** The page if it is kept and young enough. */
  peek(key: string): PreparedPage | undefined {
    const known = this.#pages.get(key)
    return known !== undefined && this.#deps.clock.monotonicMs() < known.keptUntil ? known : undefined
  }

  /** Call this after the commit of a change of the page. All processes drop it. */
  drop(key: string): void {
    this.#deps.bus.publish({ kind: 'drop', of: this.#deps.kind, key } satisfies DropMessage)
  }

  #drop(key: string) {
    // A running reading may have begun before the change. It answers the waiting callers and is not kept.
    this.#readings.delete(key)
    this.#pages.drop(key)
  }

  async #read(
    read: () => Promise<PreparedPage | undefined>,
    known: KeptPage | undefined,
  ): Promise<KeptPage | undefined> {
    const readAt = this.#deps.clock.monotonicMs()
    const page = await read()
    if (page === undefined) return undefined
    const keptUntil = readAt + Math.min(page.keptMs ?? safetyAgeMs, safetyAgeMs)
    // Unchanged content keeps the bytes that are already compressed.
    const prepared = known?.prepared.etag === page.prepared.etag ? known.prepared : page.prepared
    return { ...page, prepared, keptUntil }
  }
}
