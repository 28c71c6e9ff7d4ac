import type { TopicKind } from '#contract/live/topics.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import type { RoomTurn } from '#contract/rooms/table/table.ts'

/** What each event of a room carries, as JSON in its `data`. */
export interface RoomEvents {
  'room.message': RoomPassage
  'room.joined': { roomId: string; memberCount: number }
  /** An admin has erased the text of a passage. */
  'room.erased': { roomId: string; position: number }
  /** A member signs differently now, also the passages that are already written. */
  'room.signed': { roomId: string }
  /** How many people have the room open; never stored. */
  'room.presence': { roomId: string; count: number }
  'room.writing': { roomId: string; userId: string }
  /** Whose turn it is; never stored. */
  'room.turn': RoomTurn
  /** The server has signed the link of a passage. `key` is its public key. The three texts are base64url; never stored. */
  'room.head': { roomId: string; position: number; link: string; signature: string; key: string }
  /** The asides of the table have changed: for people with a seat alone, without a text; never stored. */
  'room.aside': { roomId: string }
  'room.expired': { roomId: string }
  'room.deleted': { roomId: string }
}

export const roomTopics: TopicKind<RoomEvents> = {
  name: 'rooms',
  max: 20,
  events: {
    'room.message': true,
    'room.joined': true,
    'room.erased': true,
    'room.signed': true,
    'room.presence': true,
    'room.writing': true,
    'room.turn': true,
    'room.head': true,
    'room.aside': true,
    'room.expired': true,
    'room.deleted': true,
  },
  idField: 'roomId',
  states: ['room.presence', 'room.turn'],
}
