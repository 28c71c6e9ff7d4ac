import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  not,
  or,
  type SQL,
  sql,
  type SQLWrapper,
} from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Room } from '#contract/rooms/room.ts'
import type { TurnRule } from '#contract/rooms/table/table.ts'
import type { RoomMembers } from '#contract/rooms/endpoints.ts'
import { emails, users } from '#server/features/account/index.ts'
import { isAfter } from '#server/platform/database/keyset.ts'
import { type Db, executeList } from '#server/platform/database/pool.ts'
import type { TimeSlice } from '#server/platform/http/answers/paging.ts'
import { beginChain, lockChain } from './credit/chain.ts'
import { isErased, shownContent } from './passages.ts'
import { isEnded, isMemberOfRoom, isOpen, isSlowAndOpen, roomMembers, rooms, wordsOfRoom } from './schema.ts'
import { saveRoomWords } from './words.ts'

/** The person who reads, for `isMember`. Null without a session. */
export type ReaderId = string | null

/** The stored count if no event came after it, else a fresh count. */
const countedOnce = (stored: SQLWrapper, now: SQL) =>
  sql<number>`case when counted_event = last_event then ${stored} else ${now} end`

const memberCountNow = sql`(select count(*)::int from room_members where room_id = rooms.id and removed_at is null)`
/** The number of authors of a room. All deleted accounts count as one. An erased passage does not count. */
const contributorCountNow = sql`(select count(distinct coalesce(user_id, ''))::int from room_messages where room_id = rooms.id and not (${isErased}))`
const contributorCount = countedOnce(rooms.countedContributors, contributorCountNow)

export const roomFields = (readerId: ReaderId) => ({
  id: rooms.id,
  name: rooms.name,
  description: rooms.description,
  memberCount: countedOnce(rooms.countedMembers, memberCountNow),
  isActive: isOpen,
  isPublic: rooms.isPublic,
  duration: rooms.duration,
  expiresAt: rooms.expiresAt,
  createdAt: rooms.createdAt,
  createdByUserId: rooms.createdByUserId,
  turns: rooms.turns,
  isFolded: rooms.isFolded,
  turnSeconds: rooms.turnSeconds,
  passageMax: rooms.passageMax,
  opening: openingFor(readerId),
  wordGoal: rooms.wordGoal,
  isClosed: isClosedTo(readerId),
  isMember: isMemberOfRoom(readerId),
})

/** The opening is a part of the story: that of a private room is for its members. */
const openingFor = (readerId: ReaderId) =>
  sql<
    string | null
  >`case when opening is not null and (is_public or ${isMemberOfRoom(readerId)}) then opening end`

/** Whoever was removed or blocked by the creator finds a closed table, so that nobody learns which it is. */
const isClosedTo = (readerId: ReaderId) =>
  sql<boolean>`(turns <> 'free' and (is_closed or not ${isMemberOfRoom(readerId)} and (
    exists (select 1 from room_members where room_id = rooms.id and user_id = ${readerId})
    or exists (select 1 from blocks where blocker_id = created_by_user_id and blocked_id = ${readerId}))))`

const shownLength = 160

/** No list shows a text of a private room (S41), also not to its members, or one that is folded. */
export const newestPassage = sql<string | null>`case when rooms.is_public then
  (select nullif(left(${shownContent}, ${sql.raw(String(shownLength))}), '') from room_messages where room_id = rooms.id and position = rooms.last_position) end`

export async function findRoom(db: Db, readerId: ReaderId, id: string): Promise<Room | undefined> {
  const [room] = await db
    .select(roomFields(readerId))
    .from(rooms)
    .where(eq(rooms.id, id))
    .prepare('select_room')
    .execute()
  return room
}

/** A finished story that everybody may read. */
export async function findFinishedStory(db: Db, id: string) {
  const [story] = await db
    .select({ name: rooms.name, contributorCount })
    .from(rooms)
    .where(and(eq(rooms.id, id), rooms.isPublic, isEnded))
  return story
}

/** Those of the rooms that exist. */
export function findRooms(db: Db, readerId: string, ids: string[]): Promise<Room[]> {
  return db.select(roomFields(readerId)).from(rooms).where(inArray(rooms.id, ids))
}

export interface PageOfDay extends TimeSlice {
  start: Date
  end: Date
  onlyOpen?: true
}

/** The rooms created from `start` until `end` but running slow tables, newest first, each with the beginning of its newest passage. */
export const selectRoomsOfDay = (db: Db, readerId: ReaderId, page: PageOfDay) =>
  db
    .select({ ...roomFields(readerId), newestPassage })
    .from(rooms)
    .where(and(isOnPage(page), sql`${isSlowAndOpen} is not true`))
    .orderBy(...newestFirst)
    .limit(page.limit)

export const listRoomsOfDay = (db: Db, readerId: ReaderId, page: PageOfDay) =>
  executeList(selectRoomsOfDay(db, readerId, page), {
    name: page.onlyOpen ? 'select_open_rooms_of_day' : 'select_rooms_of_day',
    before: page.before,
  })

/** The rooms created from `start` until `end` for the feed, which shows no passages. */
export const listFeedRoomsOfDay = (db: Db, readerId: ReaderId, page: PageOfDay) =>
  executeList(
    db
      .select(roomFields(readerId))
      .from(rooms)
      .where(isOnPage(page))
      .orderBy(...newestFirst)
      .limit(page.limit),
    { name: 'select_feed_rooms_of_day', before: page.before },
  )

export const newestFirst = [desc(rooms.createdAt), desc(rooms.id)]

const isOnPage = ({ start, end, before, onlyOpen }: PageOfDay) =>
  and(
    gte(rooms.createdAt, start.toISOString()),
    lt(rooms.createdAt, end.toISOString()),
    isAfter(before, rooms.createdAt, rooms.id),
    onlyOpen && isOpen,
  )

/**
 * Rooms that have ended, the public ones and those of the reader, the latest end first. Each half is read by an index of
 * its own, and only the rooms of the page are counted.
 */
export function listFinishedRooms(
  db: Db,
  readerId: ReaderId,
  { words, limit, before }: { words: string[] } & TimeSlice,
) {
  const newestEnd = [desc(rooms.expiresAt), desc(rooms.id)]
  const isFound = and(
    sql`${rooms.expiresAt} <= app_now()`,
    isAfter(before, rooms.expiresAt, rooms.id),
    words.length === 0 ? undefined : sql`${wordsOfRoom} @@ to_tsquery('simple', ${beginningsOf(words)})`,
  )
  const columns = getTableColumns(rooms)
  const ofAll = db
    .select(columns)
    .from(rooms)
    .where(and(rooms.isPublic, isFound))
    .orderBy(...newestEnd)
    .limit(limit)
  const ofReader = db
    .select(columns)
    .from(rooms)
    .innerJoin(
      roomMembers,
      and(
        eq(roomMembers.roomId, rooms.id),
        sql`${roomMembers.userId} = ${readerId}`,
        isNull(roomMembers.removedAt),
      ),
    )
    .where(and(not(rooms.isPublic), isFound))
    .orderBy(...newestEnd)
    .limit(limit)
  // The alias has the name of the table, so that `roomFields` counts for these rows.
  const shelf = unionAll(ofAll, ofReader)
    .orderBy(sql`expires_at desc, id desc`)
    .limit(limit)
    .as('rooms')
  return db
    .select({
      ...roomFields(readerId),
      endedAt: rooms.expiresAt,
      lineCount: rooms.lastPosition,
      contributorCount,
    })
    .from(shelf)
    .orderBy(...newestEnd)
}

/** The rooms in which a person has written, of those that the person may read, newest first. */
export function listWrittenRooms(db: Db, readerId: string, { limit, before }: TimeSlice) {
  return db
    .select(roomFields(readerId))
    .from(rooms)
    .where(
      and(
        sql`${rooms.id} in (select room_id from room_messages where user_id = ${readerId})`,
        or(rooms.isPublic, isMemberOfRoom(readerId)),
        isAfter(before, rooms.createdAt, rooms.id),
      ),
    )
    .orderBy(...newestFirst)
    .limit(limit)
}

/** The time until the next open public room ends; undefined when no public room is open. */
export async function msUntilNextEnd(db: Db): Promise<number | undefined> {
  const [next] = await db
    .select({ ms: sql<number>`(extract(epoch from ${rooms.expiresAt} - app_now()) * 1000)::float` })
    .from(rooms)
    .where(and(rooms.isPublic, gt(rooms.expiresAt, sql`app_now()`)))
    .orderBy(asc(rooms.expiresAt), asc(rooms.id))
    .limit(1)
  return next?.ms
}

/** Words consist of letters and digits, so that no word can close its quotes. */
const beginningsOf = (words: string[]) => words.map((word) => `'${word}':*`).join(' & ')

/** Locks a room until the end of the transaction. Its people are locked before. */
export async function lockRoom(db: Db, id: string): Promise<void> {
  await db.select({ id: rooms.id }).from(rooms).where(eq(rooms.id, id)).for('no key update')
}

/**
 * Waits until passages that came just before the end of a room are committed. Afterwards the story is final. A minute
 * after the end there is nothing to wait for.
 */
export async function waitForLastPassages(db: Db, id: string): Promise<void> {
  const hasJustEnded = gt(rooms.expiresAt, sql`app_now() - interval '1 minute'`)
  await db
    .select({ id: rooms.id })
    .from(rooms)
    .where(and(eq(rooms.id, id), hasJustEnded))
    .for('share')
}

export const countOpenRoomsOf = (db: Db, creatorId: string): Promise<number> =>
  db.$count(rooms, and(eq(rooms.createdByUserId, creatorId), isOpen))

export interface NewRoom {
  id: string
  name: string
  description: string
  isPublic: boolean
  duration: number
  createdByUserId: string
  turns: TurnRule
  isFolded: boolean
  turnSeconds: number | null
  passageMax: number | null
  /** How the creator signs. */
  signsWithName?: boolean | undefined
  opening?: string | undefined
  wordGoal?: number | undefined
}

/** Adds a room with its first members: the creator and the invited people. */
export async function addRoom(db: Db, room: NewRoom, invitedIds: readonly string[]): Promise<void> {
  const { id, name, description, isPublic, duration, createdByUserId } = room
  const {
    turns,
    isFolded,
    turnSeconds,
    passageMax,
    opening = null,
    wordGoal = null,
    signsWithName = null,
  } = room
  await db.execute(sql`
    with room as (
      insert into rooms (id, name, description, is_public, duration, created_by_user_id, created_at, expires_at,
        turns, is_folded, turn_seconds, passage_max, opening, word_goal)
      select ${id}::uuid, ${name}::text, ${description}::text, ${isPublic}::boolean, ${duration}::int,
        ${createdByUserId}::text, at, at + make_interval(mins => ${duration}::int),
        ${turns}::text, ${isFolded}::boolean, ${turnSeconds}::int, ${passageMax}::int, ${opening}::text,
        ${wordGoal}::int
      from (select app_now() as at offset 0) moment
      returning id, created_by_user_id, created_at
    )
    insert into room_members (room_id, user_id, joined_at, signs_with_name)
    select id, user_id, created_at, case when user_id = created_by_user_id then ${signsWithName}::boolean end
    from room, unnest(${sql.param([createdByUserId, ...invitedIds])}::text[]) as user_id`)
  await saveRoomWords(db, [room])
  await beginChain(db, id)
}

/** Adds a member to a room that `lockRoom` has locked. */
export async function addMember(
  db: Db,
  { roomId, userId, signsWithName }: { roomId: string; userId: string; signsWithName: boolean | null },
): Promise<void> {
  await db.execute(sql`
    with room as (update rooms set last_event = last_event + 1 where id = ${roomId} returning id, last_event)
    insert into room_members (room_id, user_id, joined_at, event, signs_with_name)
    select id, ${userId}::text, app_now(), last_event, ${signsWithName}::boolean from room`)
}

/** The members of a room in the order of joining, with the counts of passages and contributors. */
export async function findRoomMembers(db: Db, roomId: string): Promise<RoomMembers | undefined> {
  const [room] = await db
    .select({ messageCount: rooms.lastPosition, contributorCount })
    .from(rooms)
    .where(eq(rooms.id, roomId))
  if (room === undefined) return undefined
  const members = await db
    .select({ id: users.id, username: users.username, email: emails.address })
    .from(roomMembers)
    .innerJoin(users, eq(users.id, roomMembers.userId))
    .leftJoin(emails, eq(emails.userId, users.id))
    .where(and(eq(roomMembers.roomId, roomId), isNull(roomMembers.removedAt)))
    .orderBy(asc(roomMembers.joinedAt), asc(users.id))
  return { members, ...room }
}

/** Deletes a room with its members and passages. Returns whether the room existed. */
export async function removeRoom(db: Db, id: string): Promise<boolean> {
  // The signing of a story locks its chain before its passages. The deletion below would lock the passages first.
  await lockRoom(db, id)
  await lockChain(db, id)
  const removed = await db.delete(rooms).where(eq(rooms.id, id)).returning({ id: rooms.id })
  return removed.length > 0
}

/** Adds a member to a room that `lockRoom` has locked, without a change of the room: its `last_event` is still to grow. */
export async function addMemberRow(
  db: Db,
  { roomId, userId, signsWithName }: { roomId: string; userId: string; signsWithName: boolean | null },
): Promise<void> {
  await db.execute(sql`
    insert into room_members (room_id, user_id, joined_at, event, signs_with_name)
    select id, ${userId}::text, app_now(), last_event + 1, ${signsWithName}::boolean from rooms where id = ${roomId}`)
}

/** Stores that rooms have ended, in batches. Rooms that another transaction has locked are skipped. */
export async function storeEnds(db: Db, signal: AbortSignal): Promise<void> {
  for (let found = true; found && !signal.aborted;) {
    const { rowCount } = await db.execute(sql`
      update rooms set ended_at = expires_at where id in (
        select id from rooms where ended_at is null and expires_at <= app_now() and turns = 'free'
        order by expires_at limit ${endedAtOnce}::int for no key update skip locked)`)
    found = rowCount === endedAtOnce
  }
}

const endedAtOnce = 500

/** Twenty of the longest stories are counted within a second. */
const countedAtOnce = 20

/** Counts each ended room without a stored count, in batches. */
export async function countRoomsThatEnded(db: Db, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await countFinishedRooms(db, countedAtOnce)) === countedAtOnce);
}

/**
 * Counts members and contributors of some finished rooms and stores the counts. Returns the number of rooms counted.
 * Nobody can write in a room or leave it while it is locked. Rooms that another transaction has locked are skipped.
 */
export function countFinishedRooms(db: Db, atMost: number): Promise<number> {
  return db.transaction(async (tx) => {
    const locked = await tx
      .select({ id: rooms.id })
      .from(rooms)
      .where(and(isNull(rooms.countedEvent), sql`${rooms.expiresAt} <= app_now()`))
      .orderBy(asc(rooms.expiresAt))
      .limit(atMost)
      .for('no key update', { skipLocked: true })
    if (locked.length === 0) return 0
    // A statement of its own, which sees everything that was committed before the rooms were locked.
    await tx
      .update(rooms)
      .set({
        countedEvent: rooms.lastEvent,
        countedMembers: memberCountNow,
        countedContributors: contributorCountNow,
      })
      .where(
        inArray(
          rooms.id,
          locked.map(({ id }) => id),
        ),
      )
    return locked.length
  })
}
