import { sql } from 'drizzle-orm'
import { boolean, check, jsonb, pgTable } from 'drizzle-orm/pg-core'
import type { InstanceSettings } from '#contract/instance/settings.ts'
import { instant } from '#server/platform/database/columns.ts'

/** What admins have set for the instance, in one row. It does not exist before the first change. */
export const instanceSettings = pgTable(
  'instance_settings',
  {
    /** The key allows one row. */
    isOnly: boolean().primaryKey().default(true),
    /** The settings that were ever changed. The others have their defaults. */
    settings: jsonb().$type<Partial<InstanceSettings>>().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [check('instance_settings_is_one_row', sql`${table.isOnly}`)],
)
