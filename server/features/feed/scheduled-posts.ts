import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { dayOf } from '#contract/days.ts'
import { type Post, premiumPostsPerDay } from '#contract/feed/post.ts'
import type { ScheduledPost } from '#contract/feed/scheduled/endpoints.ts'
import { publishTimeError, scheduledPostsMax } from '#contract/feed/scheduled/rules.ts'
import { wordsOf } from '#contract/text-words.ts'
import type { Config } from '#server/config.ts'
import { lockPerson, users } from '#server/features/account/index.ts'
import type { Instance } from '#server/features/instance/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { isInstant, type TimeCursor, type TimeSlice } from '#server/platform/http/answers/paging.ts'
import { mapInTurns } from '#server/platform/map-in-turns.ts'
import { endOfPage } from './page-bytes.ts'
import { appearsWithoutReview } from './policy.ts'
import { addPost, beginningOf, type NewPost, noCounts, type Publication } from './queries.ts'
import { scheduledPosts } from './schema.ts'

type ScheduledRow = typeof scheduledPosts.$inferSelect

/** Says why a post cannot be scheduled for this time. */
export const refusedTime = (publishAt: string, now: Date): string | undefined =>
  isInstant(publishAt) ? publishTimeError(new Date(publishAt), now) : 'Please choose a real time.'

/**
 * Adds a scheduled post. Returns undefined when the author has as many as a person may have. Call this in a transaction: the
 * lock on the author keeps the count exact.
 */
export async function addScheduledPost(
  db: Db,
  post: NewPost & { authorId: string },
  publishAt: string,
): Promise<Post | undefined> {
  const { submittedFrom: _, ...written } = post
  await lockPerson(db, written.authorId)
  const count = await db.$count(scheduledPosts, eq(scheduledPosts.authorId, written.authorId))
  if (count >= scheduledPostsMax) return undefined
  const [added] = await db
    .insert(scheduledPosts)
    .values({ ...written, createdAt: sql`app_now()`, publishAt, attemptAt: publishAt })
    .returning()
  return { ...added!, ...noCounts, publishedAt: null, editedAt: null }
}

/**
 * Says why a premium post cannot be scheduled for this time: its author has `premiumPostsPerDay` others for that day of the
 * feed. Call this after the author is locked, which keeps the count exact.
 */
export async function refusedDay(
  db: Db,
  { id, authorId, publishAt }: { id: string; authorId: string; publishAt: string },
  { timeZone, limitsRates }: Pick<Config, 'timeZone' | 'limitsRates'>,
): Promise<string | undefined> {
  if (!limitsRates) return undefined
  const rows = await db
    .select({ publishAt: scheduledPosts.publishAt })
    .from(scheduledPosts)
    .where(
      and(
        eq(scheduledPosts.authorId, authorId),
        eq(scheduledPosts.postType, 'premium'),
        ne(scheduledPosts.id, id),
      ),
    )
  const dayAt = (time: string) => dayOf(new Date(time), timeZone)
  const count = rows.filter((row) => dayAt(row.publishAt) === dayAt(publishAt)).length
  if (count < premiumPostsPerDay) return undefined
  return `You have ${premiumPostsPerDay} scheduled posts on that day. Please choose another day.`
}

/** The scheduled posts of a person, the next one first. The cursor holds the time at which a post is published. */
export async function listScheduled(
  db: Db,
  authorId: string,
  { limit, before }: TimeSlice,
): Promise<{ posts: ScheduledPost[]; next: TimeCursor | undefined }> {
  const { id, content, authorName, postType, imageUrl, createdAt, publishAt } = scheduledPosts
  const inOrder = [asc(publishAt), asc(id)]
  const isAfter =
    before && sql`(${publishAt}, ${id}) > (${before.createdAt}::timestamptz, ${before.id}::uuid)`
  const sized = await db
    .select({ id, createdAt: publishAt, bytes: sql<number>`octet_length(${content})` })
    .from(scheduledPosts)
    .where(and(eq(scheduledPosts.authorId, authorId), isAfter))
    .orderBy(...inOrder)
    .limit(limit + 1)
  const { ids, next } = endOfPage(sized, limit)
  const rows = await db
    .select({
      id,
      beginning: beginningOf(content),
      content,
      authorName,
      postType,
      imageUrl,
      createdAt,
      publishAt,
    })
    .from(scheduledPosts)
    .where(inArray(id, ids))
    .orderBy(...inOrder)
  const counted = await mapInTurns(rows, ({ content: text, ...row }) => ({
    ...row,
    wordCount: wordsOf(text).length,
  }))
  return { posts: counted, next }
}

/**
 * Locks a scheduled post of its author until the end of the transaction. Returns undefined when this person has no such post.
 * Locks the author first, as every change does.
 */
export async function lockScheduledPost(
  db: Db,
  authorId: string,
  id: string,
): Promise<ScheduledRow | undefined> {
  await lockPerson(db, authorId)
  const [row] = await db
    .select()
    .from(scheduledPosts)
    .where(and(eq(scheduledPosts.id, id), eq(scheduledPosts.authorId, authorId)))
    .for('update')
  return row
}

export async function setPublishTime(db: Db, id: string, publishAt: string): Promise<void> {
  await db.update(scheduledPosts).set({ publishAt, attemptAt: publishAt }).where(eq(scheduledPosts.id, id))
}

export async function removeScheduledPost(db: Db, id: string): Promise<void> {
  await db.delete(scheduledPosts).where(eq(scheduledPosts.id, id))
}

/**
 * Keeps the account until the end of the transaction, and returns whether it is an admin. Returns undefined when it was
 * deleted. Other changes of the author do not wait for it; the lock on the post excludes them.
 */
export async function lockAuthorAgainstDeletion(
  db: Db,
  id: string,
): Promise<{ isAdmin: boolean } | undefined> {
  const [author] = await db
    .select({ isAdmin: users.isAdmin })
    .from(users)
    .where(eq(users.id, id))
    .for('key share')
  return author
}

interface Move {
  isAdmin: boolean
  publication: Publication
  config: Pick<Config, 'premiumPublish'>
  instance: Pick<Instance, 'settings'>
  /** Moves what other features store of the post. */
  move: () => Promise<void>
}

/**
 * Moves a locked scheduled post to `posts`. It waits for review when its author may no longer publish it, and with a watched
 * word.
 */
export async function moveToPosts(
  db: Db,
  row: ScheduledRow,
  { isAdmin, publication, config, instance, move }: Move,
): Promise<Post> {
  const isPublished = await appearsWithoutReview({ ...row, isAdmin }, { config, instance })
  const { id, content, authorName, authorId, postType, category, tags, form, isVisible, imageUrl } = row
  const written = { id, content, authorName, authorId, postType, category, tags, form, isVisible, imageUrl }
  const post = await addPost(db, { ...written, submittedFrom: null }, isPublished ? publication : undefined)
  await move()
  await removeScheduledPost(db, id)
  return post
}
