import * as z from 'zod/mini'
import { Id, PersonId } from '#contract/schemas.ts'

/**
 * What processes send each other about who is in a room. `here` is repeated; people who are not named for a while are
 * forgotten.
 */
export const PresenceMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('here'), process: z.string(), roomId: Id, people: z.array(PersonId) }),
  z.object({ kind: z.literal('gone'), process: z.string(), roomId: Id, people: z.array(PersonId) }),
  /** A process whose first reader of a room has come asks the others who is there. */
  z.object({ kind: z.literal('who'), process: z.string(), roomId: Id }),
])
export type PresenceMessage = z.infer<typeof PresenceMessage>

const announceMs = 15_000
const forgetMs = 40_000
/** Ids in one message. */
const peoplePerMessage = 250

interface RoomPresence {
  /** How many streams each person has in this process. */
  own: Map<string, number>
  announced: Set<string>
  /** When another process last named a person, by process and person. */
  others: Map<string, { person: string; receivedAt: number }>
}

interface Deps {
  /** The id of this process. */
  process: string
  now: () => number
  publish: (message: PresenceMessage) => void
}

/** Who has which room open, in all processes. Never stored, and known only for rooms with a reader in this process. */
export class Presence {
  readonly #rooms = new Map<string, RoomPresence>()
  readonly #deps: Deps
  #announcedAt: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.#announcedAt = deps.now()
  }

  addRoom(roomId: string): void {
    this.#rooms.set(roomId, { own: new Map(), announced: new Set(), others: new Map() })
    this.#deps.publish({ kind: 'who', process: this.#deps.process, roomId })
  }

  /** The last reader of the room in this process has left. */
  removeRoom(roomId: string): void {
    const room = this.#rooms.get(roomId)
    this.#rooms.delete(roomId)
    if (room !== undefined) this.#publish('gone', roomId, room.announced)
  }

  enter(roomId: string, person: string): void {
    const own = this.#rooms.get(roomId)?.own
    own?.set(person, (own.get(person) ?? 0) + 1)
  }

  leave(roomId: string, person: string): void {
    const own = this.#rooms.get(roomId)?.own
    const remaining = (own?.get(person) ?? 1) - 1
    if (remaining === 0) own?.delete(person)
    else own?.set(person, remaining)
  }

  /** How many different people have the room open. */
  count(roomId: string): number {
    const room = this.#rooms.get(roomId)
    if (room === undefined) return 0
    if (room.others.size === 0) return room.own.size
    return new Set([...room.own.keys(), ...[...room.others.values()].map(({ person }) => person)]).size
  }

  receive(message: PresenceMessage): void {
    const room = this.#rooms.get(message.roomId)
    if (room === undefined || message.process === this.#deps.process) return
    if (message.kind === 'who') return this.#publish('here', message.roomId, room.announced)
    for (const person of message.people) {
      const key = `${message.process} ${person}`
      if (message.kind === 'here') room.others.set(key, { person, receivedAt: this.#deps.now() })
      else room.others.delete(key)
    }
  }

  /** Called once a second: publishes what has changed, now and then everybody, and forgets who was not named for a while. */
  poll(): void {
    const now = this.#deps.now()
    const isTime = now - this.#announcedAt >= announceMs
    if (isTime) this.#announcedAt = now
    for (const [roomId, room] of this.#rooms) {
      const here = new Set(room.own.keys())
      this.#publish('gone', roomId, room.announced.difference(here))
      this.#publish('here', roomId, isTime ? here : here.difference(room.announced))
      room.announced = here
      for (const [key, { receivedAt }] of room.others)
        if (now - receivedAt > forgetMs) room.others.delete(key)
    }
  }

  #publish(kind: 'here' | 'gone', roomId: string, people: Set<string>) {
    const names = [...people]
    for (let i = 0; i < names.length; i += peoplePerMessage) {
      const part = names.slice(i, i + peoplePerMessage)
      this.#deps.publish({ kind, process: this.#deps.process, roomId, people: part })
    }
  }
}
