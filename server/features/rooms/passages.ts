import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { erasedMark, hiddenMark, type RoomPassage, type SentPassage } from '#contract/rooms/room.ts'
import { hasHiddenTexts, users } from '#server/features/account/index.ts'
import { type Db, perHandle } from '#server/platform/database/pool.ts'
import { passageBytes, storyMaxBytes } from './policy.ts'
import { isOpenIn, roomMembers, roomPassages } from './schema.ts'

/** Whether a member signs with the name, as chosen for the room, else as in the settings. */
export const signsWithName = sql<boolean>`coalesce(room_members.signs_with_name, users.show_name)`

/**
 * The name that an author has chosen to show, else null. Needs the author's row and membership (`ofAuthor`).
 * Never the username: the server may have made it from the email address.
 */
export const shownName = sql<
  string | null
>`case when ${signsWithName} then coalesce(nullif(concat_ws(' ', users.first_name, users.last_name), ''), 'User ' || users.id) end`

/** The membership of the author of a passage. */
export const ofAuthor = and(
  eq(roomMembers.roomId, roomPassages.roomId),
  eq(roomMembers.userId, roomPassages.userId),
)

export const isErased = sql<boolean>`room_messages.erasing_event is not null`

/** A suspension of the author hides the passages in public rooms. Members of a private room go on reading its story. */
const isHidden = sql<boolean>`(${hasHiddenTexts(sql`room_messages.user_id`)}
  and exists (select from rooms as of_passage where of_passage.id = room_messages.room_id and of_passage.is_public))`

/** Whether readers get a mark in the place of the text of a passage. */
export const isWithheld = sql<boolean>`(${isErased} or ${isHidden})`

/**
 * Whether a passage of a folded room is not shown yet: until the room has ended nobody reads it but its author. Null stands
 * for all readers. Passages of free rooms have no turn, so that their rooms are not looked up.
 */
export const isFoldedFor = (readerId: string | null) => sql<boolean>`(room_messages.turn is not null
  and not coalesce(room_messages.user_id = ${readerId}, false)
  and exists (select from rooms as of_passage where of_passage.id = room_messages.room_id and of_passage.is_folded
    and ${isOpenIn('of_passage')}))`

/** The text of a passage as a reader gets it. It is empty only where the passage is folded: no stored text is. */
export const shownContentFor = (readerId: string | null) =>
  sql<string>`case when ${isErased} then ${sql.raw(`'${erasedMark}'`)}
  when ${isHidden} then ${sql.raw(`'${hiddenMark}'`)} when ${isFoldedFor(readerId)} then ''
  else room_messages.content end`

/** The text of a passage as all readers get it. */
export const shownContent = shownContentFor(null)

export const isFoldedText = (shown: string): boolean => shown === ''

/** The parts of a passage that a reader gets. Needs left joins to the author, who may have left, and to the membership. */
const passageFieldsFor = (readerId: string | null) => ({
  id: roomPassages.id,
  content: shownContentFor(readerId),
  isErased: isWithheld,
  words: roomPassages.words,
  userId: roomPassages.userId,
  authorName: shownName,
  roomId: roomPassages.roomId,
  createdAt: roomPassages.createdAt,
  position: roomPassages.position,
})

/** The newest passages of a room, newest first. */
export async function listNewestPassages(
  db: Db,
  readerId: string | null,
  { roomId, limit, before }: { roomId: string; limit: number; before?: number | undefined },
): Promise<RoomPassage[]> {
  const found = await db
    .select(passageFieldsFor(readerId))
    .from(roomPassages)
    .leftJoin(users, eq(users.id, roomPassages.userId))
    .leftJoin(roomMembers, ofAuthor)
    .where(
      and(
        eq(roomPassages.roomId, roomId),
        before === undefined ? undefined : lt(roomPassages.position, before),
      ),
    )
    .orderBy(desc(roomPassages.position))
    .limit(limit)
  return found.map((passage) => ({ ...passage, folded: isFoldedText(passage.content) }))
}

export interface NewPassage {
  id: string
  roomId: string
  userId: string
  content: string
  /** 16 random bytes. */
  salt: Buffer
}

/**
 * Adds a passage of a member while a free room is open and its story is not full. The clock is read after the room is locked:
 * a transaction that locks the ended room later, to read the finished story, finds every passage.
 */
export async function addPassage(db: Db, passage: NewPassage): Promise<SentPassage | undefined> {
  const [added] = await insertPassage(db).execute({ ...passage })
  const { salt, ...sent } = passage
  return (
    added && {
      ...sent,
      ...added,
      isErased: false,
      folded: false,
      words: null,
      salt: salt.toString('base64url'),
    }
  )
}

const insertPassage = perHandle((db) => {
  const part = (name: string, query: SQL) => db.$with(name, {}).as(query)
  const [id, roomId, userId, content, salt] = ['id', 'roomId', 'userId', 'content', 'salt'].map((name) =>
    sql.placeholder(name),
  )
  return db
    .with(
      part(
        'author',
        sql`select users.id, ${shownName} as shown_name
          from users join room_members on room_members.user_id = users.id and room_members.room_id = ${roomId}
          where users.id = ${userId} for key share of users`,
      ),
      part(
        'locked',
        sql`select rooms.id, expires_at from rooms, author
          where rooms.id = ${roomId} and turns = 'free' and ended_at is null for no key update of rooms`,
      ),
      part(
        'moment',
        sql`select id, expires_at, content, octet_length(content) + ${sql.raw(String(passageBytes))} as bytes, app_now() as at
          from locked, (select ${content}::text as content) as given offset 0`,
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
        sql`insert into room_messages (room_id, position, id, user_id, content, created_at, event, salt)
          select id, last_position, ${id}, ${userId}, content, at, last_event, ${salt} from room
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
