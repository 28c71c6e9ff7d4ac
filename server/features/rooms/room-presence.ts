import type { Database } from '#server/platform/database/pool.ts'
import { registeredIdOf } from '#server/platform/http/endpoints/policy.ts'
import type { Presence } from '#server/platform/live/presence.ts'
import { bodyOf, type Stream } from '#server/platform/live/stream.ts'
import type { Topic } from '#server/platform/live/topic.ts'
import { listPeopleWhoShowPresence, type ReadableRoom } from './live-queries.ts'

interface StreamPresence {
  /** Null for visitors and guests, whose presence is not counted. */
  personId: string | null
  showsPresence: boolean
  /** By room the number of people that was sent to the stream last. */
  sentCounts: Map<string, number>
}

interface Deps {
  database: Database
  presence: Presence
}

/** Counts the people in each room who let others see their presence, and sends the counts to the streams. */
export class RoomPresence {
  readonly #streams = new Map<Stream, StreamPresence>()
  readonly #deps: Deps
  #polls = 0

  constructor(deps: Deps) {
    this.#deps = deps
  }

  subscribe(stream: Stream, { id, showsPresence }: ReadableRoom): void {
    const known = this.#streams.getOrInsertComputed(stream, () => ({
      personId: registeredIdOf(stream.viewer),
      showsPresence,
      sentCounts: new Map(),
    }))
    known.sentCounts.set(id, -1)
    if (known.showsPresence && known.personId !== null) this.#deps.presence.enter(id, known.personId)
  }

  unsubscribe(stream: Stream, roomId: string): void {
    const known = this.#streams.get(stream)
    if (known === undefined) return
    if (known.showsPresence && known.personId !== null) this.#deps.presence.leave(roomId, known.personId)
    known.sentCounts.delete(roomId)
    if (known.sentCounts.size === 0) this.#streams.delete(stream)
  }

  /** The current count, for a stream that subscribes. */
  firstBody(stream: Stream, roomId: string): string {
    const count = this.#deps.presence.count(roomId)
    this.#streams.get(stream)?.sentCounts.set(roomId, count)
    return countBody(roomId, count)
  }

  /** Sends the count of a room to the streams to which another count was sent. */
  async sendCount(room: Topic): Promise<void> {
    const count = this.#deps.presence.count(room.id)
    const isOutdated = (stream: Stream) => this.#streams.get(stream)?.sentCounts.get(room.id) !== count
    for (const stream of await room.send(countBody(room.id, count), isOutdated))
      this.#streams.get(stream)?.sentCounts.set(room.id, count)
  }

  /** Reads the settings of all people who do not show their presence, and of one of five parts of the others. */
  async pollSettings(): Promise<void> {
    this.#polls++
    const checked = [...this.#streams.values()].flatMap((known, i) =>
      known.personId === null || (known.showsPresence && i % settingsParts !== this.#polls % settingsParts)
        ? []
        : [{ known, personId: known.personId }],
    )
    if (checked.length === 0) return
    const personIds = [...new Set(checked.map(({ personId }) => personId))]
    const shown = new Set(await listPeopleWhoShowPresence(this.#deps.database, personIds))
    for (const { known, personId } of checked) {
      const showsPresence = shown.has(personId)
      if (known.showsPresence === showsPresence) continue
      known.showsPresence = showsPresence
      for (const roomId of known.sentCounts.keys())
        this.#deps.presence[showsPresence ? 'enter' : 'leave'](roomId, personId)
    }
  }
}

/** `pollSettings` runs every second, so the settings of each person are read about every 5 s. */
const settingsParts = 5

const countBody = (roomId: string, count: number) => bodyOf('room.presence', { roomId, count })
