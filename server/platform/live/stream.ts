import type { ServerResponse } from 'node:http'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import type { Viewer } from '../http/policy.ts'

/** How far a stream has come, by topic: short names and values of letters, digits, `_`, `-` and `~`. */
export type Places = Map<string, string>

/** Bytes that may wait for a reader, and how long they may when it takes none (R11). */
const unsentMax = 256 * 1024
const stalledMs = 10_000

const heartbeatMs = 15_000

/** One event as it goes to every stream alike; its id is the stream's own. */
export const bodyOf = <Name extends LiveEventName>(name: Name, data: LiveEvents[Name]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** A browser that listens. */
export class Stream {
  readonly viewer: Viewer
  /** What the ids of its events say, so that one id resumes all topics. */
  readonly places: Places = new Map()
  readonly #raw: ServerResponse
  #sentBefore = 0
  #stalledSince: number | undefined
  #lastBeat: number

  constructor(raw: ServerResponse, viewer: Viewer, nowMs: number) {
    this.#raw = raw
    this.viewer = viewer
    this.#lastBeat = nowMs
  }

  get isOpen(): boolean {
    return !this.#raw.destroyed && !this.#raw.writableEnded
  }

  send(body: string): void {
    if (!this.isOpen) return
    this.#raw.write(`id: ${idOf(this.places)}\n${body}`)
    if (this.#raw.writableLength > unsentMax) this.cut()
  }

  /** Whatever is no event: comments, and how long to wait before coming back. */
  write(text: string): void {
    if (this.isOpen) this.#raw.write(text)
  }

  /** Waits until the reader has taken what was sent; also ends when the stream does. */
  async drained(): Promise<void> {
    if (!this.isOpen || !this.#raw.writableNeedDrain) return
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#raw.off('drain', go).off('close', go)
        resolve()
      }
      this.#raw.on('drain', go).on('close', go)
    })
  }

  /** Lets go a reader that takes nothing. */
  cutWhenStalled(nowMs: number): void {
    const unsent = this.#raw.writableLength
    const taken = (this.#raw.socket?.bytesWritten ?? 0) - unsent
    if (unsent === 0 || taken !== this.#sentBefore) this.#stalledSince = undefined
    else this.#stalledSince ??= nowMs
    this.#sentBefore = taken
    if (this.#stalledSince !== undefined && nowMs - this.#stalledSince >= stalledMs) this.cut()
  }

  /** Each stream at times of its own: thousands at one moment would keep everybody else waiting. */
  beatWhenDue(nowMs: number): void {
    if (nowMs - this.#lastBeat < heartbeatMs) return
    this.#lastBeat = nowMs
    this.write(': still here\n\n')
  }

  end(): void {
    if (this.isOpen) this.#raw.end()
  }

  cut(): void {
    this.#raw.destroy()
  }
}

const version = '1'

const idOf = (places: Places): string => [version, ...[...places].flat()].join('.')

/** The places that an id names; undefined for an id that is not ours. */
export function placesOf(id: string): Places | undefined {
  const [first, ...parts] = id.split('.')
  if (first !== version || parts.length % 2 === 1 || !parts.every((part) => /^[\w~-]+$/.test(part)))
    return undefined
  return new Map(
    Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i]!, parts[2 * i + 1]!] as const),
  )
}
