import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { Cover } from '#contract/covers/paths.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { covers } from './schema.ts'

export async function addCover(db: Db, cover: Cover & { bytes: number }): Promise<void> {
  await db.insert(covers).values({ ...cover, uploadedAt: sql`app_now()` })
}

const isSame = ({ id, width, height }: Cover) =>
  and(eq(covers.id, id), eq(covers.width, width), eq(covers.height, height))

export const isCover = async (db: Db, cover: Cover): Promise<boolean> =>
  (await db.$count(covers, isSame(cover))) > 0

/** Gives an unused cover to a post. False when there is none. */
export async function takeCover(db: Db, cover: Cover, postId: string): Promise<boolean> {
  const taken = await db
    .update(covers)
    .set({ postId })
    .where(and(isSame(cover), isNull(covers.postId)))
  return taken.rowCount === 1
}

/** Deletes covers that no post has used within a day. Returns their ids. */
export async function removeUnusedCovers(db: Db): Promise<string[]> {
  const removed = await db
    .delete(covers)
    .where(and(isNull(covers.postId), lt(covers.uploadedAt, sql`app_now() - interval '1 day'`)))
    .returning({ id: covers.id })
  return removed.map(({ id }) => id)
}

/** Which of these ids are covers. */
export async function listCovers(db: Db, ids: string[]): Promise<string[]> {
  const found = await db.select({ id: covers.id }).from(covers).where(inArray(covers.id, ids))
  return found.map(({ id }) => id)
}
