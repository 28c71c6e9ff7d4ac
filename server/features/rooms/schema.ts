import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

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
  },
  // Serves: the rooms created today, newest first.
  (table) => [
    index('rooms_by_creation').on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst()),
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
  },
  (table) => [
    primaryKey({ columns: [table.roomId, table.userId] }),
    // Serves: the rooms of a person.
    index('rooms_of_member').on(table.userId),
  ],
)
