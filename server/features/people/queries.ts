import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { type PersonPage, type PersonStory, shownPassagesMax } from '#contract/people/endpoints.ts'
import { users } from '#server/features/account/index.ts'
import {
  carriesName,
  hasPage,
  isPublished,
  nameOnPage,
  posts,
  publicPostFields,
} from '#server/features/feed/index.ts'
import { isBlockBetween } from '#server/features/friends/index.ts'
import { roomMembers, rooms, signsWithName } from '#server/features/rooms/index.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeSlice } from '#server/platform/http/answers/paging.ts'

/** The person has a page, and neither the person nor the reader has blocked the other. A visitor has no id. */
const maySeePage = (readerId: string | null, personId: string): SQL =>
  and(
    eq(users.id, personId),
    hasPage,
    readerId === null ? undefined : sql`not ${isBlockBetween(sql`${readerId}`, sql`${personId}`)}`,
  )!

const isPostOfPage = sql`posts.author_id = users.id and ${isPublished} and ${carriesName}`

/** The passages that a person has signed with the name in a finished public room. Needs the person and the membership. */
const isStoryOfPage = sql`rooms.is_public and rooms.expires_at <= app_now() and ${signsWithName}
  and exists (select 1 from room_messages where user_id = users.id and room_id = rooms.id and erasing_event is null)`

export async function findPersonPage(
  db: Db,
  readerId: string | null,
  personId: string,
): Promise<PersonPage | undefined> {
  const [page] = await db
    .select({
      id: users.id,
      name: nameOnPage,
      introduction: users.introduction,
      joinedAt: users.createdAt,
      postCount: sql<number>`(select count(*)::int from posts where ${isPostOfPage})`,
      storyCount: sql<number>`(select count(*)::int from room_members join rooms on rooms.id = room_members.room_id
        where room_members.user_id = users.id and ${isStoryOfPage})`,
    })
    .from(users)
    .where(maySeePage(readerId, personId))
  return page
}

export async function mayReadPage(db: Db, readerId: string | null, personId: string): Promise<boolean> {
  const found = await db.select({ id: users.id }).from(users).where(maySeePage(readerId, personId))
  return found.length > 0
}

/** The name on the page of a person as a visitor finds it. */
export async function findPageName(db: Db, personId: string): Promise<string | undefined> {
  const [page] = await db.select({ name: nameOnPage }).from(users).where(maySeePage(null, personId))
  return page?.name
}

/** The public posts of a person, newest first; none when the reader may not see the page. */
export function listPosts(db: Db, readerId: string | null, personId: string, { limit, before }: TimeSlice) {
  return db
    .select(publicPostFields)
    .from(posts)
    .innerJoin(users, eq(users.id, posts.authorId))
    .where(and(maySeePage(readerId, personId), isPostOfPage, isAfter(before, posts.publishedAt, posts.id)))
    .orderBy(desc(posts.publishedAt), desc(posts.id))
    .limit(limit)
}

/** The finished public stories in which a person signs with the name, the latest end first; none as in `listPosts`. */
export function listStories(db: Db, readerId: string | null, personId: string, { limit, before }: TimeSlice) {
  const ofPerson = sql`from room_messages where user_id = users.id and room_id = rooms.id
    and erasing_event is null`
  return db
    .select({
      id: rooms.id,
      name: rooms.name,
      endedAt: rooms.expiresAt,
      passageCount: sql<number>`(select count(*)::int ${ofPerson})`,
      passages: sql<PersonStory['passages']>`(
        select json_agg(json_build_object('id', id, 'content', content, 'position', position) order by position)
        from (select id, content, position ${ofPerson} order by position limit ${shownPassagesMax}) as shown)`,
    })
    .from(roomMembers)
    .innerJoin(users, eq(users.id, roomMembers.userId))
    .innerJoin(rooms, eq(rooms.id, roomMembers.roomId))
    .where(and(maySeePage(readerId, personId), isStoryOfPage, isAfter(before, rooms.expiresAt, rooms.id)))
    .orderBy(desc(rooms.expiresAt), desc(rooms.id))
    .limit(limit)
}
