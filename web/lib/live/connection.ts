import { liveRoomsMax, type LiveEventName, livePath } from '#contract/live/events.ts'

/** An event as it is passed around: its place in the stream, and its content as JSON. */
export interface Told {
  name: LiveEventName
  data: string
  id: string
}

interface Listening {
  hear: (told: Told) => void
  /** The stream is interrupted, and will come back by itself. */
  lose: () => void
}

const names: LiveEventName[] = [
  'ready',
  'room.message',
  'room.joined',
  'room.presence',
  'room.writing',
  'room.expired',
  'room.deleted',
  'reset',
]

const [firstPauseMs, longestPauseMs] = [1000, 30_000]

/** One stream that comes back by itself, from where it was, also when the server has refused it for a while. */
export class Connection {
  readonly #listening: Listening
  #source: EventSource | undefined
  #address = ''
  #failures = 0
  #again: ReturnType<typeof setTimeout> | undefined
  #lastId = ''

  constructor(listening: Listening) {
    this.#listening = listening
  }

  /**
   * Listens to these rooms as this person, from a place on; with no rooms to nothing. Answers whether a stream is opened
   * for that.
   */
  listen(rooms: readonly string[], as: string, lastId: string): boolean {
    this.#lastId = lastId
    const address = rooms.length === 0 ? '' : `${livePath}?rooms=${rooms.slice(0, liveRoomsMax).join(',')}`
    if (this.#address === `${address} ${as}`) return false
    this.close()
    if (rooms.length === 0) return false
    this.#address = `${address} ${as}`
    this.#open()
    addEventListener('online', this.#openNow)
    return true
  }

  close(): void {
    removeEventListener('online', this.#openNow)
    clearTimeout(this.#again)
    this.#source?.close()
    this.#source = undefined
    this.#address = ''
    this.#failures = 0
  }

  /** Also in the place of a stream that still looks open: on another network it may be dead. */
  readonly #openNow = () => {
    this.#source?.close()
    this.#open()
  }

  #open() {
    clearTimeout(this.#again)
    const [address] = this.#address.split(' ')
    const source = new EventSource(
      `${address}${this.#lastId && `&after=${encodeURIComponent(this.#lastId)}`}`,
    )
    this.#source = source
    for (const name of names) {
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        if (source !== this.#source) return
        if (name === 'ready') this.#failures = 0
        this.#lastId = lastEventId
        this.#listening.hear({ name, data, id: lastEventId })
      })
    }
    source.addEventListener('error', () => {
      if (source !== this.#source) return
      this.#listening.lose()
      // A browser comes back by itself after a lost line, but never after a refusal.
      if (source.readyState !== EventSource.CLOSED) return
      this.#source = undefined
      const pauseMs = Math.min(firstPauseMs * 2 ** this.#failures++, longestPauseMs)
      this.#again = setTimeout(this.#openNow, pauseMs * (0.5 + Math.random() / 2))
    })
  }
}
