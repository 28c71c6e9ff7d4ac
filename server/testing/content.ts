import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'

/** Every row of every table as text, to check that nothing changed or that a text is stored nowhere. */
export async function contentOf(db: Db): Promise<Record<string, string[]>> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  const parts = tables.map(
    ({ name }) =>
      sql`select ${name}::text as name, coalesce(array_agg(t::text order by t::text), '{}') as rows from ${sql.identifier(name)} t`,
  )
  const { rows } = await db.execute<{ name: string; rows: string[] }>(sql.join(parts, sql` union all `))
  return Object.fromEntries(rows.map((table) => [table.name, table.rows]))
}
