import { and, desc, eq, lt, notInArray, sql } from 'drizzle-orm'
import { moreByAuthorMax, type PostLink, type PostNeighbours } from '#contract/feed/links/endpoints.ts'
import { firstWordsOf, type PublicPost } from '#contract/feed/post.ts'
import { formOf } from '#contract/text-form.ts'
import { type Db, executePrepared } from '#server/platform/database/pool.ts'
import { authorHasPage, carriesName, isPublished } from './authors.ts'
import { findPublicPost } from './queries.ts'
import { posts } from './schema.ts'

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
  // Between the reads an admin may have hidden the post.
  return neighbours && { post, neighbours, moreByAuthor: await listFurther(db, id, neighbours) }
}

/** The posts around a public post in the feed of its day. */
export async function findNeighbours(db: Db, id: string): Promise<PostNeighbours | undefined> {
  const rows = await executePrepared<NeighbourRow>(db, 'select_post_neighbours', neighboursOf(id))
  if (rows.length === 0) return undefined
  const linkTo = (which: Which) => {
    const row = rows.find((each) => each.which === which)
    return row ? linkOf(row) : null
  }
  return { previous: linkTo('previous'), next: linkTo('next') }
}

type Which = 'previous' | 'next'

/** A neighbour of a post. For a post without neighbours there is one row, and all its columns are null. */
interface NeighbourRow extends LinkRow, Record<string, unknown> {
  which: Which | null
}

/** The neighbours of a public post in the feed of its day. No row when there is no such post. */
export const neighboursOf = (id: string) => sql`
  with place as (
    select published_on, sort_order, published_at, id from posts where id = ${id}::uuid and ${isPublished}
  )
  select around.* from place left join lateral (
    (${neighbour('previous')}) union all (${neighbour('next')})
  ) as around on true`

function neighbour(which: Which) {
  const [order, isBeyond] =
    which === 'next' ? [sql.raw('desc'), sql.raw('<')] : [sql.raw('asc'), sql.raw('>')]
  return sql`
    select ${which}::text as which, posts.id, ${linkFields.beginning} as beginning, author_name as "authorName"
    from posts
    where posts.published_on = place.published_on and ${isPublished}
      and (posts.sort_order, posts.published_at, posts.id) ${isBeyond} (place.sort_order, place.published_at, place.id)
    order by posts.sort_order ${order}, posts.published_at ${order}, posts.id ${order}
    limit 1`
}

/** Further posts on the page of the author of a post, without its neighbours. Undefined when there is no such post. */
export async function listMoreByAuthorOf(db: Db, id: string): Promise<PostLink[] | undefined> {
  const neighbours = await findNeighbours(db, id)
  return neighbours && listFurther(db, id, neighbours)
}

async function listFurther(db: Db, id: string, { previous, next }: PostNeighbours): Promise<PostLink[]> {
  const shown = [id, previous?.id, next?.id].filter((each) => each !== undefined)
  return (await furtherByAuthor(db, id, shown)).map(linkOf)
}

/** The newest posts on the page of the author of a post, without those with these ids. */
export const furtherByAuthor = (db: Db, id: string, without: string[]) =>
  db
    .select(linkFields)
    .from(posts)
    .where(
      and(
        eq(
          posts.authorId,
          sql`(select posts.author_id from posts where posts.id = ${id}::uuid and ${isPublished} and ${authorHasPage})`,
        ),
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
