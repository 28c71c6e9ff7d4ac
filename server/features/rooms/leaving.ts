import { inArray, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'
import { rooms } from './schema.ts'
import { changeTable } from './table/table-queries.ts'

/**
 * Prepares the deletion of an account: the rooms of the person stay without a creator and are counted again, and a turn of
 * the person passes on. The rooms are locked in one order before anything else changes, so that two deletions do not wait
 * for each other. Returns whether the person had any rooms.
 */
export async function leaveRooms(db: Db, userId: string): Promise<boolean> {
  const { rows } = await db.execute<{ id: string; hasTurns: boolean }>(sql`
    select id, turns <> 'free' and ended_at is null as "hasTurns" from rooms where id in (
      select id from rooms where created_by_user_id = ${userId}
      union select room_id from room_members where user_id = ${userId}
      union select room_id from room_messages where user_id = ${userId}
    )
    order by id for no key update`)
  const change = { createdByUserId: sql`nullif(created_by_user_id, ${userId})`, countedEvent: null }
  const idsOf = (haveTurns: boolean) => rows.flatMap(({ id, hasTurns }) => (hasTurns === haveTurns ? id : []))
  for (const id of idsOf(true)) await changeTable(db, id, { type: 'leave', memberId: userId }, change)
  const others = idsOf(false)
  if (others.length > 0) await db.update(rooms).set(change).where(inArray(rooms.id, others))
  return rows.length > 0
}
