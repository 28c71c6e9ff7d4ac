import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { PublicPost } from '#contract/feed/post.ts'
import { type FollowedPerson, followsMax } from '#contract/follows/follow.ts'
import { users } from '#server/features/account/index.ts'
import {
  authorHasPage,
  carriesName,
  endOfPage,
  hasPage,
  isPublished,
  mayHavePage,
  nameOnPage,
  posts,
  publicPostFields,
} from '#server/features/feed/index.ts'
import { isBlockBetween } from '#server/features/friends/index.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { TimeCursor, TimeSlice } from '#server/platform/http/answers/paging.ts'
import { follows } from './schema.ts'

/** Returns whether the person was not followed before. */
export async function addFollow(db: Db, followerId: string, followedId: string): Promise<boolean> {
  const { rowCount } = await db
    .insert(follows)
    .values({ followerId, followedId, createdAt: sql`app_now()` })
    .onConflictDoNothing()
  return rowCount === 1
}

/** All follows of a person, also those of people who are not listed. */
export const countFollows = (db: Db, followerId: string): Promise<number> =>
  db.$count(follows, eq(follows.followerId, followerId))

export async function removeFollow(db: Db, followerId: string, followedId: string): Promise<void> {
  await db.delete(follows).where(and(eq(follows.followerId, followerId), eq(follows.followedId, followedId)))
}

/** A condition on a row of `users`: neither this person nor the follower has blocked the other. */
const hasNoBlockWith = (followerId: string): SQL =>
  sql`not ${isBlockBetween(sql`${followerId}`, sql`users.id`)}`

const isListed = (followerId: string) =>
  and(eq(follows.followerId, followerId), hasPage, hasNoBlockWith(followerId))

/** The people with a page whom a person follows, the last followed one first. */
export function listFollows(
  db: Db,
  followerId: string,
  { limit, before }: TimeSlice,
): Promise<FollowedPerson[]> {
  return db
    .select({
      id: users.id,
      name: nameOnPage,
      introduction: users.introduction,
      followedAt: follows.createdAt,
    })
    .from(follows)
    .innerJoin(users, eq(users.id, follows.followedId))
    .where(and(isListed(followerId), isAfter(before, follows.createdAt, users.id)))
    .orderBy(desc(follows.createdAt), desc(users.id))
    .limit(limit)
}

/** The ids of all people of `listFollows`. */
export async function listFollowedIds(db: Db, followerId: string): Promise<string[]> {
  const rows = await db
    .select({ id: users.id })
    .from(follows)
    .innerJoin(users, eq(users.id, follows.followedId))
    .where(isListed(followerId))
    .limit(followsMax)
    .prepare('select_followed_ids')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * The public posts that lead to the page of a followed person, newest first. A post under a pen name is never among them: the
 * follow would tell who wrote it.
 */
export async function listFollowedPosts(
  db: Db,
  followerId: string,
  { limit, before }: TimeSlice,
): Promise<{ posts: PublicPost[]; next: TimeCursor | undefined }> {
  const { rows: sized } = await db.execute<SizedRow>(
    followedPostsQuery(followerId, { limit: limit + 1, before }),
  )
  const { ids, next } = endOfPage(sized, limit)
  const found = await db
    .select(publicPostFields)
    .from(posts)
    // Since the first statement a post may have been hidden, its author may have switched off the page, or one of the two
    // people may have blocked the other.
    .where(
      and(
        sql`${posts.id} = any(${sql.param(ids)}::uuid[])`,
        isPublished,
        authorHasPage,
        sql`not ${isBlockBetween(sql`${followerId}`, posts.authorId)}`,
      ),
    )
    .orderBy(desc(posts.publishedAt), desc(posts.id))
  return { posts: found, next }
}

/** `createdAt` is the time by which the list is ordered: that of the publication. */
type SizedRow = TimeCursor & { bytes: number } & Record<string, unknown>

/**
 * Reads the newest post of each followed person first. The time of the `limit`-th of these posts bounds what is read after
 * that: at least `limit` posts are not older. Both reads are from the index `posts_published_of_author` alone.
 *
 * The table of the followed people is named `users`, because the conditions of the feed name that table. It needs no
 * `hasPage`: a person without a chosen page has one as soon as a public post carries the name, and only such posts are read.
 */
export function followedPostsQuery(followerId: string, { limit, before }: TimeSlice): SQL {
  const postsOfPerson = (isInBounds: SQL, count: number) => sql`lateral (
    select posts.id, posts.published_at from posts
    where posts.author_id = users.id and ${isPublished} and ${carriesName} and ${isInBounds}
      and ${isAfter(before, posts.publishedAt, posts.id) ?? sql`true`}
    order by posts.published_at desc, posts.id desc limit ${count}
  ) as of_person`
  return sql`
    with users as materialized (
      select users.id, users.first_name, users.last_name from follows join users on users.id = follows.followed_id
      where follows.follower_id = ${followerId} and ${mayHavePage}
        and ${hasNoBlockWith(followerId)}
    ), bound as materialized (
      select of_person.published_at from users, ${postsOfPerson(sql`true`, 1)}
      order by of_person.published_at desc offset ${limit - 1} limit 1
    ), newest as materialized (
      select of_person.id, of_person.published_at
      from users, ${postsOfPerson(sql`posts.published_at >= coalesce((select published_at from bound), '-infinity')`, limit)}
      order by of_person.published_at desc, of_person.id desc limit ${limit}
    )
    select newest.id, newest.published_at as "createdAt", octet_length(posts.content) as bytes
    from newest join posts on posts.id = newest.id
    order by newest.published_at desc, newest.id desc`
}

/**
 * Locks the follows of a person, and those of others who follow the person, before the deletion of the account. One order for
 * everybody: two people who follow each other can delete their accounts at the same time.
 */
export async function lockFollowsOf(db: Db, personId: string): Promise<void> {
  await db.execute(sql`
    select 1 from follows where follower_id = ${personId} or followed_id = ${personId}
    order by follower_id, followed_id for update`)
}
