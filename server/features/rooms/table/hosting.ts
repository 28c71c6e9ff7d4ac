import { and, eq, sql } from 'drizzle-orm'
import type { InputOf } from '#contract/endpoint.ts'
import type { hostTable } from '#contract/rooms/table/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { roomMembers, rooms } from '../schema.ts'
import { changeTable } from './table-queries.ts'

/**
 * Closes, reopens or ends a table, or removes a member, for its creator. The caller has locked the room, and rolls back after
 * a refusal. Returns the refusal.
 */
export async function host(
  db: Db,
  roomId: string,
  { act, userId }: InputOf<typeof hostTable>,
): Promise<'RoomExpired' | 'NotRemovable' | undefined> {
  if (act === 'end') {
    const ended = await changeTable(db, roomId, { type: 'end' })
    return typeof ended === 'string' ? 'RoomExpired' : undefined
  }
  if (act === 'remove') return userId === undefined ? 'NotRemovable' : remove(db, roomId, userId)
  await db
    .update(rooms)
    .set({ isClosed: act === 'close', turnRevision: sql`turn_revision + 1` })
    .where(eq(rooms.id, roomId))
  return undefined
}

/** Removes a member from the table and the room. A second call changes nothing. */
async function remove(db: Db, roomId: string, userId: string) {
  const changed = await changeTable(db, roomId, { type: 'leave', memberId: userId })
  // The room may have ended after the caller read it.
  if (typeof changed === 'string' || changed?.after.isEnded) return 'RoomExpired'
  const { rowCount } = await db
    .update(roomMembers)
    .set({ removedAt: sql`coalesce(removed_at, app_now())`, seat: null, tableState: null })
    .where(and(eq(roomMembers.roomId, roomId), eq(roomMembers.userId, userId)))
  return rowCount === 0 ? 'NotRemovable' : undefined
}
