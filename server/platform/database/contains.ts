import { type SQL, sql } from 'drizzle-orm'

/** One of the columns contains the text, in any case. `%` and `_` of the text stand for themselves. */
export function contains(columns: readonly (SQL | { getSQL(): SQL })[], text: string): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const conditions = columns.map((column) => sql`${column} ilike ${pattern}`)
  return sql`(${sql.join(conditions, sql` or `)})`
}
