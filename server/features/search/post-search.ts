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
    const newestTime = await findNewestTime(tx, filter)
    if (newestTime.newest === null) return []
    return (await tx.execute<ExaminedPost>(postsQuery(readerId, query, filter, newestTime))).rows
  })
  const examined = rows.slice(0, examinedAtOnce(query))
  return {
    matches: examined.filter(({ isFound }) => isFound),
    first: examined[0],
    next: rows[examined.length],
  }
}

const examinedAtOnce = ({ hasPhrase }: TextQuery) => (hasPhrase ? examinedMax : rankedMax)

/** The time in which the newest posts were published. A search reads these posts first. */
interface NewestTime {
  /** Null when there are no posts. */
  newest: string | null
  /** Null when there are no older posts. */
  oldest: string | null
}

export async function findNewestTime(db: Db, { top, to }: PostFilter): Promise<NewestTime> {
  const within = sql`select published_at from post_words
    where ${top === undefined ? sql`true` : sql`(published_at, post_id) <= (${top.publishedAt}::timestamptz, ${top.id}::uuid)`}
      and ${to === undefined ? sql`true` : sql`published_at < ${to}::timestamptz`}
    order by published_at desc, post_id desc`
  const { rows } = await db.execute<NewestTime & Record<string, unknown>>(sql`
    select (${within} limit 1) as newest, (${within} limit 1 offset ${newestPosts}::int) as oldest`)
  return rows[0]!
}

/** How much longer the time before the newest time is, which a search reads next. */
const olderTimes = 9

/** The starts of the newest time and of the time before it. None when all posts are in the newest time. */
function startsOf({ newest, oldest }: NewestTime): string[] {
  if (oldest === null) return []
  const start = Date.parse(oldest)
  return [oldest, new Date(start - olderTimes * (Date.parse(newest!) - start)).toISOString()]
}

/**
 * The SQL of `findPosts`. Its first part reads the newest posts. Postgres goes on to the next part, of older posts, only when the
 * parts before it have too few matches. So few rows are read for a frequent word, and also for one that is rare among the newest
 * posts. The limit is one row more than are examined: this row is the start of the next search.
 */
export function postsQuery(
  readerId: string | null,
  query: TextQuery,
  { filters, author, from, to, top }: PostFilter,
  newestTime: NewestTime,
): SQL {
  const { allWords, exact, hasPhrase } = query
  const limit = examinedAtOnce(query) + 1
  // The sum keeps Postgres from reading all posts in the order of their times.
  const at = sql`(post_words.published_at + interval '0')`
  const ofAuthor =
    author === undefined
      ? sql``
      : sql`join posts on posts.id = post_id and ${isPublished} and folded_name(author_name) = folded_name(${author})`
  const starts = startsOf(newestTime).filter((start) => from === undefined || start > from)
  const parts = [...starts, from].map((since, index) => {
    const until = starts[index - 1]
    const times = since === undefined ? [] : timeWordsBetween(since, until ?? newestTime.newest!)
    const words = [allWords, ...filters.map(quoted)]
    if (times.length > 0) words.push(`(${times.map(quoted).join(' | ')})`)
    const conditions = [
      sql`words @@ ${words.join(' & ')}::tsquery`,
      since && sql`${at} >= ${since}::timestamptz`,
      until && sql`${at} < ${until}::timestamptz`,
      to && sql`${at} < ${to}::timestamptz`,
      top && sql`(${at}, post_id) <= (${top.publishedAt}::timestamptz, ${top.id}::uuid)`,
    ].flatMap((condition) => condition || [])
    return sql`(
      select post_id, post_words.published_at, words from post_words ${ofAuthor}
      where ${sql.join(conditions, sql` and `)}
      order by ${at} desc, post_id desc limit ${limit}::int)`
  })
  return sql`
    with found as materialized (select * from (${sql.join(parts, sql` union all `)}) parts limit ${limit}::int)
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
