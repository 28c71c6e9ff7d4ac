import { sql } from 'drizzle-orm'
import type { Db } from './pool.ts'

export async function databaseNow(db: Db): Promise<string> {
  const { rows } = await db.execute<{ now: string }>(sql`select app_now() as now`)
  return rows[0]!.now
}
