import { setImmediate as nextTurn } from 'node:timers/promises'
import { bodyOf, type Stream } from '#server/platform/live/stream.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { findRoomNews, listMemberSessions, type LiveRoom, type RoomEvent } from './live-queries.ts'
import { waitForLastPassages } from './queries.ts'

/** One stream in one room. */
export interface Reader {
  stream: Stream
  /** The newest event that was sent to it. */
  cursor: number
  /** Whether the end of the room was sent to it. */
  knowsEnd: boolean
  /** The number of people in the room that was sent to it last. */
  count: number | undefined
}

interface Deps {
  database: Database
  onLeave: (channel: Channel, reader: Reader) => void
  onFailure: (error: unknown) => void
}

/** A room with its readers in this process. New events are read from the database once for all readers that are in sync. */
export class Channel {
  readonly id: string
  readonly isPublic: boolean
  readonly readers = new Set<Reader>()
  /** The readers to whom all known events were sent. */
  readonly #inSync = new Set<Reader>()
  readonly #deps: Deps
  /** The newest event that was sent to the readers in sync. */
  #cursor: number
  #isEndSent = false
  #isPolling = false
  #isPollNeeded = false

  constructor({ id, isPublic, lastEvent }: LiveRoom, deps: Deps) {
    this.id = id
    this.isPublic = isPublic
    this.#cursor = lastEvent
    this.#deps = deps
  }

  /** Whether the database has events that were not sent here. */
  isBehind({ lastEvent, isEnded }: { lastEvent: number; isEnded: boolean }): boolean {
    return lastEvent > this.#cursor || (isEnded && !this.#isEndSent)
  }

  /** Polls for new events. Polls of one room never overlap. */
  poll(): void {
    this.#isPollNeeded = true
    if (!this.#isPolling) void this.#pollWhileNeeded()
  }

  /**
   * Sends a reader the events it has missed, at least up to `lastEvent`. From then on it is in sync. After a failure its
   * stream is ended, so that the browser reconnects.
   */
  async join(reader: Reader, lastEvent = 0): Promise<void> {
    try {
      await this.#catchUp(reader, lastEvent)
    } catch (error) {
      this.#deps.onFailure(error)
      reader.stream.end()
    }
  }

  /** From here on nothing of this room is sent to the reader. */
  leave(reader: Reader): void {
    this.#inSync.delete(reader)
    if (this.readers.delete(reader)) this.#deps.onLeave(this, reader)
  }

  /** Sends all readers in sync an event that is not stored. */
  async send(body: string): Promise<void> {
    for (const reader of await this.#allowed([...this.#inSync])) reader.stream.send(body)
  }

  /** Sends the number of people to the readers that know another one. */
  async sendCount(count: number): Promise<void> {
    const outdated = [...this.#inSync].filter((reader) => reader.count !== count)
    for (const reader of await this.#allowed(outdated)) {
      reader.count = count
      reader.stream.send(this.countBody(count))
    }
  }

  countBody(count: number): string {
    return bodyOf('room.presence', { roomId: this.id, count })
  }

  async #catchUp(reader: Reader, lastEvent: number) {
    while (this.#isReading(reader) && reader.cursor < Math.max(this.#cursor, lastEvent)) {
      const news = await findRoomNews(this.#deps.database, this.id, reader.cursor)
      const [allowed] = await this.#allowed([reader])
      if (news === undefined || allowed === undefined) return
      for (const event of news.events) {
        if (!this.#isReading(reader)) return
        this.#sendEvent(reader, event.event, eventBody(event, this.id))
        await reader.stream.drained()
      }
      if (news.events.length === 0) this.#advance(reader, news.lastEvent)
    }
    if (!this.#isReading(reader)) return
    this.#inSync.add(reader)
    if (this.#isEndSent) this.#sendEnd(reader)
  }

  async #pollWhileNeeded() {
    this.#isPolling = true
    try {
      while (this.#isPollNeeded) {
        this.#isPollNeeded = false
        await this.#pollOnce()
      }
    } catch (error) {
      this.#deps.onFailure(error)
    } finally {
      this.#isPolling = false
    }
  }

  async #pollOnce() {
    const { database } = this.#deps
    let isSettled = this.#isEndSent
    while (this.readers.size > 0) {
      const news = await findRoomNews(database, this.id, this.#cursor)
      if (news === undefined) return this.#sendDeletion()
      if (news.events.length > 0) {
        await this.#sendToAll(news.events)
        continue
      }
      this.#cursor = Math.max(this.#cursor, news.lastEvent)
      if (!news.isEnded || this.#isEndSent) return
      if (isSettled) return this.#sendEndToAll()
      // A passage that was sent before the end may not be committed yet. Wait for it, and poll once more.
      await waitForLastPassages(database, this.id)
      isSettled = true
    }
  }

  async #sendToAll(events: RoomEvent[]) {
    const asked = [...this.#inSync]
    const allowed = await this.#allowed(asked)
    for (const event of events) {
      const body = eventBody(event, this.id)
      this.#cursor = event.event
      for (const [number, reader] of allowed.entries()) {
        // Thousands of readers must not block the event loop.
        if (number % readersPerTurn === readersPerTurn - 1) await nextTurn()
        if (this.#inSync.has(reader) && reader.cursor < event.event)
          this.#sendEvent(reader, event.event, body)
      }
    }
    // A reader that joined while the rights were read did not get these events. It has to catch up.
    for (const reader of this.#inSync) {
      if (reader.cursor >= this.#cursor) continue
      this.#inSync.delete(reader)
      void this.join(reader)
    }
  }

  /** The readers that still have the right to read here. The others leave the room. */
  async #allowed(asked: Reader[]): Promise<Reader[]> {
    if (this.isPublic || asked.length === 0) return asked
    const members = await listMemberSessions(this.#deps.database, this.id, asked.map(tokenHashOf))
    const [allowed, others] = [true, false].map((isMember) =>
      asked.filter((reader) => members.has(tokenHashOf(reader)) === isMember),
    )
    for (const reader of others!) this.leave(reader)
    return allowed!
  }

  #isReading(reader: Reader) {
    return this.readers.has(reader) && reader.stream.isOpen
  }

  #sendEvent(reader: Reader, event: number, body: string) {
    this.#advance(reader, event)
    reader.stream.send(body)
  }

  #advance(reader: Reader, event: number) {
    reader.cursor = Math.max(reader.cursor, event)
    storeCursor(reader, this.id)
  }

  #sendEndToAll() {
    this.#isEndSent = true
    for (const reader of this.#inSync) this.#sendEnd(reader)
  }

  #sendEnd(reader: Reader) {
    if (reader.knowsEnd) return
    reader.knowsEnd = true
    storeCursor(reader, this.id)
    reader.stream.send(bodyOf('room.expired', { roomId: this.id }))
  }

  #sendDeletion() {
    for (const reader of this.readers) {
      reader.stream.cursors.delete(cursorName(this.id))
      reader.stream.send(bodyOf('room.deleted', { roomId: this.id }))
      this.leave(reader)
    }
  }
}

/** Readers to whom an event is sent in one turn of the event loop. */
const readersPerTurn = 250

const eventBody = (event: RoomEvent, roomId: string) =>
  'passage' in event
    ? bodyOf('room.message', event.passage)
    : bodyOf('room.joined', { roomId, memberCount: event.memberCount })

const tokenHashOf = ({ stream: { viewer } }: Reader) =>
  viewer.kind === 'visitor' ? '' : viewer.session.tokenHash

/** The name of a room in the id of an event: the random end of the id of the room. */
export const cursorName = (roomId: string): string =>
  Buffer.from(roomId.slice(-12), 'hex').toString('base64url')

/** Puts the cursor of a reader in a room into the event ids of its stream. */
export const storeCursor = ({ stream, cursor, knowsEnd }: Reader, roomId: string): void =>
  void stream.cursors.set(cursorName(roomId), `${cursor.toString(36)}${knowsEnd ? '~' : ''}`)
