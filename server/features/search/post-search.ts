import { type SQL, sql } from 'drizzle-orm'
import { carriesName, isApproved, isPublished } from '#server/features/feed/index.ts'
import { isBlockBetween } from '#server/features/friends/index.ts'
import { avoidPlans } from '#server/platform/database/avoid-plans.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TextQuery } from '#server/platform/search/query.ts'
import { timeWordsBetween } from '#server/platform/search/times.ts'

/** Only the newest matches are ranked, so that a word of every post costs no more than a rare one. */
export const rankedMax = 200
/** How many posts are examined at once: those with all words of a phrase, or the posts of an author. */
const examinedMax = 500

/** How many of the newest posts a search reads before older ones. */
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
  /** The first instant. */
  from?: string | undefined
  /** The first instant after. */
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
  /** The post at which the next search begins. Undefined when there is no older one to examine. */
  next: PostCursor | undefined
}

/**
 * Examines the newest posts with these words. With an author it examines the newest posts of the author, whatever their words.
 * Returns those that match and that the reader may find, with their ranks. There may be none although `next` is set.
 */
export async function findPosts(
  db: Db,
  readerId: string | null,
  query: TextQuery,
  filter: PostFilter,
): Promise<Found> {
  const { author } = filter
  const rows = await db.transaction(async (tx) => {
    if (author !== undefined) {
      // Postgres expects few posts of an author. It would read all of them and sort them.
      await avoidPlans(tx, 'sort')
      return (await tx.execute<ExaminedPost>(authorsPostsQuery(readerId, query, filter, author))).rows
    }
    // Postgres does not count the cost of reading `words` from their separate storage. It would scan all posts for a frequent word.
    await avoidPlans(tx, 'seqscan')
    return readCandidates(tx, readerId, query, filter, await findPostTimes(tx, filter))
  })
  const examined = rows.slice(0, author === undefined ? examinedAtOnce(query) : examinedMax)
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
  /** The time of the first post after the newest `newestPosts`. Null when there is none. */
  start: string | null
  /** The time of the oldest post, whatever the filter. */
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
 * Reads the candidates, which are the posts with all words: those among the newest posts, and older ones only when these are too
 * few. Returns up to one more than are examined, since the next search starts there. No post is read twice, because the time of
 * a published post does not change.
 */
export async function readCandidates(
  db: Db,
  readerId: string | null,
  query: TextQuery,
  filter: PostFilter,
  { newest, start, oldest }: PostTimes,
): Promise<ExaminedPost[]> {
  const candidates: ExaminedPost[] = []
  if (newest === null || oldest === null) return candidates
  const earliest = filter.from === undefined ? oldest : later(filter.from, oldest)
  // Such a period is empty. No word would name it, so all posts with the words would be read.
  if (newest < earliest) return candidates
  const limit = examinedAtOnce(query) + 1
  let since = start === null ? earliest : later(start, earliest)
  let until: string | null = null
  for (;;) {
    const period = { since, until, newest }
    const statement = postsQuery(readerId, query, filter, period, limit - candidates.length)
    candidates.push(...(await db.execute<ExaminedPost>(statement)).rows)
    if (since === earliest || candidates.length === limit) return candidates
    const isEstimated = until === null && candidates.length >= leastSample
    until = since
    const ratio = isEstimated ? (1.5 * limit) / candidates.length : unestimatedRatio
    since = later(startBefore(newest, since, ratio), earliest)
  }
}

const later = (one: string, other: string) => (one > other ? one : other)

/** From so many candidates among the newest posts a search estimates how far back enough of them reach. */
const leastSample = 10
/** How much longer a period becomes without an estimate. A word that is rare among the newest posts may be frequent before them. */
const unestimatedRatio = 10
/** A shorter period may be a burst of posts, which says nothing about the time before it. */
const leastPeriodMs = 3_600_000

/** The start of a period that ends at `newest` and is `ratio` times as long as that from `start` on. */
function startBefore(newest: string, start: string, ratio: number): string {
  const end = Date.parse(newest)
  return new Date(end - ratio * Math.max(end - Date.parse(start), leastPeriodMs)).toISOString()
}

/** The period that a statement reads. */
interface Period {
  /** The first instant. */
  since: string
  /** The first instant after the period. Null: no limit. */
  until: string | null
  /** The time of the newest post, which ends the period when `until` is null. */
  newest: string
}

/** The SQL that finds the newest candidates of a period, at most `limit` of them, and examines them. */
export function postsQuery(
  readerId: string | null,
  query: TextQuery,
  { filters, to, top }: PostFilter,
  { since, until, newest }: Period,
  limit: number,
): SQL {
  // The sum keeps Postgres from the index of the times, by which it would read posts, the newest first, until enough have the words.
  const at = sql`(post_words.published_at + interval '0')`
  // The oldest period needs these words too. Without them a search up to an early day reads all newer posts from the index.
  const timeWords = timeWordsBetween(since, until ?? newest)
  const conditions = [
    sql`words @@ ${allWordsOf(query, filters)}::tsquery`,
    timeWords.length > 0 && sql`words @@ ${timeWords.map(quoted).join(' | ')}::tsquery`,
    sql`${at} >= ${since}::timestamptz`,
    until && sql`${at} < ${until}::timestamptz`,
    to && sql`${at} < ${to}::timestamptz`,
    top && sql`(${at}, post_id) <= (${top.publishedAt}::timestamptz, ${top.id}::uuid)`,
  ].flatMap((condition) => condition || [])
  const candidates = sql`
    select post_id, post_words.published_at, words from post_words
    where ${sql.join(conditions, sql` and `)}
    order by ${at} desc, post_id desc limit ${limit}::int`
  return examine(readerId, query, candidates, matchesPhrase(query))
}

/**
 * The SQL that examines the newest posts of an author, whatever their words, at most one more than `examinedMax`. A condition on
 * the author and the words together has no such bound: Postgres may read all posts with the words, or all posts of the author.
 */
export function authorsPostsQuery(
  readerId: string | null,
  query: TextQuery,
  { filters, from, to, top }: PostFilter,
  author: string,
): SQL {
  const conditions = [
    sql`${isApproved} and folded_name(author_name) = folded_name(${author})`,
    from && sql`published_at >= ${from}::timestamptz`,
    to && sql`published_at < ${to}::timestamptz`,
    top && sql`(published_at, id) <= (${top.publishedAt}::timestamptz, ${top.id}::uuid)`,
  ].flatMap((condition) => condition || [])
  const candidates = sql`
    select newest.id as post_id, newest.published_at, words from (
      select id, published_at from posts where ${sql.join(conditions, sql` and `)}
      order by published_at desc, id desc limit ${examinedMax + 1}::int) newest
    left join post_words on post_id = newest.id`
  const hasWords = sql`words @@ ${allWordsOf(query, filters)}::tsquery`
  // A post that was just published has no words yet.
  return examine(readerId, query, candidates, sql`coalesce(${hasWords} and ${matchesPhrase(query)}, false)`)
}

/** The SQL that ranks those candidates that match, and says which of them the reader may find. */
const examine = (readerId: string | null, { allWords }: TextQuery, candidates: SQL, isMatch: SQL): SQL => sql`
  with candidates as materialized (${candidates})
  select post_id as id, published_at as "publishedAt",
    case when is_match then ts_rank(words, ${allWords}::tsquery, 1) else 0 end as rank,
    is_match and coalesce((
      select ${isPublished} and ${isNotHiddenByBlock(readerId)} from posts where posts.id = post_id), false) as "isFound"
  from (select *, ${isMatch} as is_match from candidates offset 0) examined
  order by published_at desc, post_id desc`

const allWordsOf = ({ allWords }: TextQuery, filters: readonly string[]) =>
  [allWords, ...filters.map(quoted)].join(' & ')

const matchesPhrase = ({ exact, hasPhrase }: TextQuery) =>
  hasPhrase ? sql`ts_match_vq(words, ${exact}::tsquery)` : sql`true`

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
