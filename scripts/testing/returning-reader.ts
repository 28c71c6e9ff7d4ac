import { get } from 'node:http'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { EventSourceMessage } from 'eventsource-parser'
import { livePath } from '#contract/live/events.ts'
import type { LiveEventName } from '#contract/live/events.ts'

interface Listening {
  /** May change while the reader waits to reconnect. */
  origin: () => string
  cookie?: string
  rooms?: string[]
  inbox?: string
  onEvent: (name: LiveEventName, data: unknown) => void
  /** The pause before the reader reconnects; by default the one that the server sends. */
  comeBackMs?: number
}

/** Reads a stream as the page does: it reconnects by itself and resumes after the last event that it received. */
export class ReturningReader {
  readonly #listening: Listening
  #request: ClientRequest | undefined
  #timer: NodeJS.Timeout | undefined
  #isOver = false
  #lastId: string | undefined
  #retryMs = 3000
  #servedBy: string | undefined

  constructor(listening: Listening) {
    this.#listening = listening
    this.#connect()
  }

  /** The server of the open stream, as the proxy names it; '' without a proxy. */
  get servedBy(): string | undefined {
    return this.#servedBy
  }

  get isOpen(): boolean {
    return this.#servedBy !== undefined
  }

  /** Cuts the connection. */
  cut(): void {
    this.#request?.destroy()
  }

  close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.cut()
  }

  #connect() {
    const { origin, rooms, inbox, cookie } = this.#listening
    const topics = new URLSearchParams({
      ...(rooms !== undefined && { rooms: rooms.join(',') }),
      ...(inbox !== undefined && { inbox }),
    })
    const request = get(`${origin()}${livePath}?${topics.toString()}`, {
      agent: false,
      headers: {
        accept: 'text/event-stream',
        ...(cookie !== undefined && { cookie }),
        ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }),
      },
    })
    this.#request = request
    request.on('response', (response) => this.#read(response))
    request.on('error', () => {})
    request.on('close', () => this.#comeBack())
  }

  #read(response: IncomingMessage) {
    if (response.statusCode !== 200) return void response.destroy()
    // The proxy names each server that it tried. The last one answered.
    this.#servedBy = String(response.headers['x-served-by'] ?? '')
      .split(', ')
      .at(-1)
    const parser = createParser({
      onEvent: (event) => this.#receive(event),
      onRetry: (pauseMs) => {
        this.#retryMs = pauseMs
      },
    })
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', (text: string) => parser.feed(text))
  }

  #receive({ id, event, data }: EventSourceMessage) {
    this.#lastId = id ?? this.#lastId
    if (event !== undefined && !this.#isOver)
      this.#listening.onEvent(event as LiveEventName, JSON.parse(data))
  }

  #comeBack() {
    this.#servedBy = undefined
    if (this.#isOver) return
    this.#timer = setTimeout(() => this.#connect(), this.#listening.comeBackMs ?? this.#retryMs)
  }
}
