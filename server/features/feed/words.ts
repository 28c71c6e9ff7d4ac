import { setImmediate as pause } from 'node:timers/promises'
import { and, inArray, type SQL, sql } from 'drizzle-orm'
import { categoryOf } from '#contract/feed/categories.ts'
import { lengthClassOf } from '#contract/search/length.ts'
import { formOf } from '#contract/text-form.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { timeWordsOf } from '#server/platform/search/times.ts'
import { filterWord, vectorOf } from '#server/platform/search/words.ts'
import { isPublished } from './authors.ts'
import { posts } from './schema.ts'

const writtenFields = {
  id: posts.id,
  content: posts.content,
  publishedAt: posts.publishedAt,
  category: posts.category,
  form: posts.form,
  tags: posts.tags,
}
type Written = Pick<typeof posts.$inferSelect, keyof typeof writtenFields>

/** How many posts are read at a time, so that long texts take little memory. */
const postBatch = 20
/** A statement ends after the post that reaches this number of characters, so that no statement exceeds its time limit. */
const maxStatementLength = 500_000

/** Stores the current words of each of these posts that is published. Call this in the transaction that changes the posts. */
export async function savePostWords(db: Db, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += postBatch)
    await addPostWords(db, await readPublishedPosts(db, ids.slice(from, from + postBatch)))
}

const readPublishedPosts = (db: Db, ids: string[]): Promise<Written[]> =>
  db
    .select(writtenFields)
    .from(posts)
    .where(and(inArray(posts.id, ids), isPublished))

/** Stores the words of published posts. */
export async function addPostWords(db: Db, written: readonly Written[]): Promise<void> {
  for await (const rows of rowsOf(written))
    await db.execute(sql`
      insert into post_words (post_id, published_at, words) select * from ${rows}
      on conflict (post_id) do update set words = excluded.words, published_at = excluded.published_at`)
}

/** The rows of `post_words` for these posts, as a table `new` for each statement. Other requests run after each post (S51). */
async function* rowsOf(written: readonly Written[]): AsyncGenerator<SQL> {
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
function vectorOfPost({ content, publishedAt, category, form, tags }: Written): Promise<string> {
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

/** How many posts a step of `indexPosts` examines. */
const examinedAtOnce = 2000

/** The last post that `indexPosts` has examined. */
interface IndexCursor {
  publishedOn: string
  sortOrder: number
  publishedAt: string
  id: string
}

interface Indexing {
  sinceDay?: string | undefined
  onFailure: (error: unknown, postId: string) => void
}

/**
 * Stores the words of published posts that have none: posts of before the search, or posts that an older version of the
 * program has published. Goes from the newest day back to `sinceDay`, or through all days, in small steps. A post whose words
 * cannot be stored is left out.
 */
export async function indexPosts(
  db: Db,
  signal: AbortSignal,
  { sinceDay = '-infinity', onFailure }: Indexing,
): Promise<void> {
  let cursor: IndexCursor | undefined
  do {
    const before: IndexCursor | undefined = cursor
    const { rows } = await db.execute<IndexCursor & { isMissing: boolean } & Record<string, unknown>>(sql`
      select published_on as "publishedOn", sort_order as "sortOrder", published_at as "publishedAt", id,
        not exists (select from post_words where post_id = posts.id) as "isMissing"
      from posts
      where ${isPublished} and published_on >= ${sinceDay}::date ${
        before === undefined
          ? sql``
          : sql`and (published_on, sort_order, published_at, id) < (${before.publishedOn}::date, ${before.sortOrder}::int, ${before.publishedAt}::timestamptz, ${before.id}::uuid)`
      }
      order by published_on desc, sort_order desc, published_at desc, id desc limit ${examinedAtOnce}`)
    const missing = rows.filter(({ isMissing }) => isMissing).map(({ id }) => id)
    for (let from = 0; from < missing.length && !signal.aborted; from += postBatch)
      await addMissingWords(db, missing.slice(from, from + postBatch), onFailure)
    cursor = rows.length === examinedAtOnce ? rows.at(-1) : undefined
  } while (cursor !== undefined && !signal.aborted)
}

/** Stores the words of these posts in one batch. If the batch fails, each post is tried alone. */
async function addMissingWords(db: Db, ids: string[], onFailure: Indexing['onFailure']): Promise<void> {
  try {
    await addOlderWords(db, ids)
  } catch (error) {
    if (ids.length === 1) return onFailure(error, ids[0]!)
    for (const id of ids) await addMissingWords(db, [id], onFailure)
  }
}

/**
 * Stores words only for posts that have none. A post may be changed or deleted after it was read: words that such a change
 * stored are not replaced, and a deleted post gets none. The statement locks posts in the order in which `decide` locks them,
 * and waits for a deletion that has begun.
 */
async function addOlderWords(db: Db, ids: string[]): Promise<void> {
  for await (const rows of rowsOf(await readPublishedPosts(db, ids)))
    await db.execute(sql`
      insert into post_words (post_id, published_at, words)
      select new.* from ${rows} join posts on posts.id = new.id order by posts.id for key share of posts
      on conflict do nothing`)
}
