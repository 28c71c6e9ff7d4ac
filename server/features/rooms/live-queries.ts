import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { apiTokens, sessions, users } from '#server/features/account/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { EventBatch, ReadableTopic } from '#server/platform/live/topic-source.ts'
import { isFoldedText, isWithheld, shownContent, shownName } from './passages.ts'
import { isEnded, isMemberOfRoom, roomMembers, rooms } from './schema.ts'

/** A room that a reader may read. */
export interface ReadableRoom extends ReadableTopic {
  /** Whether the reader lets others see that they are in a room. */
  showsPresence: boolean
  hasTurns: boolean
}

export function listReadableRooms(db: Db, readerId: string | null, ids: string[]): Promise<ReadableRoom[]> {
  return db
    .select({
      id: rooms.id,
      isPublic: rooms.isPublic,
      lastEvent: rooms.lastEvent,
      hasTurns: sql<boolean>`${rooms.turns} <> 'free'`,
      showsPresence: sql<boolean>`coalesce((select presence from users where id = ${readerId}), false)`,
    })
    .from(rooms)
    .where(and(inArray(rooms.id, ids), or(rooms.isPublic, isMemberOfRoom(readerId))))
}

export async function listExistingRooms(db: Db, ids: string[]): Promise<string[]> {
  const found = await db.select({ id: rooms.id }).from(rooms).where(inArray(rooms.id, ids))
  return found.map(({ id }) => id)
}

/** Passages, new members, changes of signatures and erasures share one numbering. */
export type RoomEvent = { number: number } & (
  { passage: RoomPassage } | { memberCount: number } | { isSigning: true } | { erasedPosition: number }
)

type RoomEventBatch = Omit<EventBatch, 'events'> & { events: RoomEvent[] }

/** The events of a room after event number `after`, read by one statement; undefined when the room does not exist. */
export async function findRoomEventsAfter(
  db: Db,
  roomId: string,
  after: number,
): Promise<RoomEventBatch | undefined> {
  const { rows } = await db.execute<EventRow>(sql`
    select rooms.last_event as "lastEvent", ${isEnded} as "isEnded",
      events.event, events.id, events.position, events.content, events.user_id as "userId", events.created_at as "createdAt",
      events.is_erased as "isErased", events.words, events.member_count as "memberCount", ${shownName} as "authorName"
    from rooms
    left join lateral (
      select *, sum(octet_length(coalesce(content, ''))) over (order by event) - octet_length(coalesce(content, '')) as bytes_before
      from (
        (select event, id, position, ${shownContent} as content, user_id, created_at, ${isWithheld} as is_erased,
            words, null::int as member_count
          from room_messages where room_id = rooms.id and event > ${after}
          order by event limit ${batchMax})
        union all
        (select event, null, null, null, null, null, null, null,
            (select count(*)::int from room_members earlier
              where earlier.room_id = rooms.id and earlier.event <= room_members.event and earlier.removed_at is null)
          from room_members where room_id = rooms.id and event > 0 and event > ${after}
          order by event limit ${batchMax})
        union all
        (select signing_event, null, null, null, null, null, null, null, null
          from room_members where room_id = rooms.id and signing_event > ${after}
          order by signing_event limit ${batchMax})
        union all
        (select erasing_event, null, position, null, null, null, null, null, null
          from room_messages where room_id = rooms.id and erasing_event > ${after}
          order by erasing_event limit ${batchMax})
        order by event limit ${batchMax}
      ) found
    ) events on events.bytes_before < ${batchBytes}
    left join users on users.id = events.user_id
    left join room_members on room_members.room_id = rooms.id and room_members.user_id = events.user_id
    where rooms.id = ${roomId}
    order by events.event`)
  const [first] = rows
  return (
    first && {
      lastEvent: first.lastEvent,
      isEnded: first.isEnded,
      events: rows.filter((row) => row.event !== null).map((row) => eventOf(row, roomId)),
    }
  )
}

/** A batch ends after this number of events, or with the passage that reaches this number of bytes. */
const batchMax = 200
const batchBytes = 64 * 1024

type EventRow = Omit<RoomPassage, 'roomId' | 'id' | 'position' | 'folded'> & {
  /** Null for an event without a passage. */
  id: string | null
  /** Of a passage, or of one that was erased. */
  position: number | null
  lastEvent: number
  isEnded: boolean
  event: number
  memberCount: number | null
}

function eventOf({ event, memberCount, ...row }: EventRow, roomId: string): RoomEvent {
  if (memberCount !== null) return { number: event, memberCount }
  const { id, position, content, isErased, words, userId, authorName, createdAt } = row
  if (position === null) return { number: event, isSigning: true }
  if (id === null) return { number: event, erasedPosition: position }
  return {
    number: event,
    passage: {
      id,
      content,
      isErased,
      folded: isFoldedText(content),
      words,
      userId,
      authorName,
      roomId,
      createdAt,
      position,
    },
  }
}

/** Which of the sessions and API tokens belong to members of which of the rooms. */
export async function listRoomPermissions(db: Db, roomIds: string[], tokenHashes: string[]) {
  const membersOf = (table: typeof sessions | typeof apiTokens) =>
    db
      .select({ id: roomMembers.roomId, tokenHash: table.tokenHash })
      .from(table)
      .innerJoin(roomMembers, eq(roomMembers.userId, table.userId))
      .where(
        and(
          sql`${roomMembers.roomId} = any(${sql.param(roomIds)}::uuid[])`,
          sql`${table.tokenHash} = any(${sql.param(tokenHashes)}::text[])`,
          isNull(roomMembers.removedAt),
        ),
      )
  return membersOf(sessions).unionAll(membersOf(apiTokens))
}

export function listRoomStates(db: Db, ids: string[]) {
  return db
    .select({
      id: rooms.id,
      lastEvent: rooms.lastEvent,
      isEnded,
    })
    .from(rooms)
    .where(inArray(rooms.id, ids))
}

/** Which of the people let others see that they are in a room. */
export async function listPeopleWhoShowPresence(db: Db, personIds: string[]): Promise<string[]> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(users.presence, sql`${users.id} = any(${sql.param(personIds)}::text[])`))
  return found.map(({ id }) => id)
}

export interface News {
  personId: string
  roomId: string
  roomName: string
  writtenAt: string
}

/** Of the passages of a room only the newest ones are read. */
const newsMax = 50

/** For each member of the rooms the time of the newest passage of somebody else, when it is at most 10 s old. */
export async function listNews(db: Db, roomIds: string[]): Promise<News[]> {
  const { rows } = await db.execute<Record<string, unknown> & News>(sql`
    with written as materialized (
      select rooms.id as room_id, rooms.name, passages.user_id as author_id, max(passages.created_at) as written_at
      from rooms join room_messages passages on passages.room_id = rooms.id
      where rooms.id = any(${sql.param(roomIds)}::uuid[])
        and passages.position > rooms.last_position - ${newsMax}::int
        and passages.created_at > app_now() - interval '10 seconds'
      group by 1, 2, 3
    ), blocked as materialized (
      select blocker_id as author_id, blocked_id as person_id from blocks
      where blocker_id in (select author_id from written)
      union all
      select blocked_id, blocker_id from blocks where blocked_id in (select author_id from written)
    )
    select room_members.user_id as "personId", room_id as "roomId", name as "roomName", max(written_at) as "writtenAt"
    from written join room_members using (room_id)
    where author_id is distinct from room_members.user_id and removed_at is null
      and not exists (select 1 from blocked
        where blocked.author_id = written.author_id and blocked.person_id = room_members.user_id)
    group by 1, 2, 3`)
  return rows
}
