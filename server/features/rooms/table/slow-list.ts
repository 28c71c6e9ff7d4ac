import { and, sql } from 'drizzle-orm'
import type { SlowRoom } from '#contract/rooms/room.ts'
import { apiInstant } from '#server/platform/database/columns.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import { type Db, executeList } from '#server/platform/database/pool.ts'
import type { TimeSlice } from '#server/platform/http/answers/paging.ts'
import { shownName } from '../passages.ts'
import { newestFirst, newestPassage, type ReaderId, roomFields } from '../queries.ts'
import { isMemberOfRoom, isOpen, isSlowAndOpen, rooms } from '../schema.ts'

/** The slow tables that have not ended, of those that the reader may read, newest first. */
export function selectSlowRooms(db: Db, readerId: ReaderId, { limit, before }: TimeSlice) {
  const isMember = isMemberOfRoom(readerId)
  const turn = sql<SlowRoom['turn']>`case when ${isMember} and turn_ends_at > app_now() then (
    select json_build_object('holderId', users.id, 'holderName', ${shownName}, 'endsAt', ${apiInstant(sql`turn_ends_at`)})
    from room_members join users on users.id = user_id where room_id = rooms.id and user_id = turn_holder) end`
  return db
    .select({ ...roomFields(readerId), newestPassage, turn })
    .from(rooms)
    .where(
      and(
        isSlowAndOpen,
        isOpen,
        sql`(${rooms.isPublic} or ${isMember})`,
        isAfter(before, rooms.createdAt, rooms.id),
      ),
    )
    .orderBy(...newestFirst)
    .limit(limit)
}

export const findSlowRooms = (db: Db, readerId: ReaderId, slice: TimeSlice) =>
  executeList(selectSlowRooms(db, readerId, slice), { name: 'select_slow_rooms', before: slice.before })
