import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/features/account/index.ts'
import { bytes } from '#server/features/day-texts/index.ts'
import { instant } from '#server/platform/database/columns.ts'

export const documents = pgTable(
  'documents',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Unique among the documents of the person alone: an archive of the person names it. */
    id: uuid().notNull(),
    source: text().notNull(),
    /** UTF-8, or encrypted with the key of `keyId`, like the content. */
    title: bytes().notNull(),
    content: bytes().notNull(),
    keyId: text(),
    /** Bytes of the content in UTF-8. */
    size: integer().notNull(),
    wordCount: integer().notNull(),
    createdAt: instant(),
    addedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    // Serves: the documents of a person, the last added one first.
    index('documents_of_person').on(
      table.userId,
      table.addedAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
)
