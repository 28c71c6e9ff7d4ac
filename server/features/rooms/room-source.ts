import { roomTopics } from '#contract/rooms/live.ts'
import { Id } from '#contract/schemas.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { bodyOf } from '#server/platform/live/stream.ts'
import type { TopicSource } from '#server/platform/live/topic-source.ts'
import {
  findRoomEventsAfter,
  listExistingRooms,
  listRoomPermissions,
  listRoomStates,
  type RoomEvent,
} from './live-queries.ts'
import { waitForLastPassages } from './queries.ts'

/** The rooms as topics of the live stream, with their permissions and events. */
export const roomSource = (database: Database): Omit<TopicSource, 'listReadable'> => ({
  kind: roomTopics,
  Id,
  scope: 'rooms',
  listExisting: (ids) => listExistingRooms(database, ids),
  listStates: (ids) => listRoomStates(database, ids),
  findEventsAfter: async (id, after) => {
    const batch = await findRoomEventsAfter(database, id, after)
    return (
      batch && {
        ...batch,
        events: batch.events.map((event) => ({ number: event.number, body: bodyOfEvent(event, id) })),
      }
    )
  },
  listPermissions: (ids, tokenHashes) => listRoomPermissions(database, ids, tokenHashes),
  // The last 12 digits of the id of the room are random.
  cursorName: (id) => Buffer.from(id.slice(-12), 'hex').toString('base64url'),
  deletedBody: (roomId) => bodyOf('room.deleted', { roomId }),
  end: {
    body: (roomId) => bodyOf('room.expired', { roomId }),
    waitForLastEvents: (id) => waitForLastPassages(database, id),
  },
})

function bodyOfEvent(event: RoomEvent, roomId: string): string {
  if ('passage' in event) return bodyOf('room.message', event.passage)
  if ('memberCount' in event) return bodyOf('room.joined', { roomId, memberCount: event.memberCount })
  if ('erasedPosition' in event) return bodyOf('room.erased', { roomId, position: event.erasedPosition })
  return bodyOf('room.signed', { roomId })
}
