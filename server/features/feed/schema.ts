import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { postTypes } from '#contract/feed/post.ts'
import { users } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

export const posts = pgTable(
  'posts',
  {
    id: uuid().primaryKey(),
    content: text().notNull(),
    authorName: text().notNull(),
    authorId: text().references(() => users.id, { onDelete: 'set null' }),
    postType: text({ enum: postTypes }).notNull(),
    isVisible: boolean().notNull().default(true),
    imageUrl: text(),
    createdAt: instant().notNull(),
    /** Null while the post waits for review. */
    publishedAt: instant(),
    /** The day of `publishedAt` in the application's time zone: the day of the feed it stands on. */
    publishedOn: date({ mode: 'string' }),
    likeCount: integer().notNull().default(0),
    shareCount: integer().notNull().default(0),
    commentCount: integer().notNull().default(0),
    sortOrder: integer().notNull().default(0),
    /** Whence a post without account came, as a keyed digest of the client address. */
    submittedFrom: text(),
    /** SHA-256 of the text, to refuse the same submission twice in a day. */
    contentDigest: text().notNull(),
  },
  (table) => [
    // Serves: a day of the feed, in its order. Explicit, since NULLS LAST would not serve a plain DESC.
    index('posts_of_feed_day')
      .on(
        table.publishedOn.desc().nullsFirst(),
        table.sortOrder.desc().nullsFirst(),
        table.publishedAt.desc().nullsFirst(),
        table.id.desc().nullsFirst(),
      )
      .where(sql`is_visible`),
    // Serves: the pending list, newest first, and its count.
    index('posts_pending')
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`published_at is null`),
    // Serves: what waits from one address, and the same text within a day.
    index('posts_by_origin')
      .on(table.submittedFrom, table.createdAt)
      .where(sql`submitted_from is not null`),
    // Serves: the posts of a person (account removal, a guest who signs up).
    index('posts_of_author').on(table.authorId, table.createdAt),
  ],
)
