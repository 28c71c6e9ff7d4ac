import { and, desc, eq, lt, sql } from 'drizzle-orm'
import { erasedMark, hiddenMark, type RoomPassage, type SentPassage } from '#contract/rooms/room.ts'
import { hasHiddenTexts, users } from '#server/features/account/index.ts'
import { batchRows } from '#server/platform/database/batch-rows.ts'
import { apiInstant } from '#server/platform/database/columns.ts'
import { afterAllPositions } from '#server/platform/database/keyset.ts'
import { arrayParameter, type Db, perHandle } from '#server/platform/database/pool.ts'
import { claimsOf, KeyClaim, keyClaimCtes, keyInUse } from '#server/platform/http/endpoints/idempotency.ts'
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
  and exists (select 1 from rooms as of_passage where of_passage.id = room_messages.room_id and of_passage.is_public))`

/** Whether readers get a mark in the place of the text of a passage. */
export const isWithheld = sql<boolean>`(${isErased} or ${isHidden})`

/**
 * Whether a passage of a folded room is not shown yet: until the room has ended nobody reads it but its author. Null stands
 * for all readers. Passages of free rooms have no turn, so that their rooms are not looked up.
 */
export const isFoldedFor = (readerId: string | null) => sql<boolean>`(room_messages.turn is not null
  and not coalesce(room_messages.user_id = ${readerId}, false)
  and exists (select 1 from rooms as of_passage where of_passage.id = room_messages.room_id and of_passage.is_folded
    and ${isOpenIn('of_passage')}))`

/** The text of a passage as a reader gets it. It is empty only where the passage is folded: no stored text is. */
const shownContentFor = (readerId: string | null) =>
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
  {
    roomId,
    limit,
    before = afterAllPositions,
  }: { roomId: string; limit: number; before?: number | undefined },
): Promise<RoomPassage[]> {
  const found = await db
    .select(passageFieldsFor(readerId))
    .from(roomPassages)
    .leftJoin(users, eq(users.id, roomPassages.userId))
    .leftJoin(roomMembers, ofAuthor)
    .where(and(eq(roomPassages.roomId, roomId), lt(roomPassages.position, before)))
    .orderBy(desc(roomPassages.position))
    .limit(limit)
    .prepare('select_newest_passages')
    .execute()
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
 * Adds a passage of a member while a free room is open and its story is not full, and claims the key of the call. Throws
 * when the key is in use. The clock is read after the room is locked: a transaction that locks the ended room later, to read
 * the finished story, finds every passage. Passages in different rooms that arrive at the same time are added by one
 * statement.
 */
export async function addPassage(
  db: Db,
  passage: NewPassage,
  claim = new KeyClaim(undefined),
): Promise<SentPassage | undefined> {
  const { salt, ...sent } = passage
  const answer = { ...sent, isErased: false, folded: false, words: null, salt: salt.toString('base64url') }
  const added = await insertInBatch(db)({ ...passage, claim, answer })
  if (added === undefined) return undefined
  const { position, createdAt, authorName } = added
  if (position === null || createdAt === null) throw keyInUse()
  return { ...answer, position, createdAt, authorName }
}

interface PassageRow extends NewPassage {
  claim: KeyClaim
  answer: Omit<SentPassage, 'position' | 'createdAt' | 'authorName'>
}

/** An added passage, or a passage whose key is in use. The latter has no position and no time. */
interface AddedPassage {
  id: string
  position: number | null
  createdAt: string | null
  authorName: string | null
}

const insertInBatch = perHandle((db) =>
  batchRows(
    (passages: PassageRow[]) => insertPassages(db, passages),
    ({ content, roomId, userId }) => ({ content, unshared: [roomId, userId] }),
  ),
)

/** Adds passages of different people in different rooms. Returns those that were added, and those whose key is in use. */
async function insertPassages(db: Db, passages: PassageRow[]): Promise<AddedPassage[]> {
  const all = <Field extends keyof PassageRow>(field: Field) => passages.map((passage) => passage[field])
  return insertStatement(db).execute({
    ids: all('id'),
    roomIds: all('roomId'),
    userIds: all('userId'),
    contents: all('content'),
    salts: all('salt'),
    claims: claimsOf(passages),
  })
}

/** Locks the people before their rooms, each in the order of the ids, as every transaction does, and then the keys. */
const insertStatement = perHandle((db) => {
  const ctes = {
    given: sql`
      select * from unnest(${arrayParameter('ids', 'uuid')}, ${arrayParameter('roomIds', 'uuid')}, ${arrayParameter('userIds', 'text')},
        ${arrayParameter('contents', 'text')}, ${arrayParameter('salts', 'bytea')}) as given (id, room_id, user_id, content, salt)`,
    authors: sql`
      select given.*, ${shownName} as shown_name
      from given join users on users.id = given.user_id
        join room_members on room_members.user_id = users.id and room_members.room_id = given.room_id
      order by users.id for key share of users`,
    locked: sql`
      select authors.*, expires_at, last_position + 1 as position, story_bytes as bytes_before
      from authors join rooms on rooms.id = authors.room_id
      where turns = 'free' and ended_at is null
      order by rooms.id for no key update of rooms`,
    ready: sql`
      select moment.*,
        jsonb_build_object('position', position, 'createdAt', ${apiInstant(sql`at`)}, 'authorName', shown_name) as answer
      from (
        select *, octet_length(content) + ${sql.raw(String(passageBytes))} as bytes, app_now() as at from locked offset 0
      ) moment
      where at < expires_at and bytes_before + bytes <= ${sql.raw(String(storyMaxBytes))}`,
    ...keyClaimCtes(),
    room: sql`
      update rooms set last_position = position, last_event = last_event + 1, story_bytes = story_bytes + bytes
      from granted where rooms.id = room_id
      returning granted.*, last_event`,
    passage: sql`
      insert into room_messages (room_id, position, id, user_id, content, created_at, event, salt)
      select room_id, position, room.id, user_id, content, at, last_event, salt from room
      returning id, position, created_at`,
  }
  return db
    .with(...Object.entries(ctes).map(([name, query]) => db.$with(name, {}).as(query)))
    .select({
      id: sql<string>`id`,
      position: sql<number | null>`position`,
      createdAt: sql`created_at`.mapWith(roomPassages.createdAt),
      authorName: sql<string | null>`shown_name`,
    })
    .from(
      sql`(
        select id, passage.position, created_at, shown_name from passage join ready using (id)
        union all select id, null, null, null from taken
      ) added`,
    )
    .prepare('insert_passages')
})
