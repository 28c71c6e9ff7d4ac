import { setImmediate } from 'node:timers/promises'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Bookmark } from '#contract/bookmarks/endpoints.ts'
import { readingMinutes } from '#contract/feed/reading-time.ts'
import {
  endOfPage,
  isPublished,
  linkFields,
  linkOf,
  posts,
  publicPostFields,
} from '#server/features/feed/index.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor } from '#server/platform/http/answers/paging.ts'
import { bookmarks } from './schema.ts'

const isOf = (userId: string, postId: string) =>
  and(eq(bookmarks.userId, userId), eq(bookmarks.postId, postId))

export const isPublicPost = async (db: Db, postId: string): Promise<boolean> =>
  (await db.$count(posts, and(eq(posts.id, postId), isPublished))) > 0

export const isBookmarked = async (db: Db, userId: string, postId: string): Promise<boolean> =>
  (await db.$count(bookmarks, isOf(userId, postId))) > 0

/** The bookmarks of a person, with those of posts that nobody can read at the moment: they may return. */
export const countBookmarks = (db: Db, userId: string): Promise<number> =>
  db.$count(bookmarks, eq(bookmarks.userId, userId))

export async function insertBookmark(db: Db, userId: string, postId: string): Promise<void> {
  await db.insert(bookmarks).values({ userId, postId, createdAt: sql`app_now()` })
}

export async function deleteBookmark(db: Db, userId: string, postId: string): Promise<void> {
  await db.delete(bookmarks).where(isOf(userId, postId))
}

/** The bookmarks of public posts alone, the last one first. */
export const readableBookmarks = (db: Db, userId: string, before?: TimeCursor) =>
  db
    .select({
      id: bookmarks.postId,
      createdAt: bookmarks.createdAt,
      bytes: sql<number>`octet_length(${posts.content})`,
    })
    .from(bookmarks)
    .innerJoin(posts, and(eq(posts.id, bookmarks.postId), isPublished))
    .where(and(eq(bookmarks.userId, userId), isAfter(before, bookmarks.createdAt, bookmarks.postId)))
    .orderBy(desc(bookmarks.createdAt), desc(bookmarks.postId))
    .$dynamic()

export async function listIds(db: Db, userId: string): Promise<string[]> {
  const rows = await readableBookmarks(db, userId)
  return rows.map(({ id }) => id)
}

/** A page of the bookmarks of public posts, the last one first, and the place where the next page begins. */
export async function listPage(
  db: Db,
  userId: string,
  { limit, before }: { limit: number; before: TimeCursor | undefined },
): Promise<{ bookmarks: Bookmark[]; next: TimeCursor | undefined }> {
  const sized = await readableBookmarks(db, userId, before).limit(limit + 1)
  const { ids, next } = endOfPage(sized, limit)
  const rows = await db
    .select({
      ...linkFields,
      content: posts.content,
      authorId: publicPostFields.authorId,
      // `isPublished` requires it.
      publishedAt: sql<string>`${posts.publishedAt}`,
      createdAt: bookmarks.createdAt,
    })
    .from(bookmarks)
    .innerJoin(posts, and(eq(posts.id, bookmarks.postId), isPublished))
    .where(and(eq(bookmarks.userId, userId), sql`${posts.id} = any(${sql.param(ids)}::uuid[])`))
    .orderBy(desc(bookmarks.createdAt), desc(bookmarks.postId))
  const listed: Bookmark[] = []
  for (const { content, authorId, publishedAt, createdAt, ...row } of rows) {
    listed.push({ ...linkOf(row), authorId, readingMinutes: readingMinutes(content), publishedAt, createdAt })
    // Counting the words of a long text takes milliseconds, and other requests must not wait for all of them.
    await setImmediate()
  }
  return { bookmarks: listed, next }
}
