import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { turnRules } from '#contract/rooms/table/table.ts'
import { personId, users } from '#server/features/account/index.ts'
import { bytes } from '#server/features/day-texts/index.ts'
import { instant, tsvector } from '#server/platform/database/columns.ts'

/** The words of name and description, without punctuation, by which finished rooms are searched. */
export const wordsOfRoom = sql`to_tsvector('simple', regexp_replace(normalize(name || ' ' || description), '[[:punct:][:space:]]+', ' ', 'g'))`

export const rooms = pgTable(
  'rooms',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    description: text().notNull(),
    isPublic: boolean().notNull(),
    /** Minutes. */
    duration: integer().notNull(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull(),
    createdByUserId: text().references(() => users.id, { onDelete: 'set null' }),
    /** Set once the end was seen, and never removed: whatever the clock does, the room stays ended. */
    endedAt: instant(),
    turns: text({ enum: turnRules }).notNull().default('free'),
    isFolded: boolean().notNull().default(false),
    /** Null in a free room, as `passageMax`. */
    turnSeconds: integer(),
    passageMax: integer(),
    /** The text with which the story begins. It is no passage, and the seal does not contain it. */
    opening: text(),
    wordGoal: integer(),
    isClosed: boolean().notNull().default(false),
    /** The number of the newest turn. */
    turn: integer().notNull().default(0),
    /** Grows with each change of the table that readers can see. */
    turnRevision: integer().notNull().default(0),
    /**
     * Without a foreign key, which would lock a person after the room: `leaveRooms` lets the turn of a deleted account pass
     * on.
     */
    turnHolder: text(),
    turnEndsAt: instant(),
    /** When the turn of a slow table began, and when its holder is to be told of it next. */
    turnBeganAt: instant(),
    turnRemindAt: instant(),
    /** When the holder has to have signed again. */
    turnLeaseAt: instant(),
    isLastTurn: boolean().notNull().default(false),
    /** When the table changes without a call. Null in a free room, and after the end. */
    turnDueAt: instant(),
    /** The position of the newest passage. */
    lastPosition: integer().notNull().default(0),
    /** The bytes of all passages as UTF-8, and `passageBytes` for each. */
    storyBytes: integer().notNull().default(0),
    /** The number of the newest event: a passage, a joining, a change of a signature or an erasure. Live streams resume by it. */
    lastEvent: integer().notNull().default(0),
    /**
     * Equals `last_event` while the counts are current: an event that changes no count increases both. Null: not counted
     * yet, or an account was deleted since.
     */
    countedEvent: integer(),
    countedMembers: integer(),
    countedContributors: integer(),
  },
  (table) => [
    // Serves: the rooms created today, newest first.
    index('rooms_by_creation').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    // Serves: the list of public finished rooms, the latest end first.
    index('rooms_public_by_end')
      .on(table.expiresAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`is_public`),
    // Serves: the search of finished rooms, by beginnings of words.
    index('rooms_words').using('gin', wordsOfRoom).with({ fastupdate: false }),
    // Serves: the open rooms of a person, who may have 20, and the deletion of an account.
    index('rooms_of_creator').on(table.createdByUserId, table.expiresAt),
    // Serves: the rooms whose end is to be stored.
    index('rooms_not_ended')
      .on(table.expiresAt)
      .where(sql`ended_at is null`),
    // Serves: the tables whose turn is to pass on.
    index('rooms_by_due_turn')
      .on(table.turnDueAt)
      .where(sql`turn_due_at is not null`),
    // Serves: the slow tables whose holder is to be told of the turn.
    index('rooms_by_turn_reminder')
      .on(table.turnRemindAt)
      .where(sql`turn_remind_at is not null`),
    // Serves: the running slow tables, newest first.
    index('rooms_slow_by_creation')
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`ended_at is null and turn_seconds >= 43200`),
    // Serves: the finished rooms whose members and contributors are to be counted.
    index('rooms_uncounted')
      .on(table.expiresAt)
      .where(sql`counted_event is null`),
  ],
)

export const roomMembers = pgTable(
  'room_members',
  {
    roomId: uuid()
      .notNull()
      .references(() => rooms.id, { onDelete: 'cascade' }),
    userId: personId(),
    joinedAt: instant().notNull(),
    /** The number of the joining among the events of the room; 0 for the creator. */
    event: integer().notNull().default(0),
    /** Whether passages of the member carry the name. Null: the setting of the person decides. */
    signsWithName: boolean(),
    /** The number of the member's newest change of the signature among the events of the room. */
    signingEvent: integer(),
    /** Null for a member who is not at the table, as `seat`. */
    tableState: text({ enum: ['ready', 'away', 'waiting'] }),
    /** The place in the order of sitting down, or of waiting for a seat. */
    seat: integer(),
    /** How many turns in a row have lapsed. */
    missedTurns: integer().notNull().default(0),
    /** The words of all passages in a room with turns. */
    words: integer().notNull().default(0),
    /** The number of the turn since which the member waits for a turn. */
    waitsSince: integer().notNull().default(0),
    awaySince: instant(),
    /** Makes the mark of the person in the proof of the story. Null before the first passage is in the chain. */
    secret: bytes(),
    /** When the creator has removed the person, who is no member since. The row keeps the signature of the passages. */
    removedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.roomId, table.userId] }),
    // Serves: the rooms of a person.
    index('rooms_of_member').on(table.userId),
    // Serves: the events that a live stream has missed.
    uniqueIndex('room_members_by_event')
      .on(table.roomId, table.event)
      .where(sql`event > 0`),
    // Serves: the events that a live stream has missed.
    uniqueIndex('room_members_by_signing_event')
      .on(table.roomId, table.signingEvent)
      .where(sql`signing_event is not null`),
  ],
)

export const roomPassages = pgTable(
  'room_messages',
  {
    roomId: uuid()
      .notNull()
      .references(() => rooms.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    id: uuid().notNull(),
    /** Null after the author has deleted the account. */
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    content: text().notNull(),
    createdAt: instant().notNull(),
    /** The number of the passage among the events of the room. */
    event: integer().notNull(),
    /** The number of the event by which an admin has erased the text, which is empty since. */
    erasingEvent: integer(),
    /** The number of the turn. Null in a free room, as `words`. */
    turn: integer(),
    words: integer(),
    /** Without it nobody can guess the text from its hash. Null in rooms without a chain, and after an erasure. */
    salt: bytes(),
    /** The hash of the text, and the mark of the author. Null until the passage is in the chain. */
    textHash: bytes(),
    who: bytes(),
  },
  (table) => [
    primaryKey({ columns: [table.roomId, table.position] }),
    // Serves: the events that a live stream has missed.
    uniqueIndex('room_messages_by_event').on(table.roomId, table.event),
    // Serves: the events that a live stream has missed.
    uniqueIndex('room_messages_by_erasing_event')
      .on(table.roomId, table.erasingEvent)
      .where(sql`erasing_event is not null`),
    // Keeps turns to one passage.
    uniqueIndex('room_messages_by_turn')
      .on(table.roomId, table.turn)
      .where(sql`turn is not null`),
    // Serves: a passage by its id, to report it.
    uniqueIndex('room_messages_by_id').on(table.id),
    // Serves: the passages of a person in a room, and the deletion of an account.
    index('room_messages_of_author').on(table.userId, table.roomId, table.position),
  ],
)

/** What people at a table say beside the story. Deleted 24 hours after the end of the room. */
export const roomAsides = pgTable(
  'room_asides',
  {
    roomId: uuid()
      .notNull()
      .references(() => rooms.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    userId: personId(),
    /** UTF-8 as it was typed, or encrypted with the key of `keyId`. */
    content: bytes().notNull(),
    keyId: text(),
    createdAt: instant().notNull(),
  },
  (table) => [
    // Serves: the asides of a room, newest first. Ids grow with time.
    primaryKey({ columns: [table.roomId, table.id] }),
    // Serves: an aside by its id, to report it.
    uniqueIndex('room_asides_by_id').on(table.id),
    // Serves: the deletion of an account.
    index('room_asides_of_author').on(table.userId),
  ],
)

/** The words of the name and the description of each room, for the search. The room itself decides who may find it. */
export const roomWords = pgTable(
  'room_words',
  {
    roomId: uuid()
      .primaryKey()
      .references(() => rooms.id, { onDelete: 'cascade' }),
    words: tsvector().notNull(),
  },
  (table) => [
    // Serves: the search by words.
    index('room_words_words').using('gin', table.words),
  ],
)

export const isMemberOfRoom = (personId: string | null) =>
  sql<boolean>`exists (select 1 from room_members where room_id = rooms.id and user_id = ${personId} and removed_at is null)`

/** Whether a room is a slow table whose end is not stored: the condition of an index. */
export const isSlowAndOpen = sql`(ended_at is null and turn_seconds >= 43200)`

/** Whether a room is open. An ended room stays ended, whatever the clock does. */
export const isOpenIn = (table: string) =>
  sql<boolean>`(${sql.identifier(table)}.ended_at is null and ${sql.identifier(table)}.expires_at > app_now())`
export const isOpen = isOpenIn('rooms')
export const isEnded = sql<boolean>`(not ${isOpen})`
