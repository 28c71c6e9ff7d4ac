import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { factorMax, factorMin } from '#contract/allowances/rules.ts'
import { instant } from '#server/platform/database/columns.ts'

/** Multiples of the limits by address that admins have set. A row whose time has passed counts no more. */
export const allowances = pgTable(
  'allowances',
  {
    id: uuid().primaryKey(),
    /** An address or a network. Null: everybody. */
    network: text(),
    factor: integer().notNull(),
    until: instant().notNull(),
  },
  (table) => [
    // Serves: the list of those that hold, and the purge.
    index('allowances_by_end').on(table.until),
    check('allowances_factor', sql.raw(`factor between ${factorMin} and ${factorMax}`)),
  ],
)
