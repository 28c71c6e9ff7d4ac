import { type LiveEventName, liveRoomsMax, livePath } from '#contract/live/events.ts'

/** A message of the stream: its event name, its content as JSON, and the cursor after it. */
export interface StreamMessage {
  name: LiveEventName
  data: string
  id: string
}

interface Handlers {
  onMessage: (message: StreamMessage) => void
  /** The stream is interrupted, and will reconnect by itself. */
  onDisconnect: () => void
}

/** A record, so that an event name that is missing here does not compile. */
const names: Record<LiveEventName, true> = {
  ready: true,
  'room.message': true,
  'room.joined': true,
  'room.presence': true,
  'room.writing': true,
  'room.expired': true,
  'room.deleted': true,
  reset: true,
}

const [firstPauseMs, longestPauseMs] = [1000, 30_000]

/** One stream. It reconnects by itself and resumes after the last message that it received, also after a refusal. */
export class Connection {
  readonly #handlers: Handlers
  #source: EventSource | undefined
  #url = ''
  #personId = ''
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #lastId = ''

  constructor(handlers: Handlers) {
    this.#handlers = handlers
  }

  /**
   * Subscribes to these rooms in the session of this person, and resumes after the message `lastId`. Without rooms it
   * closes the stream. Returns whether it opens a new stream.
   */
  subscribe(rooms: readonly string[], personId: string, lastId: string): boolean {
    this.#lastId = lastId
    const url = rooms.length === 0 ? '' : `${livePath}?rooms=${rooms.slice(0, liveRoomsMax).join(',')}`
    if (this.#url === url && this.#personId === personId) return false
    this.close()
    if (rooms.length === 0) return false
    this.#url = url
    this.#personId = personId
    this.#open()
    addEventListener('online', this.#reopen)
    return true
  }

  close(): void {
    removeEventListener('online', this.#reopen)
    clearTimeout(this.#retry)
    this.#source?.close()
    this.#source = undefined
    this.#url = ''
    this.#personId = ''
    this.#failures = 0
  }

  /** Replaces a stream that still looks open, too: after a change of the network it may be dead. */
  readonly #reopen = () => {
    this.#source?.close()
    this.#open()
  }

  #open() {
    clearTimeout(this.#retry)
    const after = this.#lastId && `&after=${encodeURIComponent(this.#lastId)}`
    const source = new EventSource(this.#url + after)
    this.#source = source
    for (const name of Object.keys(names) as LiveEventName[]) {
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        if (source !== this.#source) return
        if (name === 'ready') this.#failures = 0
        this.#lastId = lastEventId
        this.#handlers.onMessage({ name, data, id: lastEventId })
      })
    }
    source.addEventListener('error', () => {
      if (source !== this.#source) return
      this.#handlers.onDisconnect()
      // A browser reconnects by itself after a lost connection, but never after a refusal.
      if (source.readyState !== EventSource.CLOSED) return
      this.#source = undefined
      const pauseMs = Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs)
      this.#retry = setTimeout(this.#reopen, pauseMs * (0.5 + Math.random() / 2))
    })
  }
}
