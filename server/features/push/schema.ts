import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { personId, sessions } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/** Browsers that get pushes. A session has at most one, so the end of the session removes it, and a person has at most 20. */
export const pushDevices = pgTable(
  'push_devices',
  {
    id: uuid().primaryKey(),
    userId: personId(),
    /** A process of an earlier version changes the hash of a session in its row, hence `onUpdate`. */
    sessionHash: text()
      .notNull()
      .references(() => sessions.tokenHash, { onDelete: 'cascade', onUpdate: 'cascade' }),
    /** The address at the push service of the browser. Whoever knows it and has our key can send pushes to the browser. */
    endpoint: text().notNull(),
    /** The public key and the secret with which pushes are encrypted for the browser. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: instant().notNull(),
    /** When the push service last took a push. Null: never. */
    lastSentAt: instant(),
  },
  (table) => [
    uniqueIndex('push_devices_of_session').on(table.sessionHash),
    uniqueIndex('push_devices_of_endpoint').on(table.endpoint),
    // Serves: the devices of a person, and the deletion of an account.
    index('push_devices_of_person').on(table.userId),
  ],
)

/** The queue of pushes. One that was sent, refused or is too old is removed. */
export const pushes = pgTable(
  'pushes',
  {
    /** Changes when a newer push takes the place of this one. */
    id: uuid()
      .notNull()
      .default(sql`overlay(gen_random_uuid()::text placing '7' from 15)::uuid`),
    deviceId: uuid()
      .notNull()
      .references(() => pushDevices.id, { onDelete: 'cascade' }),
    kind: text().notNull(),
    title: text().notNull(),
    path: text().notNull(),
    topic: text().notNull(),
    /** The events of the inbox of the person that a mail tells of when the push service does not take the push. */
    eventNumbers: integer()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The next attempt. While a process sends the push: the end of its lease. */
    attemptAt: instant().notNull(),
    /** How often the push was taken. A process that took it later has a higher number. */
    attempts: integer().notNull().default(0),
    /** The push is not sent after this time. */
    giveUpAt: instant().notNull(),
  },
  (table) => [
    // A newer push about a thing takes the place of an older one that waits.
    uniqueIndex('pushes_of_topic').on(table.deviceId, table.topic),
    // Serves: the pushes that are due.
    index('pushes_due').on(table.attemptAt),
  ],
)
