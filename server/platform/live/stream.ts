import type { ServerResponse } from 'node:http'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import type { Viewer } from '../http/endpoints/policy.ts'

/** The cursor of each topic of a stream, by its cursor name. Names and values are short and consist of letters, digits, `_`, `-` and `~`. */
export type Cursors = Map<string, string>

/** A client with more unsent bytes is disconnected (R11). */
const unsentMax = 256 * 1024
/** A client that receives no bytes for so long is disconnected (R11). */
const stalledMs = 10_000

const heartbeatMs = 15_000

/** The part of an event that is the same for all streams. Each stream adds its own event id. */
export const bodyOf = <Name extends LiveEventName>(name: Name, data: LiveEvents[Name]): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** The open stream of one browser. */
export class Stream {
  readonly viewer: Viewer
  /** The pages of the browser are in the background, and its person does not look. */
  readonly isAway: boolean
  /** The id of each event contains all cursors, so that a stream that reconnects can resume every topic. */
  readonly cursors: Cursors = new Map()
  readonly #raw: ServerResponse
  #receivedBefore = 0
  #stalledSince: number | undefined
  #lastHeartbeat: number

  constructor(
    raw: ServerResponse,
    { viewer, isAway, nowMs }: { viewer: Viewer; isAway: boolean; nowMs: number },
  ) {
    this.#raw = raw
    this.viewer = viewer
    this.isAway = isAway
    this.#lastHeartbeat = nowMs
  }

  get isOpen(): boolean {
    return !this.#raw.destroyed && !this.#raw.writableEnded
  }

  send(body: string): void {
    if (!this.isOpen) return
    this.#raw.write(`id: ${idOf(this.cursors)}\n${body}`)
    if (this.#raw.writableLength > unsentMax) this.cut()
  }

  /** Calls `listener` when the stream has ended. The stream must be open. */
  onceEnded(listener: () => void): void {
    this.#raw.once('close', listener)
  }

  /** Writes a text that is not an event: a comment, or the time to wait before a reconnect. */
  write(text: string): void {
    if (this.isOpen) this.#raw.write(text)
  }

  /** Waits until the buffer of unsent bytes is empty, or until the stream is closed. */
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

  /** Disconnects a client that has received none of its unsent bytes for 10 s. */
  cutWhenStalled(nowMs: number): void {
    const unsent = this.#raw.writableLength
    const received = (this.#raw.socket?.bytesWritten ?? 0) - unsent
    if (unsent === 0 || received !== this.#receivedBefore) this.#stalledSince = undefined
    else this.#stalledSince ??= nowMs
    this.#receivedBefore = received
    if (this.#stalledSince !== undefined && nowMs - this.#stalledSince >= stalledMs) this.cut()
  }

  /** The heartbeats of streams are due at different times, because thousands at once would delay all other work. */
  sendHeartbeatWhenDue(nowMs: number): void {
    if (nowMs - this.#lastHeartbeat < heartbeatMs) return
    this.#lastHeartbeat = nowMs
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

const idOf = (cursors: Cursors): string => [version, ...[...cursors].flat()].join('.')

/** The cursors in an event id; undefined for an id that is not of this version. */
export function cursorsOf(id: string): Cursors | undefined {
  const [first, ...parts] = id.split('.')
  if (first !== version || parts.length % 2 === 1 || !parts.every((part) => /^[\w~-]+$/.test(part)))
    return undefined
  return new Map(
    Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i]!, parts[2 * i + 1]!] as const),
  )
}
