import { getTableName } from 'drizzle-orm'
import { integer, pgTable, unique, uuid } from 'drizzle-orm/pg-core'
import { posts } from '#server/features/feed/index.ts'
import type { FileKind } from '#server/platform/backup/backup.ts'
import { instant } from '#server/platform/database/columns.ts'

/** The pictures of posts. Each has a file; the audit log alone says who uploaded it. */
export const covers = pgTable(
  'covers',
  {
    id: uuid().primaryKey(),
    uploadedAt: instant().notNull(),
    bytes: integer().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    /** Null while no post uses the cover. */
    postId: uuid().references(() => posts.id, { onDelete: 'set null' }),
  },
  (table) => [unique('covers_of_post').on(table.postId)],
)

export const coverFiles: FileKind = {
  kind: 'covers',
  extension: '.webp',
  table: getTableName(covers),
}
