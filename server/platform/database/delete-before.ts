import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import type { Db } from './pool.ts'

const portion = 1000

/**
 * Deletes the rows whose column is before an instant, in batches, so that no statement takes long. The order makes
 * Postgres use the index of the column. Rows that a request has locked are left for the next purge.
 */
export async function deleteBefore(
  db: Db,
  column: AnyColumn,
  instant: SQL,
  signal?: AbortSignal,
): Promise<void> {
  const { table } = column
  let deleted: number | null
  do {
    const result = await db.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${column} < ${instant} order by ${column}
        limit ${portion} for update skip locked))`)
    deleted = result.rowCount
  } while (deleted === portion && !signal?.aborted)
}
