import { customType } from 'drizzle-orm/pg-core'

/** `timestamptz(3)`, read as in the API: ISO 8601 in UTC with milliseconds. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => 'timestamp(3) with time zone',
})

/** Words with their positions, for a search. */
export const tsvector = customType<{ data: string; driverData: string }>({ dataType: () => 'tsvector' })
