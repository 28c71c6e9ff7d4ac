import { isNull, sql } from 'drizzle-orm'
import { DomainEvents } from '#server/domain-events.ts'
import { completeChain } from '#server/features/rooms/credit/chain.ts'
import { roomChains } from '#server/features/rooms/credit/schema.ts'
import { countRoomsThatEnded, storeEnds } from '#server/features/rooms/queries.ts'
import { isEnded, rooms } from '#server/features/rooms/schema.ts'
import { sendDueReminders } from '#server/features/rooms/table/turn-reminders.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'

const isUnsettled = sql`(${isEnded} and (counted_event is null or (ended_at is null and turns = 'free')))`

/** Does what the jobs of a server would do with rooms at any moment, but for the signatures. */
export async function settleRooms(db: Db): Promise<void> {
  if (await isSettled(db)) return
  const { signal } = new AbortController()
  await db.transaction(async (tx) => {
    // The jobs skip rooms that are locked.
    await tx.select({ id: rooms.id }).from(rooms).where(isUnsettled).orderBy(rooms.id).for('no key update')
    await storeEnds(tx, signal)
    await countRoomsThatEnded(tx, signal)
  })
  await sendDueReminders({ database: db as Database, events: new DomainEvents() }, signal)
  const open = await db.select({ roomId: roomChains.roomId }).from(roomChains).where(isNull(roomChains.seal))
  for (const { roomId } of open) await db.transaction((tx) => completeChain(tx, roomId))
}

async function isSettled(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ is: boolean }>(sql`
    select not exists (select 1 from rooms where ${isUnsettled} or turn_remind_at <= app_now())
      and not exists (
        select 1 from room_messages join room_chains using (room_id) where seal is null and text_hash is null
      ) as is`)
  return rows[0]!.is
}
