import { type SQL, sql } from 'drizzle-orm'
import { blockBits, blockOfPost, carriesName, isPublished } from '#server/features/feed/index.ts'
import { isBlockBetween } from '#server/features/friends/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TextQuery } from '#server/platform/search/query.ts'

/** Only the newest matches are ranked, so that a word of every post costs no more than a rare one. */
export const rankedMax = 200
/** How many posts with all words of a phrase are examined for the phrase at once. */
const examinedMax = 500

export interface PostFilter {
  /** Words of the index that a post must have, beside those that were typed. */
  facts: readonly string[]
  from?: string | undefined
  to?: string | undefined
}

export interface PostMatch extends Record<string, unknown> {
  id: string
  number: number
  rank: number
}

/** The newest matches, and the number of the oldest post that was examined; undefined when no older post matches. */
export interface Found {
  matches: PostMatch[]
  last: number | undefined
}

/** The numbers among which a search with a time looks. */
export async function findNumbers(
  db: Db,
  { from, to }: PostFilter,
): Promise<{ top: number; bottom: number }> {
  const { rows } = await db.execute<{ top: number | null; bottom: number | null }>(sql`
    select
      (select number from post_words where ${to === undefined ? sql`true` : sql`published_at < ${to}::timestamptz`}
        order by ${to === undefined ? sql`number desc` : sql`published_at desc, number desc`} limit 1) as top,
      ${from === undefined ? sql`0` : sql`(select number from post_words where published_at >= ${from}::timestamptz order by published_at, number limit 1)`} as bottom`)
  const { top, bottom } = rows[0]!
  return top === null || bottom === null ? { top: 0, bottom: 1 } : { top, bottom }
}

/**
 * The newest of the posts with these words whose numbers are from `bottom` to `top`, with their ranks. The index
 * is asked for the newest two blocks of posts first. Postgres looks in the older posts only when these have too few matches, so
 * that few rows are read, however frequent a word is.
 */
export async function findPosts(
  db: Db,
  readerId: string | null,
  query: TextQuery,
  { facts, top, bottom }: { facts: readonly string[]; top: number; bottom: number },
): Promise<Found> {
  const limit = query.hasPhrase ? examinedMax : rankedMax
  const { rows } = await db.transaction(async (tx) => {
    // Postgres takes the comparison of words that are stored apart for a cheap one, and would scan all posts for a frequent word.
    await tx.execute(sql`set local enable_seqscan = off`)
    return tx.execute<PostMatch & { isFound: boolean }>(postsQuery(readerId, query, { facts, top, bottom }))
  })
  return {
    matches: rows.filter(({ isFound }) => isFound),
    last: rows.length < limit ? undefined : rows.reduce((least, { number }) => Math.min(least, number), top),
  }
}

export function postsQuery(
  readerId: string | null,
  { allWords, exact, hasPhrase }: TextQuery,
  { facts, top, bottom }: { facts: readonly string[]; top: number; bottom: number },
): SQL {
  const limit = hasPhrase ? examinedMax : rankedMax
  const all = sql`${[allWords, ...facts.map((fact) => `'${fact}'`)].join(' & ')}::tsquery`
  const block = top >> blockBits
  // `number + 0` keeps Postgres from reading all posts in the order of their numbers.
  const matches = (condition: SQL) => sql`(
    select post_id, number, words from post_words where words @@ ${all} and ${condition} and number + 0 >= ${bottom}::int
    order by number + 0 desc limit ${limit}::int)`
  return sql`
    with found as materialized (
      ${matches(sql`${blockOfPost} && array[${block}, ${block - 1}]::int[] and number + 0 <= ${top}::int`)}
      union all ${matches(sql`number + 0 < ${(block - 1) << blockBits}::int`)}
      limit ${limit}::int)
    select post_id as id, number, case when is_match then ts_rank(words, ${allWords}::tsquery, 1) else 0 end as rank,
      is_match and coalesce((
        select ${isPublished} and ${isNoPostOfBlocked(readerId)} from posts where posts.id = post_id), false) as "isFound"
    from (select *, ${hasPhrase ? sql`ts_match_vq(words, ${exact}::tsquery)` : sql`true`} as is_match from found offset 0) examined
    order by number desc`
}

/**
 * Posts that lead to the page of a person whom the reader has blocked, or who has blocked the reader, are left out. Posts
 * under a pen name are not: if they were, a reader who blocks a person would learn the pen names of this person.
 */
const isNoPostOfBlocked = (readerId: string | null): SQL =>
  readerId === null
    ? sql`true`
    : sql`not exists (select from users where users.id = posts.author_id and ${carriesName}
        and ${isBlockBetween(sql`${readerId}`, sql`users.id`)})`
