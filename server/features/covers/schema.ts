import { getTableName, sql } from 'drizzle-orm'
import { index, integer, pgTable, unique, uuid } from 'drizzle-orm/pg-core'
import { posts, scheduledPosts, takenBackPosts } from '#server/features/feed/index.ts'
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
    /** The post that its author took back. Nobody can read its cover. Without this post the cover is an unused one. */
    takenBackPostId: uuid().references(() => takenBackPosts.id, { onDelete: 'set null' }),
    /** The post that will be published. Until then nobody can read its cover. */
    scheduledPostId: uuid().references(() => scheduledPosts.id, { onDelete: 'set null' }),
  },
  (table) => [
    unique('covers_of_post').on(table.postId),
    // Serves: the cover of a post that is restored, or deleted for good.
    index('covers_of_taken_back_post')
      .on(table.takenBackPostId)
      .where(sql`taken_back_post_id is not null`),
    // Serves: the cover of a scheduled post that is published, or no longer scheduled.
    index('covers_of_scheduled_post')
      .on(table.scheduledPostId)
      .where(sql`scheduled_post_id is not null`),
  ],
)

export const coverFiles: FileKind = {
  kind: 'covers',
  extension: '.webp',
  table: getTableName(covers),
}
