import { inArray, type SQL, sql } from 'drizzle-orm'
import { authorHasPage, hasPage, nameOnPage, posts } from '#server/features/feed/index.ts'
import { fullName, users } from '#server/features/account/index.ts'
import { isBlockBetween } from '#server/features/friends/index.ts'
import { isMemberOfRoom } from '#server/features/rooms/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { rankedMax } from './post-search.ts'
import type { TextQuery } from '#server/platform/search/query.ts'

/** What a result of a post shows, in the order of the ids. */
export async function listFoundPosts(db: Db, ids: string[]) {
  const rows = await db
    .select({
      id: posts.id,
      content: posts.content,
      authorName: posts.authorName,
      authorId: sql<string | null>`case when ${authorHasPage} then ${posts.authorId} end`,
      // Only published posts are found.
      publishedAt: sql<string>`${posts.publishedAt}`,
    })
    .from(posts)
    .where(inArray(posts.id, ids))
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])
}

/** At most this many people with a fitting name are asked whether they have a page. */
const namesMax = 500

/** People with a page whose full name or last name begins with the text. */
export async function findPeople(db: Db, readerId: string | null, text: string, limit: number) {
  const sought = sql`folded_name(${text})`
  const begins = (name: SQL) => sql`(
    select id from users
    where folded_name(${name}) ~>=~ ${sought} and folded_name(${name}) ~<~ (${sought} || ${lastCharacter})
      and not is_anonymous
    order by folded_name(${name}) using ~<~ limit ${namesMax}::int)`
  return db
    .select({ id: users.id, name: nameOnPage, introduction: users.introduction })
    .from(users)
    .where(
      sql`users.id in (${begins(fullName)} union ${begins(sql`last_name`)}) and users.first_name is not null and ${hasPage}
        and ${readerId === null ? sql`true` : sql`not ${isBlockBetween(sql`${readerId}`, sql`users.id`)}`}`,
    )
    .orderBy(sql`folded_name(${fullName})`, users.id)
    .limit(limit)
    .prepare(readerId === null ? 'select_found_people_for_visitor' : 'select_found_people')
    .execute()
}

/** Every text that begins with a prefix comes before the prefix followed by this character. */
const lastCharacter = '\u{10FFFF}'

interface RoomFilter {
  isOpen: boolean
  /** No newer room than this. */
  top: string | undefined
  from: string | undefined
  to: string | undefined
}

interface RoomMatch extends Record<string, unknown> {
  id: string
  name: string
  description: string
  isPublic: boolean
  expiresAt: string
  rank: number
}

/** The newest of the rooms with these words that are public or have the reader as a member, with their ranks, and one more. */
export async function findRooms(
  db: Db,
  readerId: string | null,
  { exact, allWords }: TextQuery,
  { isOpen, top, from, to }: RoomFilter,
): Promise<RoomMatch[]> {
  const { rows } = await db.execute<RoomMatch>(sql`
    select rooms.id, name, description, is_public as "isPublic", expires_at as "expiresAt", ts_rank(words, ${allWords}::tsquery, 1) as rank
    from room_words join rooms on rooms.id = room_id
    where words @@ ${exact}::tsquery and expires_at ${isOpen ? sql`>` : sql`<=`} app_now()
      and (is_public or ${isMemberOfRoom(readerId)})
      ${top === undefined ? sql`` : sql`and room_id <= ${top}::uuid`}
      ${from === undefined ? sql`` : sql`and created_at >= ${from}::timestamptz`}
      ${to === undefined ? sql`` : sql`and created_at < ${to}::timestamptz`}
    order by room_id desc limit ${rankedMax + 1}::int`)
  return rows
}
