import { and, desc, gte, lt, sql } from 'drizzle-orm'
import type { FeedRoom } from '#contract/rooms/room.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor } from '#server/platform/http/paging.ts'
import { roomMembers, rooms } from './schema.ts'

/** The rooms created from `start` until `end`, newest first; `isMember` is the reader's. */
export async function listRoomsOfDay(
  db: Db,
  readerId: string | null,
  { start, end, limit, before }: { start: Date; end: Date; limit: number; before?: TimeCursor | undefined },
): Promise<FeedRoom[]> {
  return db
    .select({
      id: rooms.id,
      name: rooms.name,
      description: rooms.description,
      memberCount: sql<number>`(select count(*)::int from ${roomMembers} where ${roomMembers.roomId} = ${rooms.id})`,
      isActive: sql<boolean>`${rooms.expiresAt} > app_now()`,
      isPublic: rooms.isPublic,
      duration: rooms.duration,
      expiresAt: rooms.expiresAt,
      createdAt: rooms.createdAt,
      createdBy: rooms.createdByUserId,
      isMember: sql<boolean>`exists (select from ${roomMembers} where ${roomMembers.roomId} = ${rooms.id} and ${roomMembers.userId} = ${readerId})`,
    })
    .from(rooms)
    .where(
      and(
        gte(rooms.createdAt, start.toISOString()),
        lt(rooms.createdAt, end.toISOString()),
        before &&
          sql`(${rooms.createdAt}, ${rooms.id}) < (${before.createdAt}::timestamptz, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(rooms.createdAt), desc(rooms.id))
    .limit(limit)
}
