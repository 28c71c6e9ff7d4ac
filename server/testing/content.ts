import { sql } from 'drizzle-orm'
import { escapeLiteral } from 'pg'
import type { Database, Db } from '#server/platform/database/pool.ts'
import { storeTrigrams } from './post-trigrams.ts'
import { storeWords } from './post-words.ts'
import { settleRooms } from './settled-rooms.ts'

/**
 * Every row of every table as text, to check that nothing changed or that a text is stored nowhere. The words and trigrams of
 * new posts, the ends, counts and reminders of rooms and the chains of stories are stored first. Otherwise the server would do
 * it at any moment of the test. It signs and makes its daily backup at any moment, so the chains themselves and the facts
 * about the backup are left out.
 */
export async function contentOf(db: Db): Promise<Record<string, string[]>> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by tablename`,
  )
  if (tables.some(({ name }) => name === 'post_words')) await storeWords(db)
  if (tables.some(({ name }) => name === 'post_trigrams')) await storeTrigrams(db)
  if (tables.some(({ name }) => name === 'room_chains')) await settleRooms(db)
  const content: Record<string, string[]> = {}
  for (const { name } of tables) if (name !== 'room_chains') content[name] = []
  const parts = Object.keys(content).map(
    (name) => sql`select ${name}::text as name, t::text as row from ${sql.identifier(name)} t`,
  )
  // Sorted here, not in SQL: with a sort for each table Postgres starts parallel workers, and takes ten times as long.
  const { rows } = await db.execute<{ name: string; row: string }>(sql.join(parts, sql` union all `))
  for (const { name, row } of rows) if (!row.startsWith('(daily-backup')) content[name]!.push(row)
  for (const tableRows of Object.values(content)) tableRows.sort()
  return content
}

/** The content of a database without the log of what admins did, in which a refused call may stand. */
export const withoutLog = (content: Record<string, string[]>) => ({ ...content, audit_log: [] })

/** Statements that put every row of this database into an empty one. */
export async function insertionsOf({ pool }: Database): Promise<string> {
  const tables = await pool.query<{ name: string }>(
    "select format('%I', tablename) as name from pg_tables where schemaname = 'public'",
  )
  const parts = tables.rows.map(
    ({ name }) =>
      `select ${escapeLiteral(name)} as name, jsonb_agg(t)::text as rows from ${name} t having count(*) > 0`,
  )
  const filled = await pool.query<{ name: string; rows: string }>(parts.join(' union all '))
  const insertions = filled.rows.map(
    ({ name, rows }) =>
      `insert into ${name} select * from jsonb_populate_recordset(null::${name}, ${escapeLiteral(rows)})`,
  )
  // In any order of the tables, and without what triggers would add.
  return ['begin', 'set local session_replication_role = replica', ...insertions, 'commit'].join('; ')
}
