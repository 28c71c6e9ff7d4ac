import { setImmediate as pause } from 'node:timers/promises'
import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { categoryOf } from '#contract/feed/categories.ts'
import { lengthClassOf } from '#contract/search/length.ts'
import { formOf } from '#contract/text-form.ts'
import { pickColumns } from '#server/platform/database/columns.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { isDatabaseUnavailable } from '#server/platform/database/unavailable.ts'
import { timeWordsOf } from '#server/platform/search/times.ts'
import { filterWord, vectorOf } from '#server/platform/search/words.ts'
import { isApproved } from './authors.ts'
import { posts } from './schema.ts'

const writtenFields = pickColumns(posts, 'id', 'content', 'publishedAt', 'category', 'form', 'tags')
type Written = Pick<typeof posts.$inferSelect, keyof typeof writtenFields>

/** How many posts are read at a time, so that long texts take little memory. */
const postBatch = 20
/** A statement ends after the post that reaches this number of characters, so that no statement exceeds its time limit. */
const maxStatementLength = 500_000

/**
 * Stores the current words of each of these posts that is published. Call this in the transaction that changes a text, or that
 * publishes a text again: no reader finds a post by words that it no longer has.
 */
export async function savePostWords(db: Db, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += postBatch) {
    const written = await readPublishedPosts(db, ids.slice(from, from + postBatch))
    for await (const rows of wordRowsOf(written))
      await db.execute(sql`
        insert into post_words (post_id, published_at, words) select * from ${rows}
        on conflict (post_id) do update set words = excluded.words, published_at = excluded.published_at`)
  }
}

const readPublishedPosts = (db: Db, ids: string[], condition?: SQL): Promise<Written[]> =>
  db
    .select(writtenFields)
    .from(posts)
    .where(and(inArray(posts.id, ids), isApproved, condition))

/** `offset 0` keeps Postgres from reading the words of all posts to find which of a few have none. */
const hasNoWords = sql`not exists (select 1 from post_words where post_id = posts.id offset 0)`

/**
 * Finds the words of posts, and yields them as tables `new (id, at, words)`, each for one statement. After each post other
 * requests run (S51).
 */
export async function* wordRowsOf(written: readonly Written[]): AsyncGenerator<SQL> {
  let rows: { id: string; at: string | null; words: string }[] = []
  let size = 0
  for (const [index, post] of written.entries()) {
    const words = await vectorOfPost(post)
    rows.push({ id: post.id, at: post.publishedAt, words })
    size += words.length
    await pause()
    if (size < maxStatementLength && index < written.length - 1) continue
    yield sql`unnest(${sql.param(rows.map(({ id }) => id))}::uuid[], ${sql.param(rows.map(({ at }) => at))}::timestamptz[],
      ${sql.param(rows.map((row) => row.words))}::tsvector[]) new (id, at, words)`
    rows = []
    size = 0
  }
}

/** The name of the author is not among the words: it changes when the account is deleted. */
export function vectorOfPost({ content, publishedAt, category, form, tags }: Written): Promise<string> {
  const { title, isVerse } = formOf(content)
  const titleEnd = title === null ? 0 : content.indexOf(title) + title.length
  return vectorOf(content, titleEnd, [
    ...timeWordsOf(publishedAt!),
    filterWord('category', category ?? categoryOf(content)),
    filterWord('form', form ?? (isVerse ? 'verse' : 'prose')),
    filterWord('length', lengthClassOf(content)),
    ...tags.map((tag) => filterWord('tag', tag)),
  ])
}

/** How many posts a step of `addMissingWordsSince` examines. */
const examinedAtOnce = 2000

/** The last post that `addMissingWordsSince` has examined. */
interface IndexCursor {
  publishedOn: string
  sortOrder: number
  publishedAt: string
  id: string
}

/** The posts of one step, and whether each has no words. */
export const selectPublishedBefore = (cursor: IndexCursor | undefined, sinceDay: string) => sql`
  select published_on as "publishedOn", sort_order as "sortOrder", published_at as "publishedAt", id,
    ${hasNoWords} as "isMissing"
  from posts
  where ${isApproved} and published_on >= ${sinceDay}::date ${
    cursor === undefined
      ? sql``
      : sql`and (published_on, sort_order, published_at, id) < (${cursor.publishedOn}::date, ${cursor.sortOrder}::int, ${cursor.publishedAt}::timestamptz, ${cursor.id}::uuid)`
  }
  order by published_on desc, sort_order desc, published_at desc, id desc limit ${examinedAtOnce}`

type OnFailure = (error: unknown, postId: string) => void

/**
 * Stores the words of published posts that have none, from the newest day back to `sinceDay`, or of all days, in small
 * steps. Such posts were published before the program had a search, or by an older version of the program, or by a process
 * that was killed before it stored their words. A post whose words cannot be stored is left out.
 */
export async function addMissingWordsSince(
  db: Db,
  signal: AbortSignal,
  { sinceDay = '-infinity', onFailure }: { sinceDay?: string | undefined; onFailure: OnFailure },
): Promise<void> {
  let cursor: IndexCursor | undefined
  do {
    const { rows } = await db.execute<IndexCursor & { isMissing: boolean } & Record<string, unknown>>(
      selectPublishedBefore(cursor, sinceDay),
    )
    const missing = rows.filter(({ isMissing }) => isMissing).map(({ id }) => id)
    await addMissingWords(db, signal, { ids: missing, onFailure })
    cursor = rows.length === examinedAtOnce ? rows.at(-1) : undefined
  } while (cursor !== undefined && !signal.aborted)
}

/**
 * Stores the words of these posts that are published and have none. A post whose words cannot be stored is left out.
 * `afterBatch` gets the posts that need no other try.
 */
export async function addMissingWords(
  db: Db,
  signal: AbortSignal,
  {
    ids,
    onFailure,
    afterBatch,
  }: { ids: string[]; onFailure: OnFailure; afterBatch?: (ids: string[]) => void },
): Promise<void> {
  for (let from = 0; from < ids.length && !signal.aborted; from += postBatch) {
    const batch = ids.slice(from, from + postBatch)
    await addBatch(db, batch, onFailure)
    afterBatch?.(batch)
  }
}

/** If the batch fails, each post is tried alone. An unavailable database is the failure of no post: the error is thrown. */
async function addBatch(db: Db, ids: string[], onFailure: OnFailure): Promise<void> {
  try {
    await addWords(db, ids)
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    if (ids.length === 1) return onFailure(error, ids[0]!)
    for (const id of ids) await addBatch(db, [id], onFailure)
  }
}

/**
 * Stores words only for posts that have none. A post may be changed or deleted after it was read: words that such a change
 * stored are not replaced, and a deleted post gets none. The statement locks posts in the order in which `decide` locks them,
 * and waits for a deletion that has begun.
 */
async function addWords(db: Db, ids: string[]): Promise<void> {
  for await (const rows of wordRowsOf(await readPublishedPosts(db, ids, hasNoWords)))
    await db.execute(sql`
      insert into post_words (post_id, published_at, words)
      select new.* from ${rows} join posts on posts.id = new.id order by posts.id for key share of posts
      on conflict do nothing`)
}
