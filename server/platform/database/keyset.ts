import { type SQL, sql, type SQLWrapper } from 'drizzle-orm'

/** A condition on a row of a list that is newest first: it comes after the cursor. Undefined without a cursor. */
export const isAfter = (
  cursor: { createdAt: string; id: string } | undefined,
  time: SQLWrapper,
  id: SQLWrapper,
): SQL | undefined => cursor && sql`(${time}, ${id}) < (${cursor.createdAt}::timestamptz, ${cursor.id})`

/** The cursor of the first page: greater than every position, which is an `integer` of Postgres. */
export const afterAllPositions = 2 ** 31 - 1
