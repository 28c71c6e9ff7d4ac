import { asc, eq } from 'drizzle-orm'
import type { RoomMessage } from '#contract/rooms/room.ts'
import { users } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { lineFields } from '../lines.ts'
import { roomMessages } from '../schema.ts'

/** All passages of a room, the first first. */
export function listStoryLines(db: Db, roomId: string): Promise<RoomMessage[]> {
  return db
    .select(lineFields)
    .from(roomMessages)
    .leftJoin(users, eq(users.id, roomMessages.userId))
    .where(eq(roomMessages.roomId, roomId))
    .orderBy(asc(roomMessages.position))
}
