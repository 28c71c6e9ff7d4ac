import { hash } from 'node:crypto'
import { and, desc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { dayOf } from '#contract/days.ts'
import { deletedAuthorName, type PendingPost, type Post } from '#contract/feed/post.ts'
import { type Db, statement } from '#server/platform/database/pool.ts'
import type { TimeCursor } from '#server/platform/http/paging.ts'
import { posts } from './schema.ts'

const postFields = {
  id: posts.id,
  content: posts.content,
  authorName: posts.authorName,
  authorId: posts.authorId,
  postType: posts.postType,
  isVisible: posts.isVisible,
  imageUrl: posts.imageUrl,
  createdAt: posts.createdAt,
  publishedAt: posts.publishedAt,
  likeCount: posts.likeCount,
  shareCount: posts.shareCount,
  commentCount: posts.commentCount,
  sortOrder: posts.sortOrder,
}

const isPublic = and(eq(posts.isVisible, true), isNotNull(posts.publishedAt))

/** The place in the order of a feed day behind which the next page begins. */
export interface FeedCursor {
  sortOrder: number
  publishedAt: string
  id: string
}

/** The posts of a day: higher `sortOrder` first, then newest first. */
export async function listPostsOfDay(
  db: Db,
  day: string,
  { limit, before }: { limit: number; before?: FeedCursor | undefined },
): Promise<Post[]> {
  return postsOfDay(db, day, before).limit(limit)
}

export function postsOfDay(db: Db, day: string, before?: FeedCursor) {
  return db
    .select(postFields)
    .from(posts)
    .where(
      and(
        eq(posts.publishedOn, day),
        eq(posts.isVisible, true),
        before &&
          sql`(${posts.sortOrder}, ${posts.publishedAt}, ${posts.id}) < (${before.sortOrder}::int, ${before.publishedAt}::timestamptz, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(posts.sortOrder), desc(posts.publishedAt), desc(posts.id))
    .$dynamic()
}

export async function findPublicPost(db: Db, id: string): Promise<Post | undefined> {
  const [post] = await db
    .select(postFields)
    .from(posts)
    .where(and(eq(posts.id, id), isPublic))
  return post
}

/** What waits for review, newest first. */
export async function listPendingPosts(
  db: Db,
  { limit, before }: { limit: number; before?: TimeCursor | undefined },
): Promise<PendingPost[]> {
  const rows = await pendingPosts(db, before).limit(limit)
  return rows.map((row) => ({ ...row, status: 'pending' }))
}

export function pendingPosts(db: Db, before?: TimeCursor) {
  return db
    .select(postFields)
    .from(posts)
    .where(
      and(
        isNull(posts.publishedAt),
        before &&
          sql`(${posts.createdAt}, ${posts.id}) < (${before.createdAt}::timestamptz, ${before.id}::uuid)`,
      ),
    )
    .orderBy(desc(posts.createdAt), desc(posts.id))
    .$dynamic()
}

export interface NewPost {
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

/** This moment by the database clock, and its day: read once, so that the two agree at midnight too. */
export async function publicationNow(db: Db, timeZone: string): Promise<Publication> {
  const { rows } = await db.execute<{ now: string }>(sql`select app_now() as now`)
  const now = new Date(rows[0]!.now)
  return { publishedAt: now.toISOString(), publishedOn: dayOf(now, timeZone) }
}

/** Adds a post that stands in the feed at once, or without a publication one that waits for review. */
export async function addPost(db: Db, post: NewPost, publication?: Publication): Promise<Post> {
  const { id, content, authorName, authorId, postType, isVisible = true, imageUrl = null } = post
  const { publishedAt = null, publishedOn = null } = publication ?? {}
  const written = { id, content, authorName, authorId, postType, isVisible, imageUrl, publishedAt }
  const [added] = await insertPost(db).execute({
    ...written,
    publishedOn,
    submittedFrom: post.submittedFrom,
    contentDigest: digestOf(content),
  })
  // What was written need not travel back.
  return { ...written, ...noCounts, createdAt: added!.createdAt }
}

/** As the table has them for a new post. */
const noCounts = { likeCount: 0, shareCount: 0, commentCount: 0, sortOrder: 0 }

const { placeholder } = sql

const insertPost = statement((db) =>
  db
    .insert(posts)
    .values({
      id: placeholder('id'),
      content: placeholder('content'),
      authorName: placeholder('authorName'),
      authorId: placeholder('authorId'),
      postType: placeholder('postType'),
      isVisible: placeholder('isVisible'),
      imageUrl: placeholder('imageUrl'),
      publishedAt: placeholder('publishedAt'),
      publishedOn: placeholder('publishedOn'),
      submittedFrom: placeholder('submittedFrom'),
      contentDigest: placeholder('contentDigest'),
      createdAt: sql`coalesce(${placeholder('publishedAt')}::timestamptz, app_now())`,
    })
    .returning({ createdAt: posts.createdAt })
    .prepare('insert_post'),
)

export const digestOf = (content: string): string => hash('sha256', content, 'base64url')

/** What already came from an address: the waiting posts, and whether this text came within a day (S47). */
export async function countOrigin(db: Db, submittedFrom: string, contentDigest: string) {
  const [counted] = await db
    .select({
      waiting: sql<number>`count(*) filter (where ${posts.publishedAt} is null)::int`,
      same: sql<number>`count(*) filter (where ${posts.contentDigest} = ${contentDigest} and ${posts.createdAt} > app_now() - interval '1 day')::int`,
    })
    .from(posts)
    .where(eq(posts.submittedFrom, submittedFrom))
  return counted!
}

export async function countPending(db: Db): Promise<number> {
  const [counted] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(posts)
    .where(isNull(posts.publishedAt))
  return counted!.count
}

/** One submission of people without an account at a time, so that its counts hold. */
export async function lockSubmissions(db: Db): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended('submissions', 0))`)
}

/**
 * Publishes all of these posts that still wait, or none: undefined when one of them does not exist. Answers the ids
 * that changed. To be called inside a transaction.
 */
export async function publishPosts(
  db: Db,
  ids: string[],
  timeZone: string,
): Promise<{ approved: string[]; publishedOn: string } | undefined> {
  const found = await db
    .select({ id: posts.id })
    .from(posts)
    .where(inArray(posts.id, ids))
    // In one order for everybody, so that two bulk approvals cannot wait for each other.
    .orderBy(posts.id)
    .for('update')
  if (found.length < ids.length) return undefined
  const publication = await publicationNow(db, timeZone)
  const published = await db
    .update(posts)
    .set(publication)
    .where(and(inArray(posts.id, ids), isNull(posts.publishedAt)))
    .returning({ id: posts.id })
  return { approved: published.map(({ id }) => id), publishedOn: publication.publishedOn }
}

export async function findPost(db: Db, id: string): Promise<Post | undefined> {
  const [post] = await db.select(postFields).from(posts).where(eq(posts.id, id))
  return post
}

/** How many posts each of these people has; who has none is left out. */
export async function countPostsOf(db: Db, personIds: string[]): Promise<Map<string, number>> {
  if (personIds.length === 0) return new Map()
  const counted = await db
    .select({ authorId: posts.authorId, count: sql<number>`count(*)::int` })
    .from(posts)
    .where(inArray(posts.authorId, personIds))
    .groupBy(posts.authorId)
  return new Map(counted.map(({ authorId, count }) => [authorId!, count]))
}

/** A guest who signs up takes along what waits; what is published already stands under its name. */
export async function movePendingPosts(db: Db, fromPersonId: string, toPersonId: string): Promise<void> {
  await db
    .update(posts)
    .set({ authorId: toPersonId, submittedFrom: null })
    .where(and(eq(posts.authorId, fromPersonId), isNull(posts.publishedAt)))
}

/** What waits goes; what is published stays without identity. Answers the days of the feed that changed. */
export async function removeAuthor(db: Db, personId: string): Promise<string[]> {
  await db.delete(posts).where(and(eq(posts.authorId, personId), isNull(posts.publishedAt)))
  const left = await db
    .update(posts)
    .set({ authorId: null, authorName: deletedAuthorName })
    .where(eq(posts.authorId, personId))
    .returning({ day: posts.publishedOn })
  return [...new Set(left.flatMap(({ day }) => day ?? []))]
}

const stepSize = 5000

/**
 * Counts the days of all posts anew, by the same calendar as that of new posts. Each step is a transaction of its own:
 * what was cut short can be begun again, and no lock is held for long.
 */
export async function countFeedDaysAnew(db: Db, timeZone: string): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000'
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
