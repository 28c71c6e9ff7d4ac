import { inArray, sql } from 'drizzle-orm'
import { avoidPlans } from '#server/platform/database/avoid-plans.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { trigramsOf } from '#server/platform/search/trigrams.ts'
import { posts } from './schema.ts'

/** How many posts are read and locked at a time. */
const postBatch = 20

/**
 * Stores the trigrams of all posts that have none, in small steps. Processes that do so at the same time take different
 * posts. A post that somebody changes at the moment is left to the next call.
 */
export async function addMissingTrigrams(db: Db, signal: AbortSignal): Promise<void> {
  let last: string | undefined = '00000000-0000-0000-0000-000000000000'
  while (last !== undefined && !signal.aborted) last = await addBatch(db, last)
}

/** Returns the last post of the batch; undefined when there was none. */
const addBatch = (db: Db, after: string): Promise<string | undefined> =>
  db.transaction(async (tx) => {
    // In the order of the ids. Otherwise each batch would read again the index entries of the rows that are done, until a vacuum.
    const { rows } = await tx.execute<{ id: string }>(sql`
      select post_id as id from post_trigrams where trigrams is null and post_id > ${after}::uuid
      order by post_id limit ${postBatch}::int for update skip locked`)
    const ids = rows.map(({ id }) => id)
    // The lock keeps the text as it is until these trigrams are stored. A change that waits for it sets them to null, by the
    // trigger of `posts`.
    const written = await tx
      .select({ id: posts.id, content: posts.content, authorName: posts.authorName })
      .from(posts)
      .where(inArray(posts.id, ids))
      .for('share', { skipLocked: true })
    // The migration may have added a row for a post that was deleted meanwhile.
    if (written.length < ids.length)
      await tx.execute(sql`
        delete from post_trigrams where post_id = any(${sql.param(ids)}::uuid[])
          and not exists (select 1 from posts where id = post_id)`)
    for (const { id, content, authorName } of written)
      await tx.execute(sql`
        update post_trigrams set trigrams = ${sql.param(trigramsOf(`${content}\n${authorName}`))}::smallint[]
        where post_id = ${id}`)
    return ids.at(-1)
  })

/** The posts that may have the text as a part. Undefined if these are more than `max`, or if the text has no trigram. */
export async function findCandidates(db: Db, text: string, max: number): Promise<string[] | undefined> {
  const trigrams = trigramsOf(text)
  if (trigrams.length === 0) return undefined
  return db.transaction(async (tx) => {
    // Without this setting Postgres would read the whole table for trigrams that many posts have.
    await avoidPlans(tx, 'seqscan')
    const { rows } = await tx.execute<{ id: string }>(candidatesQuery(trigrams, max + 1))
    return rows.length > max ? undefined : rows.map(({ id }) => id)
  })
}

/** Posts without trigrams are candidates too: theirs are not stored yet. */
export const candidatesQuery = (trigrams: number[], limit: number) => sql`
  (select post_id as id from post_trigrams where trigrams @> ${sql.param(trigrams)}::smallint[] limit ${limit}::int)
  union all
  (select post_id from post_trigrams where trigrams is null limit ${limit}::int)`
