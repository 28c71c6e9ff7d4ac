import { and, eq, not } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'
import { isFoldedFor, isWithheld } from './passages.ts'
import { mayRead } from './policy.ts'
import { isMemberOfRoom, roomPassages, rooms } from './schema.ts'

/** A passage of a room that the reader may read. A folded one cannot be reported: the report would show it to admins. */
export async function findPassageToReport(db: Db, readerId: string, id: string) {
  const [found] = await db
    .select({
      authorId: roomPassages.userId,
      content: roomPassages.content,
      createdAt: roomPassages.createdAt,
      isPublic: rooms.isPublic,
      isMember: isMemberOfRoom(readerId),
    })
    .from(roomPassages)
    .innerJoin(rooms, eq(rooms.id, roomPassages.roomId))
    .where(and(eq(roomPassages.id, id), not(isWithheld), not(isFoldedFor(null))))
  return found && mayRead(found) ? found : undefined
}
