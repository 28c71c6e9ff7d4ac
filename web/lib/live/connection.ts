import { livePath, type StreamEvents } from '#contract/live/events.ts'
import { streamQueryOf, type Topics } from './topics.ts'

export interface ReceivedEvent {
  name: string
  /** JSON. */
  data: string
  /** The cursors of all topics after this event. */
  id: string
}

interface Handlers {
  onEvent: (event: ReceivedEvent) => void
  /** Called when the stream is interrupted. The connection will retry. */
  onDisconnect: () => void
}

interface Wanted {
  topics: Topics
  personId: string
  /** No tab reaches the person: what the stream is sent does not count as told. */
  isAway: boolean
}

/** A record, so that a missing event name does not compile. */
const streamEvents: Record<keyof StreamEvents, true> = { ready: true, reset: true }

const [firstRetryMs, maxRetryMs] = [1000, 30_000]

/**
 * Keeps one EventSource open. Retries after a lost connection and after an error response, and resumes after the last
 * event that it received.
 */
export class Connection {
  readonly #handlers: Handlers
  #source: EventSource | undefined
  #url = ''
  #events: readonly string[] = []
  #personId = ''
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  #lastEventId = ''

  constructor(handlers: Handlers) {
    this.#handlers = handlers
  }

  /**
   * Opens a new stream when what is wanted changed, and resumes after the event `lastEventId`. The cookie decides
   * whose session the stream has. Closes the stream when there are no topics. Returns whether a new stream is opened.
   */
  subscribe({ topics, personId, isAway }: Wanted, lastEventId: string): boolean {
    this.#lastEventId = lastEventId
    const parameters = streamQueryOf(topics)
    const url = parameters === '' ? '' : `${livePath}?${parameters}${isAway ? '&isAway=true' : ''}`
    if (this.#url === url && this.#personId === personId) return false
    this.close()
    if (url === '') return false
    this.#url = url
    this.#events = [...Object.keys(streamEvents), ...Object.values(topics).flatMap(({ events }) => events)]
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

  /**
   * Closes the current stream and opens a new one. After `online` the old connection may be broken without an error,
   * because the network has changed.
   */
  readonly #reopen = () => {
    this.#source?.close()
    this.#open()
  }

  #open() {
    clearTimeout(this.#retry)
    // `after` is for the first request. When the browser reconnects by itself it sends `Last-Event-ID`, which the server
    // prefers.
    const after = this.#lastEventId && `&after=${encodeURIComponent(this.#lastEventId)}`
    const source = new EventSource(this.#url + after)
    this.#source = source
    for (const name of this.#events) {
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        if (source !== this.#source) return
        if (name === 'ready') this.#failures = 0
        this.#lastEventId = lastEventId
        this.#handlers.onEvent({ name, data, id: lastEventId })
      })
    }
    source.addEventListener('error', () => {
      if (source !== this.#source) return
      this.#handlers.onDisconnect()
      // `EventSource` retries after a lost connection. After an error response it is CLOSED, so retry here.
      if (source.readyState !== EventSource.CLOSED) return
      this.#source = undefined
      const retryMs = Math.min(firstRetryMs * 2 ** this.#failures++, maxRetryMs)
      this.#retry = setTimeout(this.#reopen, retryMs * (0.5 + Math.random() / 2))
    })
  }
}
