import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant } from '#server/platform/database/columns.ts'

/** People: registered ones have an email and a username, guests an anonymous id. */
export const users = pgTable(
  'users',
  {
    id: text().primaryKey(),
    firstName: text(),
    lastName: text(),
    username: text().unique(),
    isAnonymous: boolean().notNull().default(false),
    anonymousId: text().unique(),
    isAdmin: boolean().notNull().default(false),
    isDemo: boolean().notNull().default(false),
    writingSample: text(),
    /** Whether passages of rooms carry the person's name. */
    showName: boolean().notNull().default(false),
    /** Whether others see the person in a room. */
    presence: boolean().notNull().default(true),
    createdAt: instant().notNull(),
  },
  // Serves: the names that nobody else may sign with.
  (table) => [
    index('users_admins')
      .on(table.id)
      .where(sql`is_admin`),
    // Serves: the list of registered people, newest first.
    index('users_registered')
      .on(table.createdAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`not is_anonymous`),
  ],
)

export const emails = pgTable('emails', {
  address: text().primaryKey(),
  userId: text()
    .notNull()
    .unique()
    .references(() => users.id, { onDelete: 'cascade' }),
})

export const credentials = pgTable(
  'credentials',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['password'] }).notNull(),
    /** With its parameters, in the PHC string format. */
    secret: text().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
)

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the token, in hexadecimal digits. */
    tokenHash: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** When the person proved who they are: sign-in, registration or guest login. */
    openedAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
    /** The end of its whole life; the idle end is counted from `lastSeenAt`. */
    expiresAt: instant().notNull(),
  },
  (table) => [
    // Serves: the sessions of a person (at most 20, ended together).
    index('sessions_of_user').on(table.userId, table.openedAt),
    // Serves: the purge of expired sessions.
    index('sessions_by_expiry').on(table.expiresAt),
  ],
)
