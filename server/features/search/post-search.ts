import { type SQL, sql } from 'drizzle-orm'
import { carriesName, isPublished } from '#server/features/feed/index.ts'
import { isBlockBetween } from '#server/features/friends/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TextQuery } from '#server/platform/search/query.ts'
import { timeWordsBetween } from '#server/platform/search/times.ts'

/** Only the newest matches are ranked, so that a word of every post costs no more than a rare one. */
export const rankedMax = 200
/** How many posts with all words of a phrase are examined for the phrase at once. */
const examinedMax = 500

/** How many of the newest posts are searched before all older ones. */
const newestPosts = 10_000

/** A post in the order of the matches: the newest first, and of the same time the one with the highest id. */
export interface PostCursor {
  publishedAt: string
  id: string
}

interface PostFilter {
  /** Filter words that a post must have, beside the words that were typed. */
  filters: readonly string[]
  author?: string | undefined
  from?: string | undefined
  to?: string | undefined
  /** The search begins at this post and leaves out newer ones. */
  top?: PostCursor | undefined
}

interface ExaminedPost extends PostCursor, Record<string, unknown> {
  rank: number
  /** Whether the post matches the phrase and the reader may find the post. */
  isFound: boolean
}

export interface Found {
  matches: ExaminedPost[]
  /** The newest post that was examined, also if it is no match. */
  first: PostCursor | undefined
  /** The post at which the next search begins. Undefined when no older post has these words. */
  next: PostCursor | undefined
}

/**
 * Examines the newest posts with these words. Returns those that match the phrase and that the reader may find, with their
 * ranks. There may be none although `next` is set.
 */
export async function findPosts(
  db: Db,
  readerId: string | null,
  query: TextQuery,
  filter: PostFilter,
): Promise<Found> {
  const rows = await db.transaction(async (tx) => {
    // Postgres takes the comparison of words that are stored apart for a cheap one, and would scan all posts for a frequent word.
    await tx.execute(sql`set local enable_seqscan = off`)
    return readMatches(tx, readerId, query, filter, await findPostTimes(tx, filter))
  })
  const examined = rows.slice(0, examinedAtOnce(query))
  return {
    matches: examined.filter(({ isFound }) => isFound),
    first: examined[0],
    next: rows[examined.length],
  }
}

const examinedAtOnce = ({ hasPhrase }: TextQuery) => (hasPhrase ? examinedMax : rankedMax)

interface PostTimes {
  /** The time of the newest post. Null when there are no posts. */
  newest: string | null
  /** The time of the last of the newest posts. Null when there are no older ones. */
  start: string | null
  /** The time of the oldest post. */
  oldest: string | null
}

async function findPostTimes(db: Db, { top, to }: PostFilter): Promise<PostTimes> {
  const within = sql`select published_at from post_words
    where ${top === undefined ? sql`true` : sql`(published_at, post_id) <= (${top.publishedAt}::timestamptz, ${top.id}::uuid)`}
      and ${to === undefined ? sql`true` : sql`published_at < ${to}::timestamptz`}
    order by published_at desc, post_id desc`
  const { rows } = await db.execute<PostTimes & Record<string, unknown>>(sql`
    select (${within} limit 1) as newest, (${within} limit 1 offset ${newestPosts}::int) as start,
      (select min(published_at) from post_words) as oldest`)
  return rows[0]!
}

/**
 * Reads the newest posts first, and older ones only when these have too few matches. So few rows are read, both for a frequent
 * word and for a rare one. Returns at most one match more than are examined: it is the start of the next search.
 */
export async function readMatches(
  db: Db,
  readerId: string | null,
  query: TextQuery,
  filter: PostFilter,
  { newest, start, oldest }: PostTimes,
): Promise<ExaminedPost[]> {
  const matches: ExaminedPost[] = []
  if (newest === null || oldest === null) return matches
  const limit = examinedAtOnce(query) + 1
  let [since, until]: [string | null, string | null] = [start, null]
  for (;;) {
    if (since !== null && since <= (filter.from ?? oldest)) since = null
    const statement = postsQuery(readerId, query, filter, { since, until, newest }, limit - matches.length)
    matches.push(...(await db.execute<ExaminedPost>(statement)).rows)
    if (since === null || matches.length === limit) return matches
    const isFirst = until === null
    until = since
    since = isFirst ? startBefore(newest, since, limit / matches.length) : null
  }
}

/**
 * The start of a time that probably has enough matches: they are as frequent there as in the newest time, from `start` to
 * `newest`, which has too few. Null when the newest time has none.
 */
function startBefore(newest: string, start: string, times: number): string | null {
  const end = Date.parse(newest)
  const since = new Date(end - 1.5 * times * (end - Date.parse(start)))
  return Number.isNaN(since.getTime()) ? null : since.toISOString()
}

/** The time whose posts a statement reads. */
interface SearchedTime {
  /** Null: from the oldest post on, or from `from` on. */
  since: string | null
  /** The first time that is not searched. Null: up to the newest post. */
  until: string | null
  /** The time of the newest post. */
  newest: string
}

/** The SQL that finds the newest matches in a time, at most `limit` of them. */
export function postsQuery(
  readerId: string | null,
  { allWords, exact, hasPhrase }: TextQuery,
  { filters, author, from, to, top }: PostFilter,
  { since, until, newest }: SearchedTime,
  limit: number,
): SQL {
  // The sum keeps Postgres from reading all posts in the order of their times.
  const at = sql`(post_words.published_at + interval '0')`
  const ofAuthor =
    author === undefined
      ? sql``
      : sql`join posts on posts.id = post_id and ${isPublished} and folded_name(author_name) = folded_name(${author})`
  const start = since ?? from
  const times = start === undefined ? [] : timeWordsBetween(start, until ?? newest)
  const conditions = [
    sql`words @@ ${[allWords, ...filters.map(quoted)].join(' & ')}::tsquery`,
    times.length > 0 && sql`words @@ ${times.map(quoted).join(' | ')}::tsquery`,
    start && sql`${at} >= ${start}::timestamptz`,
    until && sql`${at} < ${until}::timestamptz`,
    to && sql`${at} < ${to}::timestamptz`,
    top && sql`(${at}, post_id) <= (${top.publishedAt}::timestamptz, ${top.id}::uuid)`,
  ].flatMap((condition) => condition || [])
  return sql`
    with found as materialized (
      select post_id, post_words.published_at, words from post_words ${ofAuthor}
      where ${sql.join(conditions, sql` and `)}
      order by ${at} desc, post_id desc limit ${limit}::int)
    select post_id as id, published_at as "publishedAt",
      case when is_match then ts_rank(words, ${allWords}::tsquery, 1) else 0 end as rank,
      is_match and coalesce((
        select ${isPublished} and ${isNotHiddenByBlock(readerId)} from posts where posts.id = post_id), false) as "isFound"
    from (select *, ${hasPhrase ? sql`ts_match_vq(words, ${exact}::tsquery)` : sql`true`} as is_match from found offset 0) examined
    order by published_at desc, post_id desc`
}

const quoted = (word: string) => `'${word}'`

/**
 * Leaves out posts that carry the name of their author when one of the author and the reader has blocked the other. Posts under
 * a pen name stay: otherwise a reader who blocks a person could find out the pen names of this person.
 */
const isNotHiddenByBlock = (readerId: string | null): SQL =>
  readerId === null
    ? sql`true`
    : sql`not exists (select 1 from users where users.id = posts.author_id and ${carriesName}
        and ${isBlockBetween(sql`${readerId}`, sql`users.id`)})`
