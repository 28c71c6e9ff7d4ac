import { and, inArray, sql } from 'drizzle-orm'
import { categoryOf } from '#contract/feed/categories.ts'
import { lengthClassOf } from '#contract/search/length.ts'
import { formOf } from '#contract/text-form.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { factWord, vectorOf } from '#server/platform/search/words.ts'
import { isPublished } from './authors.ts'
import { posts } from './schema.ts'

const writtenFields = {
  id: posts.id,
  content: posts.content,
  authorName: posts.authorName,
  publishedAt: posts.publishedAt,
  category: posts.category,
  form: posts.form,
  tags: posts.tags,
}
type Written = Pick<typeof posts.$inferSelect, keyof typeof writtenFields>

/** Posts are read and stored in steps of this many, so that long texts take little memory. */
const postsAtOnce = 20

/** Stores the words of those of these posts that are published, as they are now. Call this in the transaction that changes them. */
export async function savePostWords(db: Db, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += postsAtOnce) {
    const step = await db
      .select(writtenFields)
      .from(posts)
      .where(and(inArray(posts.id, ids.slice(from, from + postsAtOnce)), isPublished))
      .orderBy(posts.publishedAt, posts.id)
    await addPostWords(db, step)
  }
}

/** Stores the words of published posts. A post that is published again comes before all others, as in the feed; one that was only edited keeps its place. */
export async function addPostWords(db: Db, written: readonly Written[]): Promise<void> {
  if (written.length === 0) return
  await db.execute(sql`
    insert into post_words as old (post_id, published_at, words)
    select * from unnest(${sql.param(written.map(({ id }) => id))}::uuid[],
      ${sql.param(written.map(({ publishedAt }) => publishedAt))}::timestamptz[],
      ${sql.param(written.map(wordsOfPost))}::tsvector[]) new (id, at, words)
    on conflict (post_id) do update set words = excluded.words, published_at = excluded.published_at,
      number = case when old.published_at = excluded.published_at then old.number else excluded.number end`)
}

function wordsOfPost({ content, authorName, category, form, tags }: Written): string {
  const { title, isVerse } = formOf(content)
  const titleEnd = title === null ? 0 : content.indexOf(title) + title.length
  return vectorOf(content, titleEnd, [
    factWord('author', authorName),
    factWord('category', category ?? categoryOf(content)),
    factWord('form', form ?? (isVerse ? 'verse' : 'prose')),
    factWord('length', lengthClassOf(content)),
    ...tags.map((tag) => factWord('tag', tag)),
  ])
}

/** Removes the name of a person from the words of all posts of this person, before the posts lose it. */
export async function removeAuthorFromWords(db: Db, personId: string): Promise<void> {
  await db.execute(sql`
    update post_words
    set words = ts_delete(words, array(select lexeme from unnest(words) where starts_with(lexeme, ${factWord('author', '')})))
    from posts where posts.id = post_words.post_id and posts.author_id = ${personId}`)
}

const examinedAtOnce = 2000
const addedAtOnce = 100
/** Of the locks of transactions; no other part of the program takes it. */
const indexing = sql`hashtextextended('post words', 0)`

/** Where `indexPosts` goes on. */
interface Place {
  publishedOn: string
  sortOrder: number
  publishedAt: string
  id: string
}

/**
 * Stores the words of published posts that have none: posts of before the search, or posts that an older version of the
 * program has published. Goes from the newest day back to `sinceDay`, or through all days, in small steps. A post gets a
 * lower number than all posts that have one.
 */
export async function indexPosts(db: Db, signal: AbortSignal, sinceDay = '-infinity'): Promise<void> {
  let place: Place | undefined
  do {
    const before: Place | undefined = place
    const { rows } = await db.execute<Place & { isMissing: boolean } & Record<string, unknown>>(sql`
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
    for (let from = 0; from < missing.length && !signal.aborted; from += addedAtOnce)
      await addOlderWords(db, missing.slice(from, from + addedAtOnce))
    place = rows.length === examinedAtOnce ? rows.at(-1) : undefined
  } while (place !== undefined && !signal.aborted)
}

/** One process at a time adds older posts, so that all of their numbers differ. */
function addOlderWords(database: Db, ids: readonly string[]): Promise<void> {
  return database.transaction(async (db) => {
    await db.execute(sql`select pg_advisory_xact_lock(${indexing})`)
    const read = await db
      .select(writtenFields)
      .from(posts)
      .where(and(inArray(posts.id, [...ids]), isPublished))
    const found = ids.flatMap((one) => read.find((each) => each.id === one) ?? [])
    await db.execute(sql`
      insert into post_words (post_id, published_at, words, number)
      select new.id, at, words, least((select min(number) from post_words), ${2 ** 30}::int) - place
      from unnest(${sql.param(found.map((each) => each.id))}::uuid[],
        ${sql.param(found.map((each) => each.publishedAt))}::timestamptz[],
        ${sql.param(found.map(wordsOfPost))}::tsvector[]) with ordinality new (id, at, words, place)
      on conflict do nothing`)
  })
}
