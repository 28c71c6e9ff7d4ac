import { type SQL, sql } from 'drizzle-orm'

type Column = SQL | { getSQL(): SQL }

/** One of the columns contains the text, in any case. `%` and `_` of the text stand for themselves. */
export function contains(columns: readonly Column[], text: string): SQL {
  const conditions = columns.map((column) => sql`${column} ilike ${`%${escaped(text)}%`}`)
  return sql`(${sql.join(conditions, sql` or `)})`
}

/**
 * As `contains`, for a column of long texts. Postgres converts the case of ASCII letters alone in half the time, so a wider
 * pattern is compared first. In it a wildcard stands for all that is not ASCII, and for `i` and `k`, which are also the lower
 * case of `İ` and of the Kelvin sign.
 */
export function longContains(column: Column, text: string): SQL {
  const exact = contains([column], text)
  if (!/[a-hjl-z\d]/i.test(text)) return exact
  const wider = escaped(text).replaceAll(/[^\0-\u007f]+|[ik]/gi, '%')
  return sql`(${column} collate "C" ilike ${`%${wider}%`} and ${exact})`
}

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, String.raw`\$&`)
