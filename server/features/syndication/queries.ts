import { and, asc, desc, eq, inArray, not, type SQL, sql } from 'drizzle-orm'
import { dayOf } from '#contract/days.ts'
import { users } from '#server/features/account/index.ts'
import { isPublished, posts, publicPostFields } from '#server/features/feed/index.ts'
import {
  isWithheld,
  ofAuthor,
  passageBytes,
  roomMembers,
  roomPassages,
  rooms,
  shownContent,
  shownName,
} from '#server/features/rooms/index.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor } from '#server/platform/http/answers/paging.ts'

const itemsMax = 50
/** The texts of a page are not longer together, unless the page has one item. */
export const textsMaxBytes = 1024 * 1024

/** An item of a feed without its text. */
interface Sized extends TimeCursor {
  bytes: number
}

/** Cuts a list, which is read with one item more than a page has, to a page. `next` is the cursor of the older page. */
export function cutByBytes<Item extends Sized>(found: readonly Item[]) {
  let bytes = 0
  const tooMany = found.findIndex((item, place) => {
    bytes += item.bytes
    return place === itemsMax || (place > 0 && bytes > textsMaxBytes)
  })
  const shown = tooMany === -1 ? found : found.slice(0, tooMany)
  return { shown, next: tooMany === -1 ? undefined : shown.at(-1) }
}

/** The newest published posts, with sizes instead of texts. */
export function listNewestPosts(db: Db, timeZone: string, before: TimeCursor | undefined) {
  // The index `posts_of_feed_day` has the days in order. Within a day its order is not that of feeds, so Postgres sorts it.
  const day = before && dayOf(new Date(before.createdAt), timeZone)
  const isOlder =
    before &&
    sql`${posts.publishedOn} <= ${day}::date and (${posts.publishedOn} < ${day}::date or ${isAfter(before, posts.publishedAt, posts.id)})`
  return sized(db, and(isPublished, sql`${posts.publishedOn} is not null`, isOlder), [
    desc(posts.publishedOn),
  ])
}

/** The newest posts on the page of a person, with sizes instead of texts. */
export const listNewestPostsOf = (
  db: Db,
  person: { id: string; name: string },
  before: TimeCursor | undefined,
) =>
  sized(
    db,
    and(
      eq(posts.authorId, person.id),
      isPublished,
      // Almost every post has the name. For a bare comparison Postgres would estimate that few have it, and sort them all.
      sql`coalesce(lower(${posts.authorName}) = lower(${person.name}::text), false)`,
      isAfter(before, posts.publishedAt, posts.id),
    ),
    [],
  )

/** The ids are found first, with an index alone; then the sizes of these posts are read. */
function sized(db: Db, isFound: SQL | undefined, order: SQL[]) {
  const newest = db
    .select({ id: posts.id })
    .from(posts)
    .where(isFound)
    .orderBy(...order, desc(posts.publishedAt), desc(posts.id))
    .limit(itemsMax + 1)
    .as('newest')
  return db
    .select({
      id: posts.id,
      createdAt: sql<string>`${posts.publishedAt}`,
      bytes: sql<number>`octet_length(${posts.content})`,
    })
    .from(newest)
    .innerJoin(posts, eq(posts.id, newest.id))
    .orderBy(...order, desc(posts.publishedAt), desc(posts.id))
}

/** The posts with these ids that are still published, in the order of the ids. */
export async function listPosts(db: Db, ids: string[]) {
  const found = await db
    .select(publicPostFields)
    .from(posts)
    .where(and(sql`${posts.id} = any(${sql.param(ids)}::uuid[])`, isPublished))
  const byId = new Map(found.map((post) => [post.id, post]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The public stories that ended last, with sizes instead of texts. */
export const listNewestStories = (db: Db, before: TimeCursor | undefined) =>
  db
    .select({
      id: rooms.id,
      name: rooms.name,
      createdAt: rooms.expiresAt,
      bytes: rooms.storyBytes,
      hasJustEnded: sql<boolean>`${rooms.expiresAt} > app_now() - interval '1 minute'`,
    })
    .from(rooms)
    .where(
      and(rooms.isPublic, sql`${rooms.expiresAt} <= app_now()`, isAfter(before, rooms.expiresAt, rooms.id)),
    )
    .orderBy(desc(rooms.expiresAt), desc(rooms.id))
    .limit(itemsMax + 1)

/** A page never needs more: each passage counts for at least `passageBytes` in the size of its story. */
const passagesMax = Math.ceil(textsMaxBytes / passageBytes)

/** The passages of these stories, in their order. Of a story that is longer than a page, the first passages. */
export async function listPassages(db: Db, roomIds: string[]) {
  const found = await db
    .select({
      roomId: roomPassages.roomId,
      content: shownContent,
      userId: roomPassages.userId,
      authorName: shownName,
    })
    .from(roomPassages)
    .leftJoin(users, eq(users.id, roomPassages.userId))
    .leftJoin(roomMembers, ofAuthor)
    .where(inArray(roomPassages.roomId, roomIds))
    .orderBy(asc(roomPassages.roomId), asc(roomPassages.position))
    .limit(passagesMax)
  return Map.groupBy(found, ({ roomId }) => roomId)
}

/** The authors of these stories with the names they sign with, in the order of their first passages. */
export async function listAuthors(db: Db, roomIds: string[]) {
  const found = await db
    .select({ roomId: roomPassages.roomId, userId: roomPassages.userId, authorName: shownName })
    .from(roomPassages)
    .leftJoin(users, eq(users.id, roomPassages.userId))
    .leftJoin(roomMembers, ofAuthor)
    .where(and(inArray(roomPassages.roomId, roomIds), not(isWithheld)))
    .groupBy(roomPassages.roomId, roomPassages.userId, shownName)
    .orderBy(sql`min(${roomPassages.position})`)
  return Map.groupBy(found, ({ roomId }) => roomId)
}
