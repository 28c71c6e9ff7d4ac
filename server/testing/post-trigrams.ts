import { sql } from 'drizzle-orm'
import { addMissingTrigrams } from '#server/features/feed/index.ts'
import type { Db } from '#server/platform/database/pool.ts'

/** The posts without trigrams. */
export async function postsWithoutTrigrams(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select post_id as id from post_trigrams where trigrams is null order by post_id`,
  )
  return rows.map(({ id }) => id)
}

/** Stores the trigrams of all posts. Fails if a post has no row, or a row has no post: a search would not find the post. */
export async function storeTrigrams(db: Db): Promise<void> {
  const { rows } = await db.execute(sql`
    select id as post, post_id as row from posts full join post_trigrams on post_id = id where id is null or post_id is null`)
  if (rows.length > 0) throw new Error(`Posts and rows differ: ${JSON.stringify(rows)}`)
  // The server may store some at the same time.
  while ((await postsWithoutTrigrams(db)).length > 0)
    await addMissingTrigrams(db, new AbortController().signal)
}
