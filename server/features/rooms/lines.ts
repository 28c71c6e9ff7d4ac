import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import type { RoomMessage } from '#contract/rooms/room.ts'
import { users } from '#server/features/account/index.ts'
import { type Db, statement } from '#server/platform/database/pool.ts'
import { passageBytes, storyMaxBytes } from './policy.ts'
import { roomMessages } from './schema.ts'

/** The name that an author has chosen to show, else null. */
export const shownName = sql<
  string | null
>`case when users.show_name then coalesce(nullif(concat_ws(' ', users.first_name, users.last_name), ''), users.username) end`

/** A passage as everybody reads it; to be joined to its author, who may have left. */
export const lineFields = {
  id: roomMessages.id,
  content: roomMessages.content,
  userId: roomMessages.userId,
  authorName: shownName,
  roomId: roomMessages.roomId,
  createdAt: roomMessages.createdAt,
  position: roomMessages.position,
}

/** The newest passages of a room, newest first. */
export function listNewestLines(
  db: Db,
  roomId: string,
  { limit, before }: { limit: number; before?: number | undefined },
): Promise<RoomMessage[]> {
  return db
    .select(lineFields)
    .from(roomMessages)
    .leftJoin(users, eq(users.id, roomMessages.userId))
    .where(
      and(
        eq(roomMessages.roomId, roomId),
        before === undefined ? undefined : lt(roomMessages.position, before),
      ),
    )
    .orderBy(desc(roomMessages.position))
    .limit(limit)
}

export interface NewLine {
  id: string
  roomId: string
  userId: string
  content: string
}

/**
 * Adds a passage of a member while the room lasts and its story has a place for it. The clock is read once the room is
 * held: whoever holds it later, to read the finished story, finds the passage, and whoever held it before has seen all
 * there will be.
 */
export async function addLine(db: Db, line: NewLine): Promise<RoomMessage | undefined> {
  const [added] = await insertLine(db).execute({ ...line })
  return added && { ...line, ...added }
}

const insertLine = statement((db) => {
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
        'line',
        sql`insert into room_messages (room_id, position, id, user_id, content, created_at, event)
          select id, last_position, ${id}, ${userId}, content, at, last_event from room
          returning position, created_at`,
      ),
    )
    .select({
      position: sql<number>`position`,
      createdAt: sql`created_at`.mapWith(roomMessages.createdAt),
      authorName: sql<string | null>`shown_name`,
    })
    .from(sql`line, author`)
    .prepare('insert_line')
})
