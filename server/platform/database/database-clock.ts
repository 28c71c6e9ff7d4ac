import { sql } from 'drizzle-orm'
import type { Clock } from '../clock.ts'
import type { Db } from './pool.ts'

/**
 * The time of the database, which is read at once and whenever `sync` is called, and goes on with monotonic time in
 * between: a clock of the host that is wrong or steps changes nothing (R20).
 */
export async function databaseClock(db: Db, clock: Clock): Promise<Clock & { sync(): Promise<void> }> {
  let aheadMs = 0
  const sync = async () => {
    const askedAt = clock.monotonicMs()
    const { rows } = await db.execute<{ now: Date }>(sql`select app_now() as now`)
    aheadMs = rows[0]!.now.getTime() - (askedAt + clock.monotonicMs()) / 2
  }
  await sync()
  return {
    now: () => new Date(clock.monotonicMs() + aheadMs),
    monotonicMs: () => clock.monotonicMs(),
    get offsetMs() {
      return clock.offsetMs
    },
    sync,
  }
}
