import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import { schedule } from '../schedule.ts'
import { databaseNow } from './database-now.ts'
import type { Db } from './pool.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

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

const everyMs = 5000

/** Keeps the clock in sync. The log says once when the database becomes unavailable, and once when it answers again. */
export function followDatabase(app: FastifyInstance, { sync }: { sync(): Promise<void> }) {
  let isUnavailable = false
  schedule(app, 'reading the clock of the database', everyMs, async () => {
    try {
      await sync()
      if (isUnavailable) app.log.info('The database answers again.')
      isUnavailable = false
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      if (!isUnavailable)
        app.log.error({ err: error }, 'The database is unavailable: calls that need it are answered 503.')
      isUnavailable = true
    }
  })
}
