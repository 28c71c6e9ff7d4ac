import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PageData } from '#contract/app/page-data.ts'
import { createSemaphore } from './platform/semaphore.ts'

/** A page to render: its address, such as `/dashboard?day=2`, and its data. */
export interface RenderOrder {
  address: string
  data: PageData
}
/** The HTML in UTF-8; undefined when it is too long to be sent. */
export type Rendered = { html: Uint8Array<ArrayBuffer> | undefined } | { error: unknown }

/** A page that takes longer fails. The longest text takes a tenth of a second. */
const maxMs = 5000
const maxWaiting = 50
const maxSlow = 100
/**
 * The memory of the thread (R24). The longest text whose HTML may be sent takes less than half of the old generation. A
 * larger young generation would render no faster.
 */
const memory = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 48 }

/** Renders pages in a thread, because a long text takes longer than the event loop may wait (S51). */
export class PageRenderer {
  readonly #file: string
  readonly #withPermit = createSemaphore({ atOnce: 1, maxWaiting })
  readonly #timeoutMs: number
  /** Addresses of pages that took too long once: that may have been the start of the thread. */
  readonly #slow = new Set<string>()
  #thread: Worker | undefined

  /** `folder` is where `web/render.tsx` was built. */
  constructor(folder: string, timeoutMs = maxMs) {
    this.#file = join(folder, 'render.js')
    this.#timeoutMs = timeoutMs
    // Started now, so that the first reader does not wait for the start of the thread.
    if (this.isBuilt) this.#thread = this.#start()
  }

  get isBuilt(): boolean {
    return existsSync(this.#file)
  }

  /**
   * The HTML for the root element in UTF-8; undefined when it is too long to be sent, takes too much memory, or took too long twice.
   * Rejects when the page fails, takes too long for the first time, or too many pages wait.
   */
  render(order: RenderOrder): Promise<Uint8Array | undefined> {
    return this.#withPermit(() => this.#renderOne(order))
  }

  async #renderOne(order: RenderOrder): Promise<Uint8Array | undefined> {
    const thread = (this.#thread ??= this.#start())
    const { promise, resolve, reject } = Promise.withResolvers<Rendered>()
    const onExit = () => reject(new Error('The thread that renders pages has ended.'))
    const timer = setTimeout(() => reject(new TookTooLong(order.address)), this.#timeoutMs)
    thread.once('message', resolve).once('error', reject).once('exit', onExit)
    thread.postMessage(order)
    const rendered = await promise
      .catch(async (error: unknown) => {
        // The next page gets another thread.
        await this.end()
        const isSlowAgain = error instanceof TookTooLong && this.#isSlowAgain(order.address)
        if (isSlowAgain || isOutOfMemory(error)) return { html: undefined }
        throw error
      })
      .finally(() => {
        clearTimeout(timer)
        thread.off('message', resolve).off('error', reject).off('exit', onExit)
      })
    if ('error' in rendered) throw rendered.error
    return rendered.html
  }

  /** A page that is slow each time would otherwise keep the thread from all others, one reader after the other. */
  #isSlowAgain(address: string): boolean {
    if (this.#slow.delete(address)) return true
    if (this.#slow.size >= maxSlow) this.#slow.clear()
    this.#slow.add(address)
    return false
  }

  #start(): Worker {
    const thread = new Worker(new URL('./render-thread.ts', import.meta.url), {
      workerData: this.#file,
      resourceLimits: memory,
    })
    // Without a listener an error would end the process. `#renderOne` handles errors.
    thread.on('error', () => {})
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    thread.unref()
    return thread
  }

  async end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }
}

const isOutOfMemory = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'

class TookTooLong extends Error {
  constructor(address: string) {
    super(`${address} took too long to render.`)
  }
}
