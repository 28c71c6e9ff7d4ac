import { hash } from 'node:crypto'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { dayOf } from '#contract/days.ts'
import { deletedAuthorName, type PendingPost, type Post, type PublicPost } from '#contract/feed/post.ts'
import { databaseNow } from '#server/platform/database/database-now.ts'
import { type Db, perHandle } from '#server/platform/database/pool.ts'
import type { TimeCursor, TimeSlice } from '#server/platform/http/answers/paging.ts'
import { authorHasPage, isPublished } from './authors.ts'
import type { FeedCursor } from './cursor.ts'
import { endOfPage, sizeFields } from './page-bytes.ts'
import { posts } from './schema.ts'

export const postFields = {
  id: posts.id,
  content: posts.content,
  authorName: posts.authorName,
  authorId: posts.authorId,
  postType: posts.postType,
  isVisible: posts.isVisible,
  imageUrl: posts.imageUrl,
  createdAt: posts.createdAt,
  publishedAt: posts.publishedAt,
  editedAt: posts.editedAt,
  category: posts.category,
  tags: posts.tags,
  form: posts.form,
  likeCount: posts.likeCount,
  shareCount: posts.shareCount,
  commentCount: posts.commentCount,
  sortOrder: posts.sortOrder,
}

/** A post as everybody may read it. Only a post that leads to the page of its author contains the id of the author. */
export const publicPostFields = {
  ...postFields,
  authorId: sql<string | null>`case when ${authorHasPage} then ${posts.authorId} end`,
  authorHasPage,
}

/** A condition on a post: it waits in the queue. Written exactly as the condition of the index `posts_waiting`. */
export const isWaiting = sql`${posts.publishedAt} is null and ${posts.isVisible}`

/** The posts of a day: higher `sortOrder` first, then newest first. */
export function listPostsOfDay(
  db: Db,
  day: string,
  { limit, before }: { limit: number; before?: FeedCursor | undefined },
) {
  return db
    .select(publicPostFields)
    .from(posts)
    .where(
      and(
        eq(posts.publishedOn, day),
        isPublished,
        before &&
          sql`(${posts.sortOrder}, ${posts.publishedAt}, ${posts.id}) < (${before.sortOrder}::int, ${before.publishedAt}::timestamptz, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(posts.sortOrder), desc(posts.publishedAt), desc(posts.id))
    .limit(limit)
}

export async function findPublicPost(db: Db, id: string): Promise<PublicPost | undefined> {
  const [post] = await db
    .select(publicPostFields)
    .from(posts)
    .where(and(eq(posts.id, id), isPublished))
  return post
}

/** What a report of a public post copies, with the id of its author. */
export async function findPostToReport(db: Db, id: string) {
  const { authorId, authorName, content, createdAt } = posts
  const [post] = await db
    .select({ authorId, authorName, content, createdAt })
    .from(posts)
    .where(and(eq(posts.id, id), isPublished))
  return post
}

/** Which waiting posts to list, and in which order. */
export interface Queue extends TimeSlice {
  isOldestFirst: boolean
  /** Only posts that have waited longer than this. */
  longerThanDays: number | undefined
}

/**
 * A page of the posts that wait for review, and the place where the next page begins. A post that an admin has set aside is
 * hidden and is not among them.
 */
export async function listPendingPosts(
  db: Db,
  queue: Queue,
): Promise<{ posts: PendingPost[]; next: TimeCursor | undefined }> {
  const sized = await pendingPosts(db, queue).limit(queue.limit + 1)
  const { ids, next } = endOfPage(sized, queue.limit)
  const rows = await db
    .select({ ...postFields, replacesId: posts.replacesId })
    .from(posts)
    .where(and(sql`${posts.id} = any(${sql.param(ids)}::uuid[])`, isWaiting))
    .orderBy(...inOrder(queue))
  return { posts: rows.map((row) => ({ ...row, status: 'pending' })), next }
}

function inOrder({ isOldestFirst }: Pick<Queue, 'isOldestFirst'>) {
  const direction = isOldestFirst ? asc : desc
  return [direction(posts.createdAt), direction(posts.id)]
}

/** The sizes of the waiting posts, in the order of the list. */
export function pendingPosts(db: Db, { isOldestFirst, longerThanDays, before }: Omit<Queue, 'limit'>) {
  const isAfter = sql.raw(isOldestFirst ? '>' : '<')
  return db
    .select(sizeFields)
    .from(posts)
    .where(
      and(
        isWaiting,
        longerThanDays === undefined
          ? undefined
          : sql`${posts.createdAt} <= app_now() - make_interval(days => ${longerThanDays}::int)`,
        before &&
          sql`(${posts.createdAt}, ${posts.id}) ${isAfter} (${before.createdAt}::timestamptz, ${before.id}::uuid)`,
      ),
    )
    .orderBy(...inOrder({ isOldestFirst }))
    .$dynamic()
}

export interface NewPost extends Partial<Pick<Post, 'category' | 'tags' | 'form'>> {
  id: string
  content: string
  authorName: string
  authorId: string | null
  postType: Post['postType']
  isVisible?: boolean
  imageUrl?: string | null
  /** Keyed digest of the client address, for posts without an account. */
  submittedFrom: string | null
}

export interface Publication {
  publishedAt: string
  publishedOn: string
}

/** The time of the database and its day. Both come from one read, so that they agree at midnight too. */
export async function publicationNow(db: Db, timeZone: string): Promise<Publication> {
  const now = new Date(await databaseNow(db))
  return { publishedAt: now.toISOString(), publishedOn: dayOf(now, timeZone) }
}

/** The columns that an insert writes. A new column of the table compiles only when `addPost` sets it, or one of the constants below names it. */
type PostRow = Omit<
  typeof posts.$inferSelect,
  'createdAt' | keyof typeof noCounts | keyof typeof undecided | keyof typeof unchanged
>

/** The columns that an insert leaves to the defaults of the table, with these defaults. */
export const noCounts = { likeCount: 0, shareCount: 0, commentCount: 0, sortOrder: 0 }
const undecided = { decidedAt: null, decidedById: null, decisionReason: null }
const unchanged = { editedAt: null, writtenAt: null, replacesId: null }

/**
 * Adds a post and publishes it at once. Without a publication the post waits for review. The words for the search are stored
 * after the commit, by `postsPublished`.
 */
export async function addPost(db: Db, post: NewPost, publication?: Publication): Promise<Post> {
  const { submittedFrom, ...written } = post
  const { publishedAt = null, publishedOn = null } = publication ?? {}
  const chosen = { category: null, tags: [], form: null }
  const shown = { isVisible: true, imageUrl: null, publishedAt, ...chosen, ...written }
  const row: PostRow = { ...shown, publishedOn, submittedFrom, contentDigest: digestOf(post.content) }
  const [added] = await insertPost(db).execute(row)
  // Not read back from the database: that would only cost time.
  return { ...shown, ...noCounts, editedAt: unchanged.editedAt, createdAt: added!.createdAt }
}

const { placeholder } = sql

const insertPost = perHandle((db) =>
  db
    .insert(posts)
    .values({
      ...placeholders,
      createdAt: sql`coalesce(${placeholder('publishedAt')}::timestamptz, app_now())`,
    })
    .returning({ createdAt: posts.createdAt })
    .prepare('insert_post'),
)

const placeholders = {
  id: placeholder('id'),
  content: placeholder('content'),
  authorName: placeholder('authorName'),
  authorId: placeholder('authorId'),
  postType: placeholder('postType'),
  category: placeholder('category'),
  tags: placeholder('tags'),
  form: placeholder('form'),
  isVisible: placeholder('isVisible'),
  imageUrl: placeholder('imageUrl'),
  publishedAt: placeholder('publishedAt'),
  publishedOn: placeholder('publishedOn'),
  submittedFrom: placeholder('submittedFrom'),
  contentDigest: placeholder('contentDigest'),
} satisfies Record<keyof PostRow, unknown>

export const digestOf = (content: string): string => hash('sha256', content, 'base64url')

/** Counts the posts of an address that wait for review, and those of the last day with this text (S47). */
export async function countOrigin(db: Db, submittedFrom: string, contentDigest: string) {
  const [counted] = await db
    .select({
      waiting: sql<number>`count(*) filter (where ${isWaiting})::int`,
      same: sql<number>`count(*) filter (where ${posts.contentDigest} = ${contentDigest} and ${posts.createdAt} > app_now() - interval '1 day')::int`,
    })
    .from(posts)
    .where(eq(posts.submittedFrom, submittedFrom))
  return counted!
}

/** How many posts are in the queue, and the seconds that the oldest of them waits. */
export async function findReviewQueue(db: Db): Promise<{ waiting: number; oldestSeconds: number }> {
  const [queue] = await reviewQueue(db)
  return queue!
}

export const reviewQueue = (db: Db) =>
  db
    .select({
      waiting: sql<number>`count(*)::int`,
      oldestSeconds: sql<number>`coalesce(extract(epoch from app_now() - min(${posts.createdAt})), 0)::float8`,
    })
    .from(posts)
    .where(isWaiting)

/** How many posts are in the queue, without those of this author. */
export const countWaitingPosts = (db: Db, exceptOf: string | undefined): Promise<number> =>
  db.$count(
    posts,
    exceptOf === undefined ? isWaiting : and(isWaiting, sql`${posts.authorId} is distinct from ${exceptOf}`),
  )

/** Submissions without an account run one after the other, so that their counts are exact. */
export async function lockSubmissions(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('submissions', 0))`)
}

/** The beginning of a text, as long as notifications and lists of the author show it. */
export const beginningOf = (text: AnyPgColumn) => sql<string>`left(${text}, 200)`

export function listPublishedPostsOf(db: Db, authorId: string, ids: string[]) {
  return db
    .select({
      id: posts.id,
      beginning: beginningOf(posts.content),
      // `isPublished` requires it.
      publishedAt: sql<string>`${posts.publishedAt}`,
    })
    .from(posts)
    .where(and(inArray(posts.id, ids), eq(posts.authorId, authorId), isPublished))
}

export function listBeginningsOf(db: Db, authorId: string, ids: string[]) {
  return db
    .select({
      id: posts.id,
      beginning: beginningOf(posts.content),
      hasReason: sql<boolean>`${posts.decisionReason} is not null`,
    })
    .from(posts)
    .where(and(inArray(posts.id, ids), eq(posts.authorId, authorId)))
}

export async function findPost(db: Db, id: string): Promise<Post | undefined> {
  const [post] = await db.select(postFields).from(posts).where(eq(posts.id, id))
  return post
}

/** How many posts each of these people has; a waiting version is none. A person without a post is not in the map. */
export async function countPostsOf(db: Db, personIds: string[]): Promise<Map<string, number>> {
  if (personIds.length === 0) return new Map()
  const counted = await db
    .select({ authorId: posts.authorId, count: sql<number>`count(*)::int` })
    .from(posts)
    .where(and(inArray(posts.authorId, personIds), isNull(posts.replacesId)))
    .groupBy(posts.authorId)
  return new Map(counted.map(({ authorId, count }) => [authorId!, count]))
}

/** Moves the waiting posts of a guest to the new account. Published posts keep the name they were published under. */
export async function movePendingPosts(db: Db, fromPersonId: string, toPersonId: string): Promise<void> {
  await db
    .update(posts)
    .set({ authorId: toPersonId, submittedFrom: null })
    .where(and(eq(posts.authorId, fromPersonId), isNull(posts.publishedAt)))
}

/** Deletes the waiting posts of a person and anonymizes the published ones. Returns the days of the feed that changed. */
export async function removeAuthor(db: Db, personId: string): Promise<string[]> {
  await db.delete(posts).where(and(eq(posts.authorId, personId), isNull(posts.publishedAt)))
  const left = await db
    .update(posts)
    .set({ authorId: null, authorName: deletedAuthorName, decisionReason: null })
    .where(eq(posts.authorId, personId))
    .returning({ day: posts.publishedOn })
  return [...new Set(left.flatMap(({ day }) => day ?? []))]
}

/**
 * Removes the name of an admin from all decisions, in steps, so that no statement exceeds its time limit. Each step locks
 * posts in the order in which `decide` locks them.
 */
export async function removeDecider(db: Db, adminId: string): Promise<void> {
  await removeDeciderOf(isNull(posts.replacesId), db, adminId)
  await removeDeciderOf(isNotNull(posts.replacesId), db, adminId)
}

async function removeDeciderOf(kind: SQL, db: Db, adminId: string): Promise<void> {
  let after = firstId
  for (;;) {
    const step = await db
      .select({ id: posts.id })
      .from(posts)
      .where(and(kind, eq(posts.decidedById, adminId), gt(posts.id, after)))
      .orderBy(posts.id)
      .limit(stepSize)
      .for('update')
    const last = step.at(-1)
    if (last === undefined) return
    const ids = step.map(({ id }) => id)
    await db
      .update(posts)
      .set({ decidedById: null })
      .where(sql`${posts.id} = any(${sql.param(ids)}::uuid[])`)
    after = last.id
  }
}

const stepSize = 5000
/** Lower than the id of any row. */
const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Computes the day of each post again, for another time zone. Each step is a transaction of its own, so that no lock
 * is held for long and an interrupted run can be repeated.
 */
export async function countFeedDaysAnew(db: Db, timeZone: string): Promise<void> {
  let after = firstId
  for (;;) {
    const step = await db
      .select({ id: posts.id, publishedAt: posts.publishedAt, publishedOn: posts.publishedOn })
      .from(posts)
      .where(and(isNotNull(posts.publishedAt), gt(posts.id, after)))
      .orderBy(posts.id)
      .limit(stepSize)
    const last = step.at(-1)
    if (last === undefined) return
    const days = step.map(({ id, publishedAt, publishedOn }) => ({
      id,
      publishedOn,
      day: dayOf(new Date(publishedAt!), timeZone),
    }))
    const moved = days.filter(({ day, publishedOn }) => day !== publishedOn)
    if (moved.length > 0)
      await db.execute(sql`
        update posts set published_on = fresh.day
        from unnest(${sql.param(moved.map(({ id }) => id))}::uuid[], ${sql.param(moved.map(({ day }) => day))}::date[])
          as fresh (id, day)
        where posts.id = fresh.id`)
    after = last.id
  }
}

/**
 * A condition on a post: it is published, and a generated one was shown by an admin. Written exactly as the condition of the
 * index `posts_counted`.
 */
export const isCounted = sql`posts.published_at is not null and (posts.post_type <> 'generated' or posts.decided_at is not null)`

/** Published posts with their counts, for each day, read from the index `posts_counted` alone. */
export const publishedPerDay = (db: Db) =>
  db
    .select({
      day: posts.publishedOn,
      posts: sql<number>`count(*)::int`,
      likes: sql<number>`sum(${posts.likeCount})::int`,
      comments: sql<number>`sum(${posts.commentCount})::int`,
    })
    .from(posts)
    .where(isCounted)
    .groupBy(posts.publishedOn)

/** Generated posts that no admin has shown yet. Admins find them in the list of published posts. */
const countUnshownPosts = (db: Db): Promise<number> =>
  db.$count(posts, sql`not is_visible and published_at is not null and not (${isCounted})`)

/** Counts the published posts in all and for each of the days from `firstDay` on, and the waiting ones. */
export async function countPosts(db: Db, firstDay: string) {
  const perDay = await publishedPerDay(db)
  const sumOf = (of: 'posts' | 'likes' | 'comments') => perDay.reduce((sum, each) => sum + each[of], 0)
  return {
    totalPosts: sumOf('posts') + (await countUnshownPosts(db)),
    totalLikes: sumOf('likes'),
    totalComments: sumOf('comments'),
    pendingPosts: (await findReviewQueue(db)).waiting,
    perDay: new Map(perDay.flatMap(({ day, posts: count }) => (day! < firstDay ? [] : [[day!, count]]))),
  }
}
