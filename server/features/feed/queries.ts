import { createHash } from 'node:crypto'
import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { deletedAuthorName, type PendingPost, type Post } from '#contract/feed/post.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor } from '#server/platform/http/paging.ts'
import { instanceFacts } from '#server/platform/schema.ts'
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

/** Adds a post that waits for review, or one that stands in the feed of `publishedOn` at once. */
export async function addPost(
  db: Db,
  post: NewPost,
  { publishedOn }: { publishedOn: string | null },
): Promise<Post> {
  const [added] = await db
    .insert(posts)
    .values({
      ...post,
      contentDigest: digestOf(post.content),
      createdAt: sql`app_now()`,
      publishedAt: publishedOn === null ? null : sql`app_now()`,
      publishedOn,
    })
    .returning(postFields)
  return added!
}

export const digestOf = (content: string): string => createHash('sha256').update(content).digest('base64url')

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

/** One submission of an address (or one of all) at a time, so that its counts hold. */
export async function lockSubmissions(db: Db, of: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`submissions ${of}`}, 0))`)
}

/**
 * Publishes all of these posts that still wait, or none: undefined when one of them does not exist. Answers the ids
 * that changed.
 */
export async function publishPosts(
  db: Db,
  ids: string[],
  publishedOn: string,
): Promise<string[] | undefined> {
  const found = await db
    .select({ id: posts.id })
    .from(posts)
    .where(inArray(posts.id, ids))
    // In one order for everybody, so that two bulk approvals cannot wait for each other.
    .orderBy(posts.id)
    .for('update')
  if (found.length < ids.length) return undefined
  const published = await db
    .update(posts)
    .set({ publishedAt: sql`app_now()`, publishedOn })
    .where(and(inArray(posts.id, ids), isNull(posts.publishedAt)))
    .returning({ id: posts.id })
  return published.map(({ id }) => id)
}

export async function findPost(db: Db, id: string): Promise<Post | undefined> {
  const [post] = await db.select(postFields).from(posts).where(eq(posts.id, id))
  return post
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

/** Counts the days of all posts anew when the time zone in use is another than the last time. */
export async function alignFeedDays(db: Db, timeZone: string): Promise<void> {
  await db.transaction(async (tx) => {
    const name = 'time-zone'
    await tx.insert(instanceFacts).values({ name, value: timeZone }).onConflictDoNothing()
    const [fact] = await tx.select().from(instanceFacts).where(eq(instanceFacts.name, name)).for('update')
    if (fact!.value === timeZone) return
    await tx.execute(sql`set local statement_timeout = 0`)
    await tx.execute(
      sql`update posts set published_on = (published_at at time zone ${timeZone})::date where published_at is not null`,
    )
    await tx.update(instanceFacts).set({ value: timeZone }).where(eq(instanceFacts.name, name))
  })
}
