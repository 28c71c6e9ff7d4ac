import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'

/** The plan of Postgres for a query, as text. */
export async function planOf(db: Db, query: { getSQL(): SQL }): Promise<string> {
  const { rows } = await db.execute<{ 'QUERY PLAN': string }>(sql`explain ${query.getSQL()}`)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
