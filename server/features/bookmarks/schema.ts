import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/** The posts that people keep to read later. The posts themselves decide who may read them. */
export const bookmarks = pgTable(
  'bookmarks',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** No foreign key: a post that was taken back is not in `posts`, and its bookmarks return with it. */
    postId: uuid().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.postId] }),
    // Serves: the bookmarks of a person, the last one first.
    index('bookmarks_of_person').on(
      table.userId,
      table.createdAt.desc().nullsFirst(),
      table.postId.desc().nullsFirst(),
    ),
  ],
)
