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
import type { TimeCursor, TimeSlice } from '#server/platform/http/answers/paging.ts'
import { mapInTurns } from '#server/platform/map-in-turns.ts'
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

const isPublicBookmark = and(eq(posts.id, bookmarks.postId), isPublished)
const inOrder = [desc(bookmarks.createdAt), desc(bookmarks.postId)]

/** The bookmarks of public posts alone, the last one first, with the sizes of the texts. */
export const readableBookmarks = (db: Db, userId: string, before: TimeCursor | undefined) =>
  db
    .select({
      id: bookmarks.postId,
      createdAt: bookmarks.createdAt,
      bytes: sql<number>`octet_length(${posts.content})`,
    })
    .from(bookmarks)
    .innerJoin(posts, isPublicBookmark)
    .where(and(eq(bookmarks.userId, userId), isAfter(before, bookmarks.createdAt, bookmarks.postId)))
    .orderBy(...inOrder)
    .$dynamic()

/** The ids of the public posts of all bookmarks of a person, the last one first. */
export async function listBookmarkIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: bookmarks.postId })
    .from(bookmarks)
    .innerJoin(posts, isPublicBookmark)
    .where(eq(bookmarks.userId, userId))
    .orderBy(...inOrder)
  return rows.map(({ id }) => id)
}

/** A page of the bookmarks of public posts, the last one first, and the place where the next page begins. */
export async function listBookmarks(
  db: Db,
  userId: string,
  { limit, before }: TimeSlice,
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
    .innerJoin(posts, isPublicBookmark)
    .where(and(eq(bookmarks.userId, userId), sql`${posts.id} = any(${sql.param(ids)}::uuid[])`))
    .orderBy(...inOrder)
  const listed = await mapInTurns(rows, ({ content, authorId, publishedAt, createdAt, ...row }) => ({
    ...linkOf(row),
    authorId,
    readingMinutes: readingMinutes(content),
    publishedAt,
    createdAt,
  }))
  return { bookmarks: listed, next }
}
