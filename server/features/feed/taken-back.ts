import { and, desc, eq, sql } from 'drizzle-orm'
import { dayOf } from '#contract/days.ts'
import { takenBackDays } from '#contract/feed/post.ts'
import type { TakenBackPost } from '#contract/feed/own/endpoints.ts'
import { lockPerson } from '#server/features/account/index.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeSlice } from '#server/platform/http/answers/paging.ts'
import { statusOf } from './admin-posts.ts'
import type { OwnTexts } from './own-posts.ts'
import { beginningOf } from './queries.ts'
import { posts, takenBackPosts } from './schema.ts'
import { removeVersions } from './versions.ts'
import { savePostWords } from './words.ts'

/**
 * Moves a post to `taken_back_posts` and deletes its waiting version. Before this, the caller locks both and keeps the
 * waiting text as a version. `move` moves what other features store of the post.
 */
export async function takeBack(
  db: Db,
  { post, waiting }: OwnTexts,
  kind: TakenBackPost['kind'],
  move: () => Promise<void>,
): Promise<void> {
  const { replacesId: _, authorId, ...row } = post
  if (authorId === null) throw new Error('A post without an author cannot be taken back.')
  await db.insert(takenBackPosts).values({ ...row, authorId, takenBackAt: sql`app_now()`, kind })
  await move()
  if (waiting !== undefined) await db.delete(posts).where(eq(posts.id, waiting.id))
  await db.delete(posts).where(eq(posts.id, post.id))
}

const isOwn = (authorId: string, id: string) =>
  and(eq(takenBackPosts.id, id), eq(takenBackPosts.authorId, authorId))

/**
 * Moves a post back to `posts`. `publishedOn` is the day of `publishedAt` in `timeZone`, which may have changed since the
 * post was published. `move` moves what other features store of the post. Returns the row, or undefined when this person
 * has no such post.
 */
export async function restore(
  db: Db,
  { id, authorId, timeZone }: { id: string; authorId: string; timeZone: string },
  move: () => Promise<void>,
) {
  await lockPerson(db, authorId)
  const [found] = await db.select().from(takenBackPosts).where(isOwn(authorId, id)).for('update')
  if (found === undefined) return undefined
  const { takenBackAt: _, kind: __, ...row } = found
  const publishedOn = row.publishedAt === null ? null : dayOf(new Date(row.publishedAt), timeZone)
  await db.insert(posts).values({ ...row, publishedOn })
  await savePostWords(db, [id])
  await move()
  await db.delete(takenBackPosts).where(isOwn(authorId, id))
  return { ...row, publishedOn }
}

export async function listTakenBack(
  db: Db,
  authorId: string,
  { limit, before }: TimeSlice,
): Promise<TakenBackPost[]> {
  const { id, authorName, postType, createdAt, publishedAt, takenBackAt, kind } = takenBackPosts
  const rows = await db
    .select({
      id,
      authorName,
      postType,
      createdAt,
      publishedAt,
      takenBackAt,
      kind,
      beginning: beginningOf(takenBackPosts.content),
    })
    .from(takenBackPosts)
    .where(and(eq(takenBackPosts.authorId, authorId), isAfter(before, takenBackAt, id)))
    .orderBy(desc(takenBackAt), desc(id))
    .limit(limit)
  return rows.map((row) => ({ ...row, status: statusOf(row) }))
}

export async function isTakenBack(db: Db, authorId: string, id: string): Promise<boolean> {
  return (await db.$count(takenBackPosts, isOwn(authorId, id))) > 0
}

/** Deletes a post that was taken back, with its versions. Returns false when this person has no such post. */
export async function deleteTakenBack(db: Db, authorId: string, id: string): Promise<boolean> {
  await lockPerson(db, authorId)
  const deleted = await db.delete(takenBackPosts).where(isOwn(authorId, id))
  if (deleted.rowCount === 0) return false
  await removeVersions(db, [id])
  return true
}

const deletedAtOnce = 500

/** Deletes the posts that were taken back more than thirty days ago, with their versions. */
export async function purgeTakenBack(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const deleted = await db.execute(sql`
      with gone as (
        delete from taken_back_posts where id in (
          select id from taken_back_posts
          where taken_back_at < app_now() - make_interval(days => ${takenBackDays}::int)
          order by taken_back_at limit ${deletedAtOnce} for update skip locked)
        returning id
      ), versions as (delete from post_versions using gone where post_id = gone.id)
      select 1 from gone`)
    if ((deleted.rowCount ?? 0) < deletedAtOnce) return
  }
}
