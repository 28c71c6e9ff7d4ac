import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Cover } from '#contract/covers/paths.ts'
import { isPublished, posts } from '#server/features/feed/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { covers } from './schema.ts'

export async function addCover(db: Db, cover: Cover & { bytes: number }): Promise<void> {
  await db.insert(covers).values({ ...cover, uploadedAt: sql`app_now()` })
}

/** The address of a cover contains its id and its size. */
const hasAddressOf = ({ id, width, height }: Cover) =>
  and(eq(covers.id, id), eq(covers.width, width), eq(covers.height, height))

const isUnused = and(isNull(covers.postId), isNull(covers.takenBackPostId), isNull(covers.scheduledPostId))

/**
 * Whether a cover may be read: one of a post that everybody can read (`published`), or one that no post uses (`unused`).
 * Only the admin who uploaded it knows the address of a cover that no post has used. Undefined for all others.
 */
export async function findReadableCover(db: Db, cover: Cover): Promise<'published' | 'unused' | undefined> {
  const [found] = await db
    .select({ postId: covers.postId })
    .from(covers)
    .leftJoin(posts, eq(posts.id, covers.postId))
    .where(and(hasAddressOf(cover), or(isUnused, isPublished)))
  return found && (found.postId === null ? 'unused' : 'published')
}

/** The post that uses a cover: one of `posts`, or one that is scheduled. */
export type CoverUse = { postId: string } | { scheduledPostId: string }

/** Gives an unused cover to a post. False when there is none at this address. */
export async function assignCover(db: Db, cover: Cover, use: CoverUse): Promise<boolean> {
  const assigned = await db
    .update(covers)
    .set(use)
    .where(and(hasAddressOf(cover), isUnused))
  return assigned.rowCount === 1
}

/** Deletes the rows of covers that no post has used within a day. Returns their ids. */
export async function removeUnusedCovers(db: Db): Promise<string[]> {
  const removed = await db
    .delete(covers)
    .where(and(isUnused, lt(covers.uploadedAt, sql`app_now() - interval '1 day'`)))
    .returning({ id: covers.id })
  return removed.map(({ id }) => id)
}

/** A waiting post has another id after a change. Its cover follows it. */
export async function moveCoverOfPost(
  db: Db,
  { fromId, toId }: { fromId: string; toId: string },
): Promise<void> {
  await db.update(covers).set({ postId: toId }).where(eq(covers.postId, fromId))
}

/** The author took the post back: the cover stays for a restoration. */
export async function putCoverAside(db: Db, postId: string): Promise<void> {
  await db.update(covers).set({ postId: null, takenBackPostId: postId }).where(eq(covers.postId, postId))
}

export async function bringCoverBack(db: Db, postId: string): Promise<void> {
  await db.update(covers).set({ postId, takenBackPostId: null }).where(eq(covers.takenBackPostId, postId))
}

/** The scheduled post is one of `posts` now. */
export async function moveCoverOfScheduledPost(db: Db, postId: string): Promise<void> {
  await db.update(covers).set({ postId, scheduledPostId: null }).where(eq(covers.scheduledPostId, postId))
}

/** Deletes the row of the cover of a post, also of one that was taken back. Returns its id. */
export async function removeCoverOf(db: Db, postId: string): Promise<string[]> {
  const removed = await db
    .delete(covers)
    .where(or(eq(covers.postId, postId), eq(covers.takenBackPostId, postId)))
    .returning({ id: covers.id })
  return removed.map(({ id }) => id)
}
