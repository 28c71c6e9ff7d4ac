import { customType, integer, text } from 'drizzle-orm/pg-core'
import { users } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

export const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' })

export const writer = () =>
  text()
    .notNull()
    .references(() => users.id)

/** What a table of texts by day holds beside the writer and the day. */
export const dayText = () => ({
  /** UTF-8 as it was typed, or encrypted with the key of `keyId`. */
  content: bytes().notNull(),
  keyId: text(),
  /** Bytes of the text in UTF-8. */
  size: integer().notNull(),
  updatedAt: instant().notNull(),
})
