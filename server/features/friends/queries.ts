import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { BlockedPerson } from '#contract/friends/endpoints.ts'
import { type Friend, friendsMax, type ListedFriend } from '#contract/friends/friend.ts'
import { users } from '#server/features/account/index.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import { type Db, executePrepared } from '#server/platform/database/pool.ts'
import type { TimeSlice } from '#server/platform/http/answers/paging.ts'
import { isBlockBetween, isUnblockedPair, pairOf } from './pairs.ts'
import { blocks } from './schema.ts'

/**
 * The friendships of a person, with the alias `friendship`: whether the friend shows the email address, and the number of
 * messages that the person has not read.
 */
const friendshipsOf = (personId: string): SQL => sql`(
  select high_id as friend_id, high_shows_email as shows_email, low_unread_count as unread_count, last_message_at
    from friendships where low_id = ${personId}
  union all
  select low_id, low_shows_email, high_unread_count, last_message_at
    from friendships where high_id = ${personId}
) as friendship`

const friendFields = sql`users.id, users.username, users.first_name as "firstName", users.last_name as "lastName",
  case when friendship.shows_email then emails.address end as email`

/** Everybody with a username, and with a name or an email address (MSG-09). */
const isListed = sql`users.username is not null and (users.first_name is not null or users.last_name is not null or emails.address is not null)`

/** A friend with what orders the list; the feature of messages adds the last message. */
export type FriendInOrder = Omit<ListedFriend, 'lastMessage'>

export interface FriendCursor {
  lastMessageAt: string | null
  id: string
}

/** The friend with the newest message first, then those without messages. Equal times are ordered by id. */
export async function listFriends(
  db: Db,
  personId: string,
  { limit, before }: { limit: number; before?: FriendCursor | undefined },
): Promise<FriendInOrder[]> {
  const order = sql`coalesce(friendship.last_message_at, '-infinity')`
  const isBehindCursor =
    before === undefined
      ? sql`true`
      : sql`(${order}, users.id) < (coalesce(${before.lastMessageAt}::timestamptz, '-infinity'), ${before.id})`
  const name = before === undefined ? 'select_first_friends' : 'select_next_friends'
  return executePrepared<FriendInOrder & Record<string, unknown>>(
    db,
    name,
    sql`
    select ${friendFields}, friendship.unread_count as "unreadCount", friendship.last_message_at as "lastMessageAt"
    from ${friendshipsOf(personId)}
    join users on users.id = friendship.friend_id
    left join emails on emails.user_id = users.id
    where ${isListed} and not ${isBlockBetween(sql`${personId}`, sql`users.id`)} and ${isBehindCursor}
    order by ${order} desc, users.id desc
    limit ${limit}`,
  )
}

/** The friends with these ids, without blocked ones. With an email address only where the friend shows it. */
export async function listFriendsByIds(
  db: Db,
  personId: string,
  friendIds: readonly string[],
): Promise<Friend[]> {
  const { rows } = await db.execute<Friend & Record<string, unknown>>(sql`
    select ${friendFields}
    from ${friendshipsOf(personId)}
    join users on users.id = friendship.friend_id
    left join emails on emails.user_id = users.id
    where friendship.friend_id = any(${sql.param(friendIds)}::text[]) and ${isListed}
      and not ${isBlockBetween(sql`${personId}`, sql`users.id`)}`)
  return rows
}

/** The number of unread messages from all friends who are not blocked. */
export async function countUnreadMessages(db: Db, personId: string): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select coalesce(sum(unread_count), 0)::int as count from ${friendshipsOf(personId)}
    where unread_count > 0 and not ${isBlockBetween(sql`${personId}`, sql`friendship.friend_id`)}`)
  return rows[0]!.count
}

/** Whether any of these people has `friendsMax` friends. */
export async function isFriendLimitReached(db: Db, personIds: readonly string[]): Promise<boolean> {
  const { rows } = await db.execute(sql`
    select 1 from unnest(${sql.param(personIds)}::text[]) as person (id)
    where (select count(*) from friendships where low_id = person.id)
      + (select count(*) from friendships where high_id = person.id) >= ${friendsMax}::int`)
  return rows.length > 0
}

/**
 * Adds the friendship, or stores that the adder now shows the email address too. Returns whether anything changed. Call
 * `lockPair` first.
 */
export async function addFriendship(
  db: Db,
  { id, adderId, friendId }: { id: string; adderId: string; friendId: string },
): Promise<boolean> {
  const { lowId, highId } = pairOf(adderId, friendId)
  const isLow = adderId === lowId
  const { rowCount } = await db.execute(sql`
    insert into friendships (id, low_id, high_id, created_at, low_shows_email, high_shows_email)
    values (${id}, ${lowId}, ${highId}, app_now(), ${isLow}, ${!isLow})
    on conflict (low_id, high_id) do update set
      low_shows_email = friendships.low_shows_email or excluded.low_shows_email,
      high_shows_email = friendships.high_shows_email or excluded.high_shows_email
    where (friendships.low_shows_email, friendships.high_shows_email)
      <> (friendships.low_shows_email or excluded.low_shows_email, friendships.high_shows_email or excluded.high_shows_email)`)
  return rowCount === 1
}

/**
 * Deletes a friendship, and by its foreign key the messages. Returns false when the two are no friends or one has blocked
 * the other. Call `lockPair` first.
 */
export async function removeFriendship(db: Db, oneId: string, otherId: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`delete from friendships where ${isUnblockedPair(oneId, otherId)}`)
  return rowCount === 1
}

/** Whether two people are friends and neither has blocked the other. */
export async function mayWriteToEachOther(db: Db, oneId: string, otherId: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from friendships where ${isUnblockedPair(oneId, otherId)}`)
  return rows.length > 0
}

/** The number of unread messages from each friend, without blocked friends. */
export async function countUnreadByFriend(
  db: Db,
  personId: string,
  friendIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ friendId: string; count: number }>(sql`
    select friend_id as "friendId", unread_count as count from ${friendshipsOf(personId)}
    where friend_id = any(${sql.param(friendIds)}::text[]) and not ${isBlockBetween(sql`${personId}`, sql`friendship.friend_id`)}`)
  return new Map(rows.map(({ friendId, count }) => [friendId, count]))
}

/**
 * Locks the friendships and blocks of a person before the deletion of the account, in one order for everybody: people who
 * know each other can delete their accounts at the same time. Returns the ids of the friends.
 */
export async function lockFriendshipsAndBlocksOf(db: Db, personId: string): Promise<string[]> {
  const { rows } = await db.execute<{ lowId: string; highId: string }>(sql`
    select low_id as "lowId", high_id as "highId" from friendships
    where low_id = ${personId} or high_id = ${personId} order by id for update`)
  await db.execute(sql`
    select 1 from blocks where blocker_id = ${personId} or blocked_id = ${personId}
    order by blocker_id, blocked_id for update`)
  return rows.map(({ lowId, highId }) => (lowId === personId ? highId : lowId))
}

/** Those of the people whose accounts are not being deleted at this moment. They stay until the end of the transaction. */
export async function listStayingPeople(db: Db, personIds: string[]): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from users where id = any(${sql.param(personIds)}::text[]) order by id for key share skip locked`)
  return rows.map(({ id }) => id)
}

export async function hasEitherBlocked(db: Db, oneId: string, otherId: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 where ${isBlockBetween(sql`${oneId}`, sql`${otherId}`)}`)
  return rows.length > 0
}

/** Returns whether the person was not blocked before. Call `lockPair` first. */
export async function addBlock(db: Db, blockerId: string, blockedId: string): Promise<boolean> {
  const { rowCount } = await db
    .insert(blocks)
    .values({ blockerId, blockedId, createdAt: sql`app_now()` })
    .onConflictDoNothing()
  return rowCount === 1
}

export const countBlocks = (db: Db, blockerId: string): Promise<number> =>
  db.$count(blocks, eq(blocks.blockerId, blockerId))

/** Returns whether the person was blocked. Call `lockPair` first. */
export async function removeBlock(db: Db, blockerId: string, blockedId: string): Promise<boolean> {
  const { rowCount } = await db
    .delete(blocks)
    .where(and(eq(blocks.blockerId, blockerId), eq(blocks.blockedId, blockedId)))
  return rowCount === 1
}

/** The people whom a person has blocked, the newest block first. */
export async function listBlockedPeople(
  db: Db,
  blockerId: string,
  { limit, before }: TimeSlice,
): Promise<BlockedPerson[]> {
  const found = await db
    .select({
      id: users.id,
      username: users.username,
      firstName: users.firstName,
      lastName: users.lastName,
      blockedAt: blocks.createdAt,
    })
    .from(blocks)
    .innerJoin(users, eq(users.id, blocks.blockedId))
    .where(and(eq(blocks.blockerId, blockerId), isAfter(before, blocks.createdAt, users.id)))
    .orderBy(desc(blocks.createdAt), desc(users.id))
    .limit(limit)
  return found.map((person) => ({ ...person, username: person.username ?? '' }))
}
