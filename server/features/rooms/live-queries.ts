import { and, eq, inArray, or, sql } from 'drizzle-orm'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { sessions, users } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { shownName } from './passages.ts'
import { roomMembers, rooms } from './schema.ts'

export interface LiveRoom {
  id: string
  isPublic: boolean
  lastEvent: number
}

/** Those of the rooms that the reader may read now, with the newest event of each. */
export function listReadableRooms(db: Db, readerId: string | null, ids: string[]): Promise<LiveRoom[]> {
  const isMember = sql`exists (select from room_members where room_id = rooms.id and user_id = ${readerId})`
  return db
    .select({ id: rooms.id, isPublic: rooms.isPublic, lastEvent: rooms.lastEvent })
    .from(rooms)
    .where(and(inArray(rooms.id, ids), or(rooms.isPublic, isMember)))
}

/** Which of the rooms there are. */
export async function listExistingRooms(db: Db, ids: string[]): Promise<string[]> {
  const found = await db.select({ id: rooms.id }).from(rooms).where(inArray(rooms.id, ids))
  return found.map(({ id }) => id)
}

interface EventNumber {
  /** Its number in the room. */
  event: number
}

export type RoomEvent = EventNumber & ({ passage: RoomPassage } | { memberCount: number })

export interface RoomNews {
  lastEvent: number
  isEnded: boolean
  /** In order, as far as they come to some 64 KiB. */
  events: RoomEvent[]
}

/** What came in a room after an event, seen in one moment; undefined when the room is gone. */
export async function findRoomNews(db: Db, roomId: string, after: number): Promise<RoomNews | undefined> {
  const { rows } = await db.execute<NewsRow>(sql`
    select rooms.last_event as "lastEvent", rooms.expires_at <= app_now() as "isEnded",
      news.event, news.id, news.position, news.content, news.user_id as "userId", news.created_at as "createdAt",
      news.member_count as "memberCount", ${shownName} as "authorName"
    from rooms
    left join lateral (
      select *, sum(octet_length(coalesce(content, ''))) over (order by event) - octet_length(coalesce(content, '')) as bytes_before
      from (
        (select event, id, position, content, user_id, created_at, null::int as member_count
          from room_messages where room_id = rooms.id and event > ${after}
          order by event limit ${pageMax})
        union all
        (select event, null, null, null, null, null,
            (select count(*)::int from room_members earlier
              where earlier.room_id = rooms.id and earlier.event <= room_members.event)
          from room_members where room_id = rooms.id and event > 0 and event > ${after}
          order by event limit ${pageMax})
        order by event limit ${pageMax}
      ) found
    ) news on news.bytes_before < ${pageBytes}
    left join users on users.id = news.user_id
    where rooms.id = ${roomId}
    order by news.event`)
  const [first] = rows
  return (
    first && {
      lastEvent: first.lastEvent,
      isEnded: first.isEnded,
      events: rows.filter((row) => row.event !== null).map((row) => eventOf(row, roomId)),
    }
  )
}

/** Events that are read at a time, and the bytes at which no further one is added. */
const pageMax = 200
const pageBytes = 64 * 1024

type NewsRow = Omit<RoomPassage, 'roomId'> & {
  lastEvent: number
  isEnded: boolean
  event: number
  memberCount: number | null
}

function eventOf({ event, memberCount, ...row }: NewsRow, roomId: string): RoomEvent {
  if (memberCount !== null) return { event, memberCount }
  const { id, content, userId, authorName, createdAt, position } = row
  return { event, passage: { id, content, userId, authorName, roomId, createdAt, position } }
}

/** Those of the sessions whose people are members of a room. */
export async function listMemberSessions(
  db: Db,
  roomId: string,
  tokenHashes: string[],
): Promise<Set<string>> {
  const found = await db
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .innerJoin(roomMembers, eq(roomMembers.userId, sessions.userId))
    .where(
      and(
        eq(roomMembers.roomId, roomId),
        sql`${sessions.tokenHash} = any(${sql.param(tokenHashes)}::text[])`,
      ),
    )
  return new Set(found.map(({ tokenHash }) => tokenHash))
}

/** How far rooms have come; those that are gone are left out. */
export function listRoomStates(db: Db, ids: string[]) {
  return db
    .select({
      id: rooms.id,
      lastEvent: rooms.lastEvent,
      isEnded: sql<boolean>`${rooms.expiresAt} <= app_now()`,
    })
    .from(rooms)
    .where(inArray(rooms.id, ids))
}

/** Of people: whether they show that they are in a room, and in which of the rooms they are members. */
export async function listReaders(db: Db, personIds: string[], roomIds: string[]) {
  return db
    .select({
      id: users.id,
      presence: users.presence,
      memberOf: sql<
        string[]
      >`array(select room_id::text from room_members where user_id = users.id and room_id = any(${sql.param(roomIds)}::uuid[]))`,
    })
    .from(users)
    .where(sql`${users.id} = any(${sql.param(personIds)}::text[])`)
}
