import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/platform/database/pool.ts'
import { until } from './stream-client.ts'

/**
 * Waits until at least so many statements in the database wait for a lock. `db` is the pool: within a transaction Postgres
 * would give the same answer each time.
 */
export async function untilLockWaits(db: Database, count = 1): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until(
    async () => (await db.execute(waiting)).rows.length >= count || undefined,
    `${count} statements that wait for a lock`,
  )
}

/** Takes the locks of a statement in a transaction. Resolves once it has them, with the function that releases them. */
export async function holdLocks(db: Database, statement: SQL): Promise<() => Promise<void>> {
  const [locked, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (tx) => {
    await tx.execute(statement)
    locked.resolve()
    await end.promise
  })
  await Promise.race([locked.promise, holding])
  return async () => {
    end.resolve()
    await holding
  }
}
