import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { users } from '#server/features/account/index.ts'
import { type Db, statement } from '#server/platform/database/pool.ts'
import { passageBytes, storyMaxBytes } from './policy.ts'
import { roomPassages } from './schema.ts'

/** The name that an author has chosen to show, else null. */
export const shownName = sql<
  string | null
>`case when users.show_name then coalesce(nullif(concat_ws(' ', users.first_name, users.last_name), ''), users.username) end`

/** A passage as everybody reads it; to be joined to its author, who may have left. */
export const passageFields = {
  id: roomPassages.id,
  content: roomPassages.content,
  userId: roomPassages.userId,
  authorName: shownName,
  roomId: roomPassages.roomId,
  createdAt: roomPassages.createdAt,
  position: roomPassages.position,
}

/** The newest passages of a room, newest first. */
export function listNewestPassages(
  db: Db,
  roomId: string,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<RoomPassage[]> {
  return db
    .select(passageFields)
    .from(roomPassages)
    .leftJoin(users, eq(users.id, roomPassages.userId))
    .where(
      and(
        eq(roomPassages.roomId, roomId),
        before === undefined ? undefined : lt(roomPassages.position, before),
      ),
    )
    .orderBy(desc(roomPassages.position))
    .limit(limit)
}

export interface NewPassage {
  id: string
  roomId: string
  userId: string
  content: string
}

/**
 * Adds a passage of a member while the room is open and its story is not full. The clock is read after the room is locked:
 * a transaction that locks the ended room later, to read the finished story, finds every passage.
 */
export async function addPassage(db: Db, passage: NewPassage): Promise<RoomPassage | undefined> {
  const [added] = await insertPassage(db).execute({ ...passage })
  return added && { ...passage, ...added }
}

const insertPassage = statement((db) => {
  const part = (name: string, query: SQL) => db.$with(name, {}).as(query)
  const [id, roomId, userId, content] = ['id', 'roomId', 'userId', 'content'].map((name) =>
    sql.placeholder(name),
  )
  return db
    .with(
      part(
        'author',
        sql`select id, ${shownName} as shown_name from users where id = ${userId} for key share`,
      ),
      part(
        'held',
        sql`select rooms.id, expires_at from rooms, author
          where rooms.id = ${roomId} and exists (select from room_members where room_id = rooms.id and user_id = author.id)
          for no key update of rooms`,
      ),
      part(
        'moment',
        sql`select id, expires_at, content, octet_length(content) + ${sql.raw(String(passageBytes))} as bytes, app_now() as at
          from held, (select ${content}::text as content) as given offset 0`,
      ),
      part(
        'room',
        sql`update rooms set last_position = last_position + 1, last_event = last_event + 1,
            story_bytes = story_bytes + bytes
          from moment where rooms.id = moment.id and at < moment.expires_at
            and story_bytes + bytes <= ${sql.raw(String(storyMaxBytes))}
          returning rooms.id, last_position, last_event, at, content`,
      ),
      part(
        'passage',
        sql`insert into room_messages (room_id, position, id, user_id, content, created_at, event)
          select id, last_position, ${id}, ${userId}, content, at, last_event from room
          returning position, created_at`,
      ),
    )
    .select({
      position: sql<number>`position`,
      createdAt: sql`created_at`.mapWith(roomPassages.createdAt),
      authorName: sql<string | null>`shown_name`,
    })
    .from(sql`passage, author`)
    .prepare('insert_passage')
})
