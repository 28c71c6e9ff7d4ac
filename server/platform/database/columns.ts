import { type AnyColumn, type SQL, sql } from 'drizzle-orm'
import { customType } from 'drizzle-orm/pg-core'

/** `timestamptz(3)`, read as in the API: ISO 8601 in UTC with milliseconds. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
})

/** A millisecond later. Immutable, as a distributed Postgres requires of an update: `timestamptz + interval` is not. */
export const justAfter = (instant: SQL | AnyColumn): SQL =>
  sql`((${instant} at time zone 'utc' + interval '1 ms') at time zone 'utc')`

/** An instant as the API writes it, for JSON that a statement makes. */
export const apiInstant = (instant: SQL): SQL =>
  sql`to_char(${instant} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Words with their positions, for a search. */
export const tsvector = customType<{ data: string; driverData: string }>({ dataType: () => 'tsvector' })

export const pickColumns = <Table extends object, Name extends keyof Table>(table: Table, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<Table, Name>
