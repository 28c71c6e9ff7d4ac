import { sql } from 'drizzle-orm'
import type { Db } from '#server/platform/database/pool.ts'

const stepSize = 5000

/**
 * Deletes the bookmarks of posts that are gone for good: neither public, nor hidden, nor taken back. Each step is a statement of
 * its own, so that none exceeds its time limit.
 */
export async function purgeBookmarks(db: Db, signal: AbortSignal): Promise<void> {
  let after = { userId: '', postId: '00000000-0000-0000-0000-000000000000' }
  while (!signal.aborted) {
    const { rows } = await db.execute<typeof after>(sql`
      with step as (
        select user_id, post_id from bookmarks
        where (user_id, post_id) > (${after.userId}, ${after.postId}::uuid) order by user_id, post_id limit ${stepSize}
      ), deleted as (
        delete from bookmarks using step
        where bookmarks.user_id = step.user_id and bookmarks.post_id = step.post_id
          and not exists (select 1 from posts where id = step.post_id)
          and not exists (select 1 from taken_back_posts where id = step.post_id))
      select user_id as "userId", post_id as "postId" from step order by user_id desc, post_id desc limit 1`)
    const [last] = rows
    if (last === undefined) return
    after = last
  }
}
