import { sql } from 'drizzle-orm'
import { addMissingWordsSince } from '#server/features/feed/index.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'

/** Stores the words of all published posts, so that a search finds them. Returns the posts whose words could not be stored. */
export async function storeWords(db: Db): Promise<string[]> {
  const failed: string[] = []
  await addMissingWordsSince(db, new AbortController().signal, {
    onFailure: (_error, postId) => failed.push(postId),
  })
  return failed
}

/** Adds a published post without words, of which no process knows. */
export async function addPostWithoutWords(
  db: Db,
  content: string,
  publishedAt = '2025-06-10T12:00:00Z',
): Promise<string> {
  const id = newId({ clock: systemClock, random: systemRandom })
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select ${id}, ${content}, 'Ana Lima', 'standard', at, at, at::date, '' from (select ${publishedAt}::timestamptz as at) one`)
  return id
}
