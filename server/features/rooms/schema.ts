import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/** What the shelf is searched by: words, between whatever marks they stand. */
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
    /** Of the newest passage. */
    lastPosition: integer().notNull().default(0),
    /** Of all passages, as UTF-8 and with what each counts for beside its text. */
    storyBytes: integer().notNull().default(0),
    /** Of the newest passage or joining: the number by which live streams go on. */
    lastEvent: integer().notNull().default(0),
    /** `last_event` at the time of the count. Null: not counted yet, or a person has left since. */
    countedEvent: integer(),
    countedMembers: integer(),
    countedContributors: integer(),
  },
  (table) => [
    // Serves: the rooms created today, newest first.
    index('rooms_by_creation').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
    // Serves: the shelf of public finished rooms, the last to end first.
    index('rooms_public_by_end')
      .on(table.expiresAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`is_public`),
    // Serves: the search of the shelf, by beginnings of words.
    index('rooms_words').using('gin', wordsOfRoom).with({ fastupdate: false }),
    // Serves: the open rooms of a person, who may have 20, and leaving.
    index('rooms_of_creator').on(table.createdByUserId, table.expiresAt),
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
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    joinedAt: instant().notNull(),
    /** The number of the joining among the events of the room; 0 for who was there from the start. */
    event: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.roomId, table.userId] }),
    // Serves: the rooms of a person.
    index('rooms_of_member').on(table.userId),
    // Serves: what a live stream has missed.
    uniqueIndex('room_members_by_event')
      .on(table.roomId, table.event)
      .where(sql`event > 0`),
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
    /** Null once the author has left. */
    userId: text().references(() => users.id, { onDelete: 'set null' }),
    content: text().notNull(),
    createdAt: instant().notNull(),
    /** Its number among the events of the room. */
    event: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.roomId, table.position] }),
    // Serves: what a live stream has missed.
    uniqueIndex('room_messages_by_event').on(table.roomId, table.event),
    // Serves: leaving, which takes the name from the passages.
    index('room_messages_of_author').on(table.userId),
  ],
)
