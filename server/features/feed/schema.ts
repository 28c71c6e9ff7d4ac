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
    /** Null while the post waits for review. A generated post has the time of its generation until it is first shown. */
    publishedAt: instant(),
    /** The day of the feed: that of `publishedAt` in the time zone of the application. */
    publishedOn: date({ mode: 'string' }),
    likeCount: integer().notNull().default(0),
    shareCount: integer().notNull().default(0),
    commentCount: integer().notNull().default(0),
    sortOrder: integer().notNull().default(0),
    /** A keyed digest of the client address, for posts without an account. */
    submittedFrom: text(),
    /** SHA-256 of the text, to refuse the same submission twice in a day. */
    contentDigest: text().notNull(),
    /** The last decision of an admin: an approval, or that the post is hidden or shown. */
    decidedAt: instant(),
    decidedById: text().references(() => users.id, { onDelete: 'set null' }),
    /** Why. The author reads it. */
    decisionReason: text(),
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
    // Serves: the queue in both orders, and its count, which is read from this index alone.
    index('posts_waiting')
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`published_at is null and is_visible`),
    // Serves: the pending posts of admins, newest first, with those that were set aside.
    index('posts_pending')
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`published_at is null`),
    // Serves: the waiting posts of one address, and the same text within a day.
    index('posts_by_origin')
      .on(table.submittedFrom, table.createdAt)
      .where(sql`submitted_from is not null`),
    // Serves: the public posts of a person, newest first, and their count.
    index('posts_published_of_author')
      .on(
        table.authorId,
        table.publishedAt.desc().nullsFirst(),
        table.id.desc().nullsFirst(),
        table.authorName,
      )
      .where(sql`is_visible and published_at is not null`),
    // Serves: the posts of a person (account removal, a guest who signs up).
    index('posts_of_author').on(table.authorId, table.createdAt),
    // Serves: all posts as admins list and search them, newest first.
    index('posts_by_creation').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    // Serves: the hidden posts, newest first. They are few.
    index('posts_hidden')
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`not is_visible`),
    // Serves: the numbers of the admin page, which are read from this index alone. A generated post counts once it was shown.
    index('posts_counted')
      .on(table.publishedOn, table.likeCount, table.commentCount)
      .where(sql`published_at is not null and (post_type <> 'generated' or decided_at is not null)`),
    // Serves: the removal of an admin.
    index('posts_of_decider')
      .on(table.decidedById)
      .where(sql`decided_by_id is not null`),
  ],
)
