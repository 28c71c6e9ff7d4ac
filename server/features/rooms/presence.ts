import * as z from 'zod/mini'
import { Id, PersonId } from '#contract/schemas.ts'

/** What processes tell each other about who is in a room; `here` is said again and again, what is not is forgotten. */
export const PresenceWord = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('here'), process: z.string(), roomId: Id, people: z.array(PersonId) }),
  z.object({ kind: z.literal('gone'), process: z.string(), roomId: Id, people: z.array(PersonId) }),
  /** A process that begins to carry a room asks who is there. */
  z.object({ kind: z.literal('who'), process: z.string(), roomId: Id }),
])
export type PresenceWord = z.infer<typeof PresenceWord>

const announceMs = 15_000
const forgetMs = 40_000
/** Names in one word. */
const peoplePerWord = 250

interface RoomPresence {
  /** How many streams each person has here. */
  own: Map<string, number>
  announced: Set<string>
  /** When another process last named somebody, by process and person. */
  others: Map<string, { person: string; heardAt: number }>
}

interface Deps {
  /** Names this process. */
  process: string
  now: () => number
  publish: (word: PresenceWord) => void
}

/** Who has which room open, over all processes: never stored, and only for rooms that this process carries. */
export class Presence {
  readonly #rooms = new Map<string, RoomPresence>()
  readonly #deps: Deps
  #announcedAt: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.#announcedAt = deps.now()
  }

  carry(roomId: string): void {
    this.#rooms.set(roomId, { own: new Map(), announced: new Set(), others: new Map() })
    this.#deps.publish({ kind: 'who', process: this.#deps.process, roomId })
  }

  /** Nobody reads the room here any more. */
  drop(roomId: string): void {
    const room = this.#rooms.get(roomId)
    this.#rooms.delete(roomId)
    if (room !== undefined) this.#tell('gone', roomId, room.announced)
  }

  come(roomId: string, person: string): void {
    const own = this.#rooms.get(roomId)?.own
    own?.set(person, (own.get(person) ?? 0) + 1)
  }

  go(roomId: string, person: string): void {
    const own = this.#rooms.get(roomId)?.own
    const left = (own?.get(person) ?? 1) - 1
    if (left === 0) own?.delete(person)
    else own?.set(person, left)
  }

  /** How many different people have the room open. */
  count(roomId: string): number {
    const room = this.#rooms.get(roomId)
    if (room === undefined) return 0
    if (room.others.size === 0) return room.own.size
    return new Set([...room.own.keys(), ...[...room.others.values()].map(({ person }) => person)]).size
  }

  hear(word: PresenceWord): void {
    const room = this.#rooms.get(word.roomId)
    if (room === undefined || word.process === this.#deps.process) return
    if (word.kind === 'who') return this.#tell('here', word.roomId, room.announced)
    for (const person of word.people) {
      const key = `${word.process} ${person}`
      if (word.kind === 'here') room.others.set(key, { person, heardAt: this.#deps.now() })
      else room.others.delete(key)
    }
  }

  /** Once a second: says what has changed here, says all of it from time to time, forgets whom nobody names. */
  look(): void {
    const now = this.#deps.now()
    const isTime = now - this.#announcedAt >= announceMs
    if (isTime) this.#announcedAt = now
    for (const [roomId, room] of this.#rooms) {
      const here = new Set(room.own.keys())
      this.#tell('gone', roomId, room.announced.difference(here))
      this.#tell('here', roomId, isTime ? here : here.difference(room.announced))
      room.announced = here
      for (const [key, { heardAt }] of room.others) if (now - heardAt > forgetMs) room.others.delete(key)
    }
  }

  #tell(kind: 'here' | 'gone', roomId: string, people: Set<string>) {
    const names = [...people]
    for (let i = 0; i < names.length; i += peoplePerWord) {
      const part = names.slice(i, i + peoplePerWord)
      this.#deps.publish({ kind, process: this.#deps.process, roomId, people: part })
    }
  }
}
