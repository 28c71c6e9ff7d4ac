import { setImmediate as nextTurn } from 'node:timers/promises'
import { bodyOf, type Stream } from '#server/platform/live/stream.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { findRoomNews, listMemberSessions, type LiveRoom, type RoomEvent } from './live-queries.ts'
import { sealRoom } from './queries.ts'

/** One stream in one room. */
export interface Reader {
  stream: Stream
  /** The newest event it has been given. */
  place: number
  /** Whether it knows that the room has ended. */
  knowsEnd: boolean
  /** The number of people here that it was told last. */
  count: number | undefined
}

interface Deps {
  database: Database
  onLeave: (channel: Channel, reader: Reader) => void
  onFailure: (error: unknown) => void
}

/** A room with its readers in this process. It reads what is new once for all who are up to date. */
export class Channel {
  readonly id: string
  readonly isPublic: boolean
  /** Every reader, and those of them who are up to date. */
  readonly readers = new Set<Reader>()
  readonly #level = new Set<Reader>()
  readonly #deps: Deps
  /** The newest event that was given to all who are up to date. */
  #place: number
  #isFinal = false
  #isAwake = false
  #isWoken = false

  constructor({ id, isPublic, lastEvent }: LiveRoom, deps: Deps) {
    this.id = id
    this.isPublic = isPublic
    this.#place = lastEvent
    this.#deps = deps
  }

  /** Whether the rows say more than was told here. */
  isBehind({ lastEvent, isEnded }: { lastEvent: number; isEnded: boolean }): boolean {
    return lastEvent > this.#place || (isEnded && !this.#isFinal)
  }

  /** Reads what is new, one look at a time. */
  wake(): void {
    this.#isWoken = true
    if (!this.#isAwake) void this.#lookWhileWoken()
  }

  /**
   * Brings a reader up to date, at least to the newest event that is known of; from then on it hears what all hear.
   * One that cannot be brought there has to come back.
   */
  async join(reader: Reader, lastEvent = 0): Promise<void> {
    try {
      await this.#catchUp(reader, lastEvent)
    } catch (error) {
      this.#deps.onFailure(error)
      reader.stream.end()
    }
  }

  /** From here on the reader hears nothing of this room. */
  leave(reader: Reader): void {
    this.#level.delete(reader)
    if (this.readers.delete(reader)) this.#deps.onLeave(this, reader)
  }

  /** Tells all who are up to date what no row says. */
  async tell(body: string): Promise<void> {
    for (const reader of await this.#allowed([...this.#level])) reader.stream.send(body)
  }

  /** Tells how many people are here to whoever was told another number. */
  async tellCount(count: number): Promise<void> {
    const asked = [...this.#level].filter((reader) => reader.count !== count)
    for (const reader of await this.#allowed(asked)) {
      reader.count = count
      reader.stream.send(this.countBody(count))
    }
  }

  countBody(count: number): string {
    return bodyOf('room.presence', { roomId: this.id, count })
  }

  async #catchUp(reader: Reader, lastEvent: number) {
    while (this.#isReading(reader) && reader.place < Math.max(this.#place, lastEvent)) {
      const news = await findRoomNews(this.#deps.database, this.id, reader.place)
      const [allowed] = await this.#allowed([reader])
      if (news === undefined || allowed === undefined) return
      for (const event of news.events) {
        if (!this.#isReading(reader)) return
        this.#give(reader, event.event, eventBody(event, this.id))
        await reader.stream.drained()
      }
      if (news.events.length === 0) this.#moveTo(reader, news.lastEvent)
    }
    if (!this.#isReading(reader)) return
    this.#level.add(reader)
    if (this.#isFinal) this.#tellEnd(reader)
  }

  async #lookWhileWoken() {
    this.#isAwake = true
    try {
      while (this.#isWoken) {
        this.#isWoken = false
        await this.#look()
      }
    } catch (error) {
      this.#deps.onFailure(error)
    } finally {
      this.#isAwake = false
    }
  }

  async #look() {
    const { database } = this.#deps
    let isSealed = this.#isFinal
    while (this.readers.size > 0) {
      const news = await findRoomNews(database, this.id, this.#place)
      if (news === undefined) return this.#close()
      if (news.events.length > 0) {
        await this.#giveAll(news.events)
        continue
      }
      this.#place = Math.max(this.#place, news.lastEvent)
      if (!news.isEnded || this.#isFinal) return
      if (isSealed) return this.#tellAllEnd()
      // A passage that came in time may still be on its way to the disk: wait, and look once more.
      await sealRoom(database, this.id)
      isSealed = true
    }
  }

  async #giveAll(events: RoomEvent[]) {
    const asked = [...this.#level]
    const allowed = await this.#allowed(asked)
    for (const event of events) {
      const body = eventBody(event, this.id)
      this.#place = event.event
      for (const [number, reader] of allowed.entries()) {
        // A room of thousands must not keep everybody else waiting.
        if (number % readersPerTurn === readersPerTurn - 1) await nextTurn()
        if (this.#level.has(reader) && reader.place < event.event) this.#give(reader, event.event, body)
      }
    }
    // Who came up to date while the others were asked after was not: it reads by itself.
    for (const reader of this.#level) {
      if (reader.place >= this.#place) continue
      this.#level.delete(reader)
      void this.join(reader)
    }
  }

  /** Those of the readers who may read here at this moment; the others hear nothing more. */
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

  #give(reader: Reader, place: number, body: string) {
    this.#moveTo(reader, place)
    reader.stream.send(body)
  }

  #moveTo(reader: Reader, place: number) {
    reader.place = Math.max(reader.place, place)
    writePlace(reader, this.id)
  }

  #tellAllEnd() {
    this.#isFinal = true
    for (const reader of this.#level) this.#tellEnd(reader)
  }

  #tellEnd(reader: Reader) {
    if (reader.knowsEnd) return
    reader.knowsEnd = true
    writePlace(reader, this.id)
    reader.stream.send(bodyOf('room.expired', { roomId: this.id }))
  }

  #close() {
    for (const reader of this.readers) {
      reader.stream.places.delete(placeName(this.id))
      reader.stream.send(bodyOf('room.deleted', { roomId: this.id }))
      this.leave(reader)
    }
  }
}

/** Readers that get an event before others have their turn. */
const readersPerTurn = 250

const eventBody = (event: RoomEvent, roomId: string) =>
  'line' in event
    ? bodyOf('room.message', event.line)
    : bodyOf('room.joined', { roomId, memberCount: event.memberCount })

const tokenHashOf = ({ stream: { viewer } }: Reader) =>
  viewer.kind === 'visitor' ? '' : viewer.session.tokenHash

/** What the id of an event calls a room: the random end of its own id. */
export const placeName = (roomId: string): string =>
  Buffer.from(roomId.slice(-12), 'hex').toString('base64url')

/** Says in the ids of the stream how far the reader has come in a room. */
export const writePlace = ({ stream, place, knowsEnd }: Reader, roomId: string): void =>
  void stream.places.set(placeName(roomId), `${place.toString(36)}${knowsEnd ? '~' : ''}`)
