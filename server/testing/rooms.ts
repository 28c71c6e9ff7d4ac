import { sql } from 'drizzle-orm'
import type { SentInput } from '#contract/endpoint.ts'
import type { createRoom } from '#contract/rooms/endpoints.ts'
import type { RoomPassage, SentPassage } from '#contract/rooms/room.ts'
import type { Database, Db } from '#server/platform/database/pool.ts'
import { untilLockWaits } from './lock-waits.ts'

/** A passage as everybody reads it: without what only its writer gets. */
export const asRead = ({ salt: _salt, ...passage }: SentPassage): RoomPassage => passage

/** The input of `createRoom`. */
export const aRoom = (more: Partial<SentInput<typeof createRoom>> = {}): SentInput<typeof createRoom> => ({
  name: 'The long night',
  description: 'A story that nobody knows the end of',
  isPublic: true,
  duration: 30,
  invitedFriends: [],
  ...more,
})

/** What every room without turns has. */
export const ofFreeRoom = {
  turns: 'free',
  isFolded: false,
  turnSeconds: null,
  passageMax: null,
  opening: null,
  wordGoal: null,
  isClosed: false,
}

/** 10,000 rooms, for a plan of a query. A thousand of them are tables, of which one is due each minute from now on. */
export async function addDueTables(db: Db, column: 'turn_due_at' | 'turn_remind_at'): Promise<void> {
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at, turns, ${sql.identifier(column)})
    select gen_random_uuid(), 'Z', '', true, 30, app_now(), app_now() + interval '20 minutes',
      case when n <= 1000 then 'round' else 'free' end,
      case when n <= 1000 then app_now() + n * interval '1 minute' end
    from generate_series(1, 10000) n`)
  await db.execute(sql`analyze rooms`)
}

/** The longest passages there can be, 20 MB by the thousand. */
export const addLongPassages = (db: Db, roomId: string, userId: string, count: number) =>
  db.execute(sql`
    with room as (
      update rooms set last_position = last_position + ${count}, last_event = last_event + ${count}
      where id = ${roomId} returning id, last_position - ${count} as position, last_event - ${count} as event
    )
    insert into room_messages (room_id, position, id, user_id, content, created_at, event)
    select id, position + n, gen_random_uuid(), ${userId}, repeat('😀', 5000), app_now(), event + n
    from room, generate_series(1, ${count}) n`)

/** Writes the second passage of a room in a transaction. `commitWhenAwaited` ends it once so many readers wait for it. */
export async function startLastPassage(db: Database, roomId: string, userId: string) {
  const [written, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = db.transaction(async (tx) => {
    await tx.execute(sql`update rooms set last_position = 2, last_event = 2 where id = ${roomId}`)
    await tx.execute(sql`
      insert into room_messages (room_id, position, id, user_id, content, created_at, event)
      values (${roomId}, 2, '00000000-0000-7000-8000-000000000001', ${userId}, 'Last', app_now(), 2)`)
    written.resolve()
    await end.promise
  })
  await written.promise
  return {
    async commitWhenAwaited(readers: number) {
      await untilLockWaits(db, readers)
      end.resolve()
      await writing
    },
  }
}
