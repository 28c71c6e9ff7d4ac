import { date, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes } from '#server/features/day-texts/index.ts'
import { friendships } from '#server/features/friends/index.ts'
import { instant } from '#server/platform/database/columns.ts'

export const directMessages = pgTable(
  'direct_messages',
  {
    friendshipId: uuid()
      .notNull()
      .references(() => friendships.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    id: uuid().notNull(),
    /** One of the two friends. Their friendship references both accounts and deletes its messages. */
    senderId: text().notNull(),
    /** UTF-8 as it was typed, or encrypted with the key of `keyId`. */
    content: bytes().notNull(),
    keyId: text(),
    /** The day of a copied diary entry; null for a text. */
    diaryDate: date(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.friendshipId, table.position] }),
    // Serves: a message by its id, to delete it or to read up to it.
    uniqueIndex('direct_messages_by_id').on(table.id),
  ],
)
