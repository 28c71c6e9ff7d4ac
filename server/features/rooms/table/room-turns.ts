import { inArray } from 'drizzle-orm'
import type { RoomTurn } from '#contract/rooms/table/table.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { registeredIdOf } from '#server/platform/http/endpoints/policy.ts'
import { bodyOf, type Stream } from '#server/platform/live/stream.ts'
import type { Topic } from '#server/platform/live/topic.ts'
import { rooms } from '../schema.ts'
import { findTable } from './table-queries.ts'
import { roomTurnOf } from './turns.ts'

interface CarriedTurn {
  turn: RoomTurn
  /** For each stream the newest revision that was sent to it; -1 before the first. */
  sentRevisions: Map<Stream, number>
  isReading: boolean
  isReadNeeded: boolean
}

/** Sends whose turn it is to the streams of this process. A change of a table is read once for all its streams. */
export class RoomTurns {
  readonly #carried = new Map<string, CarriedTurn>()
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The turn for a stream that subscribes; undefined for a free room. */
  async find(roomId: string): Promise<RoomTurn | undefined> {
    return this.#carried.get(roomId)?.turn ?? (await this.#read(roomId))
  }

  subscribe(stream: Stream, turn: RoomTurn): void {
    const carried = this.#carried.getOrInsertComputed(turn.roomId, () => ({
      turn,
      sentRevisions: new Map(),
      isReading: false,
      isReadNeeded: false,
    }))
    keepNewest(carried, turn)
    carried.sentRevisions.set(stream, -1)
  }

  unsubscribe(stream: Stream, roomId: string): void {
    const carried = this.#carried.get(roomId)
    carried?.sentRevisions.delete(stream)
    if (carried?.sentRevisions.size === 0) this.#carried.delete(roomId)
  }

  firstBodies(stream: Stream, roomId: string): string[] {
    const carried = this.#carried.get(roomId)
    if (carried === undefined) return []
    carried.sentRevisions.set(stream, carried.turn.revision)
    return [bodyOf('room.turn', carried.turn)]
  }

  /** Whether the person of a stream has a seat, by the newest turn that is known here. */
  isSeated(stream: Stream, roomId: string): boolean {
    const personId = registeredIdOf(stream.viewer)
    return this.#carried.get(roomId)?.turn.seats.some(({ userId }) => userId === personId) ?? false
  }

  /** Reads the turn of a room and sends it to the streams that have an older one. A call during a read starts another after it. */
  async refresh(room: Topic): Promise<void> {
    const carried = this.#carried.get(room.id)
    if (carried === undefined) return
    carried.isReadNeeded = true
    if (carried.isReading) return
    carried.isReading = true
    try {
      while (carried.isReadNeeded) {
        carried.isReadNeeded = false
        keepNewest(carried, await this.#read(room.id))
        await send(room, carried)
      }
    } finally {
      carried.isReading = false
    }
  }

  /** Refreshes the rooms whose message on the bus was lost: a stream has an older revision than the database. */
  async poll(topics: Topic[]): Promise<void> {
    const polled = topics.filter(({ id }) => this.#carried.has(id))
    if (polled.length === 0) return
    const ids = polled.map(({ id }) => id)
    const found = await this.#database
      .select({ id: rooms.id, revision: rooms.turnRevision })
      .from(rooms)
      .where(inArray(rooms.id, ids))
    const stored = new Map(found.map(({ id, revision }) => [id, revision]))
    for (const room of polled) {
      const sent = this.#carried.get(room.id)?.sentRevisions.values() ?? []
      if ([...sent].some((revision) => revision < (stored.get(room.id) ?? -1))) await this.refresh(room)
    }
  }

  async #read(roomId: string): Promise<RoomTurn | undefined> {
    const found = await findTable(this.#database, roomId)
    return found && roomTurnOf(roomId, found)
  }
}

function keepNewest(carried: CarriedTurn, turn: RoomTurn | undefined) {
  if (turn !== undefined && turn.revision > carried.turn.revision) carried.turn = turn
}

async function send(room: Topic, { turn, sentRevisions }: CarriedTurn) {
  const isOutdated = (stream: Stream) => (sentRevisions.get(stream) ?? turn.revision) < turn.revision
  for (const stream of await room.send(bodyOf('room.turn', turn), isOutdated))
    if (sentRevisions.has(stream)) sentRevisions.set(stream, turn.revision)
}
