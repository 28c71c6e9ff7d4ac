import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { PageData } from '#contract/app/page-data.ts'
import { renderingCost, renderingMaxCost } from '#contract/app/rendering-cost.ts'
import { endOf, startChild } from './platform/child-process.ts'
import { Refused } from './platform/http/refusal.ts'
import { createSemaphore } from './platform/semaphore.ts'

/** A page to render: its address, such as `/dashboard?date=2025-06-08`, and its data. */
export interface RenderOrder {
  address: string
  data: PageData
}
/** The HTML in UTF-8; undefined when it is too long to be sent. */
type Rendered = { html: Uint8Array | undefined } | { error: unknown }
/** What the process sends: once that it takes orders, then an answer to each. */
export type FromRenderProcess = 'ready' | Rendered

interface Options {
  /** A page that takes longer fails. The most expensive page takes 0.3 s. */
  timeoutMs?: number
  /** A page that would wait longer for the pages before it is refused. */
  maxWaitMs?: number
  /** Called when the process has ended, or was ended because it took too long, with the reason. */
  onEnd?: (reason: string) => void
}

/** The heap of the process (R24). The most expensive page takes less than half of it. */
const heapMb = 128
const startTimeoutMs = 30_000
const maxWaiting = 50
/** The delay before the next process starts: after one process has ended, two, three and so on without a rendered page. */
const restartDelaysMs = [0, 1000, 2000, 4000, 8000, 16_000, 30_000]
/** So often a page may end the process or take too long. */
const maxFailures = 2
/** After this time such a page is rendered again. */
const failuresKeptMs = 60 * 60 * 1000

/**
 * Renders pages in a process of its own, one after the other, the cheapest of those that wait first. A page above the bound
 * is never given to the process (S58). While the process starts again, pages are refused at once.
 */
export class PageRenderer {
  readonly #file: string
  readonly #withPermit: ReturnType<typeof createSemaphore>
  readonly #timeoutMs: number
  readonly #onEndOfProcess: (reason: string) => void
  /**
   * How often a page ended the process or took too long, by its path and cost: the signature of an author changes neither
   * of them, and another text mostly changes the cost. Everybody can add a query that changes no text.
   */
  readonly #failures = new LRUCache<string, number>({ max: 1000, ttl: failuresKeptMs })
  readonly #firstStart = Promise.withResolvers<void>()
  #state: 'new' | 'starting' | 'ready' | 'down' | 'ended' = 'new'
  #child: ChildProcess | undefined
  #childEnd: Promise<string> | undefined
  #page: PromiseWithResolvers<Rendered> | undefined
  #restart: NodeJS.Timeout | undefined
  #endsInARow = 0

  /** `folder` is where `web/render.tsx` was built. */
  constructor(folder: string, { timeoutMs = 5000, maxWaitMs = 2000, onEnd = () => {} }: Options = {}) {
    this.#file = join(folder, 'render.js')
    this.#withPermit = createSemaphore({ atOnce: 1, maxWaiting, maxWaitMs })
    this.#timeoutMs = timeoutMs
    this.#onEndOfProcess = onEnd
  }

  get isBuilt(): boolean {
    return existsSync(this.#file)
  }

  /** False while pages would be refused because the process has ended. */
  get isAvailable(): boolean {
    return this.#state !== 'down'
  }

  /** Starts the process before the first page, so that its reader does not wait for it. */
  start(): void {
    if (this.#state === 'new' && this.isBuilt) this.#start()
  }

  /**
   * The HTML for the root element in UTF-8; undefined when the page costs too much, is too long to be sent, or has failed
   * twice. Rejects when the page fails, when it has waited too long or too many pages wait, and while the process is down.
   */
  async render(order: RenderOrder): Promise<Uint8Array | undefined> {
    const cost = renderingCost(order.data)
    const key = `${order.address.split('?')[0]} ${cost}`
    const hasFailed = () => (this.#failures.get(key) ?? 0) >= maxFailures
    if (cost > renderingMaxCost || hasFailed()) return undefined
    try {
      return await this.#withPermit(() => this.#renderOne(order), { size: cost })
    } catch (error) {
      if (!(error instanceof Failed)) throw error
      this.#failures.set(key, (this.#failures.get(key) ?? 0) + 1)
      if (hasFailed()) return undefined
      throw error
    }
  }

  async #renderOne(order: RenderOrder): Promise<Uint8Array | undefined> {
    this.start()
    await this.#firstStart.promise
    if (this.#state !== 'ready') throw new Refused('Unavailable')
    this.#page = Promise.withResolvers()
    const timer = setTimeout(() => this.#onEnd(`${order.address} took too long to render.`), this.#timeoutMs)
    try {
      this.#child!.send(order)
      const rendered = await this.#page.promise
      this.#endsInARow = 0
      if ('error' in rendered) throw rendered.error
      return rendered.html
    } finally {
      clearTimeout(timer)
      this.#page = undefined
    }
  }

  #start(): void {
    if (this.#state === 'new') this.#state = 'starting'
    try {
      this.#child = startChild(new URL('./render-process.ts', import.meta.url), {
        heapMb,
        args: [this.#file],
      })
    } catch (error) {
      return this.#onEnd((error as Error).message)
    }
    const child = this.#child
    this.#childEnd = endOf(child)
    const timer = setTimeout(() => this.#onEnd('The start took too long.'), startTimeoutMs).unref()
    child.on('message', (message: FromRenderProcess) => {
      if (message !== 'ready') return this.#page?.resolve(message)
      clearTimeout(timer)
      this.#state = 'ready'
      this.#firstStart.resolve()
    })
    void this.#childEnd.then((reason) => {
      clearTimeout(timer)
      if (this.#child === child) this.#onEnd(`The process that renders pages has ended: ${reason}`)
    })
  }

  /** Ends the process, if it has not ended by itself, and starts the next one after a delay. */
  #onEnd(reason: string): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    this.#state = 'down'
    this.#page?.reject(new Failed(reason))
    this.#firstStart.resolve()
    this.#onEndOfProcess(reason)
    const delayMs = restartDelaysMs[Math.min(this.#endsInARow++, restartDelaysMs.length - 1)]
    this.#restart = setTimeout(() => this.#start(), delayMs).unref()
  }

  async end(): Promise<void> {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    this.#state = 'ended'
    clearTimeout(this.#restart)
    this.#firstStart.resolve()
    this.#page?.reject(new Refused('Unavailable'))
    await this.#childEnd
  }
}

/** The page ended the process, or took too long. */
class Failed extends Error {}
