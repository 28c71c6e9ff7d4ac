import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  date,
  index,
  integer,
  pgTable,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { categories } from '#contract/feed/categories.ts'
import { takingBackKinds } from '#contract/feed/own/endpoints.ts'
import { postForms, postTypes } from '#contract/feed/post.ts'
import { personId, users } from '#server/features/account/index.ts'
import { instant, tsvector } from '#server/platform/database/columns.ts'

/** What an author has written and chosen. */
const writtenColumns = () => ({
  id: uuid().primaryKey(),
  content: text().notNull(),
  authorName: text().notNull(),
  postType: text({ enum: postTypes }).notNull(),
  /** Chosen by the author. Null: guessed from the text. */
  category: text({ enum: categories }),
  tags: text()
    .array()
    .notNull()
    .default(sql`'{}'::text[]`),
  /** Chosen by the author. Null: guessed from the text. */
  form: text({ enum: postForms }),
  isVisible: boolean().notNull().default(true),
  imageUrl: text(),
  createdAt: instant().notNull(),
})

/** The columns of a post, which is either in `posts` or among those that were taken back. */
const postColumns = () => ({
  ...writtenColumns(),
  authorId: text().references(() => users.id, { onDelete: 'set null' }),
  /** When the author wrote the text and the choices beside it. Null while they are those of `createdAt`. */
  writtenAt: instant(),
  /** Null while the post waits for review. A generated post has the time of its generation until it is first shown. */
  publishedAt: instant(),
  /** The day of the feed: that of `publishedAt` in the time zone of the application. */
  publishedOn: date({ mode: 'string' }),
  /** When the published text last changed. */
  editedAt: instant(),
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
})

export const posts = pgTable(
  'posts',
  {
    ...postColumns(),
    /** The published post of which this row is the waiting version. */
    replacesId: uuid().references((): AnyPgColumn => posts.id, { onDelete: 'cascade' }),
  },
  (table) => [
    // Serves: a day of the feed, in its order, and the sitemap. Explicit, since NULLS LAST would not serve a plain DESC.
    index('posts_of_feed_day')
      .on(
        table.publishedOn.desc().nullsFirst(),
        table.sortOrder.desc().nullsFirst(),
        table.publishedAt.desc().nullsFirst(),
        table.id.desc().nullsFirst(),
        table.editedAt,
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
    // Serves: the waiting version of a published post, which has at most one.
    uniqueIndex('posts_waiting_version')
      .on(table.replacesId)
      .where(sql`replaces_id is not null`),
    // Serves: the search among the posts of an author, newest first.
    index('posts_of_author_name')
      .on(sql`folded_name(author_name)`, table.publishedAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`is_visible and published_at is not null`),
    // Serves: the last change of the page of a person.
    index('posts_edited_of_author')
      .on(table.authorId, table.editedAt.desc().nullsFirst(), table.authorName)
      .where(sql`is_visible and published_at is not null and edited_at is not null`),
  ],
)

/** Posts that their authors took back. They are in no list but that of their author. */
export const takenBackPosts = pgTable(
  'taken_back_posts',
  {
    ...postColumns(),
    authorId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    takenBackAt: instant().notNull(),
    kind: text({ enum: takingBackKinds }).notNull(),
  },
  (table) => [
    // Serves: the posts that a person took back, the last one first, and the removal of the account.
    index('taken_back_posts_of_author').on(
      table.authorId,
      table.takenBackAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    // Serves: the purge.
    index('taken_back_posts_by_time').on(table.takenBackAt),
    // Serves: the removal of an admin.
    index('taken_back_posts_of_decider')
      .on(table.decidedById)
      .where(sql`decided_by_id is not null`),
  ],
)

/** Posts that will be published at a time that their authors have chosen. They are in no list but that of their author. */
export const scheduledPosts = pgTable(
  'scheduled_posts',
  {
    ...writtenColumns(),
    authorId: personId(),
    /** The time at which readers will see it published. */
    publishAt: instant().notNull(),
    /** When the server next tries to publish it: `publishAt`, or later after a failure. */
    attemptAt: instant().notNull(),
  },
  (table) => [
    // Serves: the scheduled posts of a person, the next one first, their count, and the removal of the account.
    index('scheduled_posts_of_author').on(table.authorId, table.publishAt, table.id),
    // Serves: the posts that are due.
    index('scheduled_posts_by_attempt').on(table.attemptAt),
  ],
)

/** The earlier texts of posts, for their authors alone. A post that was taken back keeps them, so no foreign key names `posts`. */
export const postVersions = pgTable(
  'post_versions',
  {
    id: uuid().primaryKey(),
    postId: uuid().notNull(),
    authorId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    content: text().notNull(),
    writtenAt: instant().notNull(),
    replacedAt: instant().notNull(),
    wasPublished: boolean().notNull(),
  },
  (table) => [
    // Serves: the versions of a post, the last one first.
    index('post_versions_of_post').on(
      table.postId,
      table.replacedAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    // Serves: the size of the versions of a person, and the removal of the account.
    index('post_versions_of_author').on(
      table.authorId,
      table.replacedAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
)

/**
 * The words of each post that was published, for the search. The posts themselves decide who may find them. A row is added
 * about a second after its post was published, and replaced in the transaction that changes the text.
 */
export const postWords = pgTable(
  'post_words',
  {
    postId: uuid()
      .primaryKey()
      .references(() => posts.id, { onDelete: 'cascade' }),
    publishedAt: instant().notNull(),
    words: tsvector().notNull(),
  },
  (table) => [
    // Serves: the search by words. A search reads the pending entries of the index one by one, so they are few.
    index('post_words_words').using('gin', table.words).with({ gin_pending_list_limit: 512 }),
    // Serves: the search, which asks for the newest posts first.
    index('post_words_by_time').on(table.publishedAt, table.postId),
  ],
)

/**
 * The trigrams of the text and the author name of each post, for the search of the admins. Null: not stored yet, and a search
 * compares the post. Triggers of `posts` add and delete the row, and remove the trigrams when the text or the name changes,
 * also when a process of the previous version writes. No foreign key: it would lock the post for each row that is added.
 */
export const postTrigrams = pgTable(
  'post_trigrams',
  {
    postId: uuid().primaryKey(),
    trigrams: smallint().array(),
  },
  (table) => [
    // Serves: the search of the admins. It has no entry for a row without trigrams, so that a publication writes none. A
    // search reads the pending entries of the index one by one, so they are few.
    index('post_trigrams_trigrams')
      .using('gin', table.trigrams)
      .with({ gin_pending_list_limit: 512 })
      .where(sql`trigrams is not null`),
    // Serves: the same search, and the posts whose trigrams are to be stored.
    index('post_trigrams_missing')
      .on(table.postId)
      .where(sql`trigrams is null`),
  ],
)
