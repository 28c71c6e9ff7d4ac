import { and, asc, desc, eq, lt, notInArray, sql } from 'drizzle-orm'
import { moreByAuthorMax, type PostLink, type PostNeighbours } from '#contract/feed/links/endpoints.ts'
import { firstWordsOf, type PublicPost } from '#contract/feed/post.ts'
import { formOf } from '#contract/text-form.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { authorHasPage, carriesName, isPublished } from './authors.ts'
import { findPublicPost } from './queries.ts'
import { posts } from './schema.ts'

/** The place of a public post in the feed. */
type Place = Pick<typeof posts.$inferSelect, 'id' | 'publishedOn' | 'publishedAt' | 'sortOrder'>

/** A post with what leads on from it. */
export interface Article {
  post: PublicPost
  neighbours: PostNeighbours
  moreByAuthor: PostLink[]
}

/** Longer than a title with the blank line behind it. The rest of a long text is not sent by the database. */
const linkedCharacters = 400

/** What `linkOf` makes a link of. */
export const linkFields = {
  id: posts.id,
  beginning: sql<string>`left(ltrim(${posts.content}, E' \\t\\n'), ${sql.raw(String(linkedCharacters))})`,
  authorName: posts.authorName,
}

export async function findArticle(db: Db, id: string): Promise<Article | undefined> {
  const post = await findPublicPost(db, id)
  const neighbours = post && (await findNeighbours(db, id))
  const moreByAuthor = post && (await listMoreByAuthorOf(db, id))
  // Between the reads an admin may have hidden the post.
  return neighbours && moreByAuthor && { post, neighbours, moreByAuthor }
}

/** The posts around a public post in the feed of its day. */
export async function findNeighbours(db: Db, id: string): Promise<PostNeighbours | undefined> {
  const { publishedOn, publishedAt, sortOrder } = posts
  const [place] = await db
    .select({ id: posts.id, publishedOn, publishedAt, sortOrder })
    .from(posts)
    .where(and(eq(posts.id, id), isPublished))
  if (place === undefined) return undefined
  const [[previous], [next]] = [await neighbour(db, place, 'previous'), await neighbour(db, place, 'next')]
  return { previous: previous ? linkOf(previous) : null, next: next ? linkOf(next) : null }
}

/** The next or previous post of the feed of a day. */
export function neighbour(
  db: Db,
  { id, publishedOn, publishedAt, sortOrder }: Place,
  which: 'previous' | 'next',
) {
  const [inOrder, isBeyond] = which === 'next' ? [desc, sql.raw('<')] : [asc, sql.raw('>')]
  return db
    .select(linkFields)
    .from(posts)
    .where(
      and(
        eq(posts.publishedOn, publishedOn!),
        isPublished,
        sql`(${posts.sortOrder}, ${posts.publishedAt}, ${posts.id}) ${isBeyond} (${sortOrder}::int, ${publishedAt}::timestamptz, ${id}::uuid)`,
      ),
    )
    .orderBy(inOrder(posts.sortOrder), inOrder(posts.publishedAt), inOrder(posts.id))
    .limit(1)
}

/** Further posts on the page of the author of a post, without its neighbours. Undefined when there is no such post. */
export async function listMoreByAuthorOf(db: Db, id: string): Promise<PostLink[] | undefined> {
  const neighbours = await findNeighbours(db, id)
  if (neighbours === undefined) return undefined
  const shown = [id, neighbours.previous?.id, neighbours.next?.id].filter((each) => each !== undefined)
  const [author] = await db
    .select({ id: posts.authorId })
    .from(posts)
    .where(and(eq(posts.id, id), isPublished, authorHasPage))
  return author ? (await postsOfAuthor(db, author.id!, shown)).map(linkOf) : []
}

/** The newest posts on the page of a person, without those with these ids. */
export const postsOfAuthor = (db: Db, authorId: string, without: string[]) =>
  db
    .select(linkFields)
    .from(posts)
    .where(
      and(
        eq(posts.authorId, authorId),
        isPublished,
        sql`(select ${carriesName} from users where users.id = posts.author_id)`,
        notInArray(posts.id, without),
      ),
    )
    .orderBy(desc(posts.publishedAt), desc(posts.id))
    .limit(moreByAuthorMax)

/** The last day before a day on which the feed has a post. */
export async function findLastDayBefore(db: Db, day: string): Promise<string | null> {
  const [found] = await lastDayBefore(db, day)
  return found?.day ?? null
}

export const lastDayBefore = (db: Db, day: string) =>
  db
    .select({ day: posts.publishedOn })
    .from(posts)
    .where(and(lt(posts.publishedOn, day), isPublished))
    .orderBy(desc(posts.publishedOn))
    .limit(1)

interface LinkRow {
  id: string
  beginning: string
  authorName: string
}

export const linkOf = ({ id, beginning: content, authorName }: LinkRow): PostLink => ({
  id,
  title: formOf(content).title ?? firstWordsOf({ content }),
  authorName,
})
