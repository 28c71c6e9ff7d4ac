import type { Clock } from '../clock.ts'
import { databaseNow } from './database-now.ts'
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
    const now = await databaseNow(db)
    const answeredAt = clock.monotonicMs()
    if (aheadMs !== undefined && answeredAt - askedAt > slowReadingMs) return
    aheadMs = Date.parse(now) - (askedAt + answeredAt) / 2
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
