import type { Clock } from '../clock.ts'
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

/** A change by another process is visible after at most this time. */
const safetyAgeMs = 5000

/** Keeps pages that are the same for all their callers. Callers who come while a page is read wait for that reading. */
export class SharedAnswers {
  readonly #pages
  readonly #readings = new Map<string, Promise<KeptPage>>()
  readonly #clock: Clock

  constructor({ answers, kind, clock }: { answers: PreparedAnswers; kind: string; clock: Clock }) {
    this.#pages = answers.of<KeptPage>(kind)
    this.#clock = clock
  }

  async get(key: string, read: () => Promise<PreparedPage>): Promise<PreparedPage> {
    const known = this.#pages.get(key)
    if (known !== undefined && this.#clock.monotonicMs() < known.keptUntil) return known
    const running = this.#readings.get(key)
    if (running !== undefined) return running
    const reading = this.#read(read, known)
    this.#readings.set(key, reading)
    try {
      const page = await reading
      if (this.#readings.get(key) === reading) this.#pages.keep(key, page)
      return page
    } finally {
      if (this.#readings.get(key) === reading) this.#readings.delete(key)
    }
  }

  /** To be called after the commit of a change of the page. */
  drop(key: string): void {
    // A reading under way may have begun before the change: it answers those who wait, and is not kept.
    this.#readings.delete(key)
    this.#pages.drop(key)
  }

  async #read(read: () => Promise<PreparedPage>, known: KeptPage | undefined): Promise<KeptPage> {
    const readAt = this.#clock.monotonicMs()
    const page = await read()
    const keptUntil = readAt + Math.min(page.keptMs ?? safetyAgeMs, safetyAgeMs)
    // Unchanged content keeps the bytes that are already compressed.
    const prepared = known?.prepared.etag === page.prepared.etag ? known.prepared : page.prepared
    return { ...page, prepared, keptUntil }
  }
}
