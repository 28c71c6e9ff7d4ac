import { lte, sql } from 'drizzle-orm'
import type { Needs } from '#server/feature.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { doForEach } from '#server/platform/database/unavailable.ts'
import type { RoomNotifier } from '../live.ts'
import { rooms } from '../schema.ts'
import { changeTable } from './table-queries.ts'

/** After a start the pages of holders need this time to renew their leases: none was renewed while the server was down. */
const quietAfterStartMs = 20_000
/** Further rooms wait for the sweep of the next second. */
const roomsAtOnce = 200

/** The rooms whose table is due to change, the longest overdue first. */
export const listDueRooms = (db: Db) =>
  db
    .select({ id: rooms.id })
    .from(rooms)
    .where(lte(rooms.turnDueAt, sql`app_now()`))
    .orderBy(rooms.turnDueAt)
    .limit(roomsAtOnce)

interface Deps extends Pick<Needs, 'database' | 'clock'> {
  notifier: Pick<RoomNotifier, 'turned'>
}

export type TurnClock = ReturnType<typeof createTurnClock>

/** Passes lapsed turns on. A process that has just started passes none on. */
export function createTurnClock({ database, clock, notifier }: Deps) {
  const startedMs = clock.monotonicMs()
  const mayPassOn = () => clock.monotonicMs() - startedMs >= quietAfterStartMs

  async function passOnWhenDue(roomId: string): Promise<void> {
    if (mayPassOn() && (await database.transaction((tx) => passOn(tx, roomId)))) notifier.turned(roomId)
  }

  return {
    passOnWhenDue,
    /** Runs every second: one query, and a transaction for each room that it finds. */
    async sweep(signal: AbortSignal): Promise<void> {
      if (!mayPassOn()) return
      await doForEach(await listDueRooms(database), signal, ({ id }) => passOnWhenDue(id))
    },
  }
}

/**
 * Applies to the table what its time has changed, such as a lapsed turn. Does nothing while another transaction has locked
 * the room: that transaction changes the table itself. Returns whether readers see a change.
 */
export async function passOn(db: Db, roomId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    select 1 from rooms where id = ${roomId} and turn_due_at <= app_now() for no key update skip locked`)
  if (rowCount === 0) return false
  const changed = await changeTable(db, roomId, { type: 'tick' })
  return typeof changed === 'object' && changed.after.revision !== changed.before.revision
}
