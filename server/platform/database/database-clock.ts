import { sql } from 'drizzle-orm'
import type { Clock } from '../clock.ts'
import type { Db } from './pool.ts'

/** A slower reading is discarded: its moment within that time is unknown. */
const slowReadingMs = 1000

/**
 * A clock that follows the database. It reads the database time at once and at each `sync`, and adds monotonic time in
 * between, so that a wrong or stepped host clock changes nothing (R20).
 */
export async function databaseClock(db: Db, clock: Clock): Promise<Clock & { sync(): Promise<void> }> {
  let aheadMs: number | undefined
  const sync = async () => {
    const askedAt = clock.monotonicMs()
    const { rows } = await db.execute<{ now: string }>(sql`select app_now() as now`)
    const answeredAt = clock.monotonicMs()
    if (aheadMs !== undefined && answeredAt - askedAt > slowReadingMs) return
    aheadMs = Date.parse(rows[0]!.now) - (askedAt + answeredAt) / 2
  }
  await sync()
  return {
    now: () => new Date(clock.monotonicMs() + aheadMs!),
    monotonicMs: () => clock.monotonicMs(),
    get offsetMs() {
      return clock.offsetMs
    },
    sync,
  }
}
