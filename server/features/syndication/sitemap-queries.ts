import { and, asc, desc, gt, type SQL, sql } from 'drizzle-orm'
import { dayOf } from '#contract/days.ts'
import { users } from '#server/features/account/index.ts'
import {
  carriesName,
  type FeedCursor,
  hasPage,
  isPublished,
  isPublishedById,
  posts,
} from '#server/features/feed/index.ts'
import { rooms } from '#server/features/rooms/index.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor } from '#server/platform/http/answers/paging.ts'

/** How many rows after the cursor are left out, and how many are listed at most. */
export interface Range {
  offset?: number
  limit: number
}

const isListed = sql`${isPublishedById} and ${posts.publishedOn} is not null`

/** Posts in the order of the index `posts_of_feed_day`. A sitemap reads this index alone. */
export function listPostsInOrder(
  db: Db,
  timeZone: string,
  after: FeedCursor | undefined,
  { offset = 0, limit }: Range,
) {
  const isBehind =
    after &&
    sql`(${posts.publishedOn}, ${posts.sortOrder}, ${posts.publishedAt}, ${posts.id})
      < (${dayOf(new Date(after.publishedAt), timeZone)}::date, ${after.sortOrder}::int, ${after.publishedAt}::timestamptz, ${after.id}::uuid)`
  return db
    .select({
      id: posts.id,
      publishedAt: sql<string>`${posts.publishedAt}`,
      changedAt: sql<string>`coalesce(${posts.editedAt}, ${posts.publishedAt})`,
      sortOrder: posts.sortOrder,
    })
    .from(posts)
    .where(and(isListed, isBehind))
    .orderBy(desc(posts.publishedOn), desc(posts.sortOrder), desc(posts.publishedAt), desc(posts.id))
    .offset(offset)
    .limit(limit)
}

const isFinished = sql`${rooms.isPublic} and ${rooms.expiresAt} <= app_now()`

export const listStoriesInOrder = (db: Db, after: TimeCursor | undefined, { offset = 0, limit }: Range) =>
  db
    .select({ id: rooms.id, createdAt: rooms.expiresAt })
    .from(rooms)
    .where(and(isFinished, isAfter(after, rooms.expiresAt, rooms.id)))
    .orderBy(desc(rooms.expiresAt), desc(rooms.id))
    .offset(offset)
    .limit(limit)

export interface PersonCursor {
  id: string
}

/** People in the order of their ids, whether they have a page or not. */
export const listPeopleInOrder = (db: Db, after: PersonCursor | undefined, { offset = 0, limit }: Range) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(after && gt(users.id, after.id))
    .orderBy(asc(users.id))
    .offset(offset)
    .limit(limit)

interface PageOfPerson extends PersonCursor {
  /** When the newest post on the page was published, or a post was changed later; without a post, when the account was created. Null for a person without a page. */
  changedAt: string | null
}

/** The next people in the order of their ids, each with the last change of the page. */
export async function listPagesOfPeople(
  db: Db,
  after: PersonCursor | undefined,
  { limit }: Pick<Range, 'limit'>,
): Promise<PageOfPerson[]> {
  const { rows } = await db.execute<{ id: string; changedAt: string | null }>(sql`
    with batch as materialized (
      select * from users where ${after === undefined ? sql`true` : sql`id > ${after.id}`} order by id limit ${limit}
    )
    select users.id, case when ${hasPage} then coalesce(greatest((
      select posts.published_at from posts where posts.author_id = users.id and ${isPublished} and ${carriesName}
      order by posts.published_at desc limit 1), (
      select posts.edited_at from posts where posts.author_id = users.id and ${isPublished} and ${carriesName}
        and posts.edited_at is not null
      order by posts.edited_at desc limit 1)), users.created_at) end as "changedAt"
    from batch as users order by users.id`)
  return rows
}

/** Whether one of the next people in the order of their ids has a page. */
export async function isPageAmong(db: Db, after: PersonCursor | undefined, count: number): Promise<boolean> {
  const { rows } = await db.execute<{ isAmong: boolean }>(sql`
    select exists (
      select 1 from (select * from users where ${after === undefined ? sql`true` : sql`id > ${after.id}`} order by id limit ${count}) as users
      where ${hasPage}) as "isAmong"`)
  return rows[0]!.isAmong
}

/** Whether the posts, people and finished stories together are more than this number. */
export async function areMoreThan(db: Db, count: number): Promise<boolean> {
  const upTo = (from: SQL) => sql`(select count(*) from (select ${from} limit ${count + 1}) as counted)`
  const { rows } = await db.execute<{ areMore: boolean }>(sql`
    select ${upTo(sql`from posts where ${isListed}`)} + ${upTo(sql`from users`)}
      + ${upTo(sql`from rooms where ${isFinished}`)} > ${count} as "areMore"`)
  return rows[0]!.areMore
}
