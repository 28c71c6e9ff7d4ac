import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { personId, users } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'
import { bounceKinds, mailKinds } from '#contract/mails/mail.ts'

/** The queue of mails, and those that could not be sent. A mail that was sent is removed. The text is made when a mail is sent. */
export const mails = pgTable(
  'mails',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: mailKinds }).notNull(),
    /** Whom the mail is for. Null while nobody has looked up whose address `address` is. */
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    /** What somebody typed to ask for a new passcode. All other mails go to the address of the account. */
    address: text(),
    /** The events of the inbox of the person that the mail is about. */
    eventNumbers: integer().array(),
    createdAt: instant().notNull(),
    /** The next attempt. While a process sends the mail: the end of its lease. */
    attemptAt: instant().notNull(),
    /** How often the mail was taken. A process that took it later has a higher number. */
    attempts: integer().notNull().default(0),
    /** No further attempt is planned for a time after this one. A mail that a stopped server left is still tried once. */
    giveUpAt: instant().notNull(),
    /** When the server gave up. Such a mail waits for an admin. */
    failedAt: instant(),
    /** Why the last attempt failed, for admins. */
    failure: text(),
  },
  (table) => [
    // Serves: the next mail to send.
    index('mails_due')
      .on(table.attemptAt)
      .where(sql`failed_at is null`),
    // Serves: the list of mails that could not be sent, and the purge.
    index('mails_failed')
      .on(table.failedAt.desc().nullsFirst(), table.id.desc().nullsFirst())
      .where(sql`failed_at is not null`),
    // Serves: the deletion of an account.
    index('mails_of_person').on(table.userId),
    // Serves: the deletion of an account, for mails to its address whose person was not looked up yet.
    index('mails_to_address')
      .on(table.address)
      .where(sql`address is not null`),
  ],
)

/** The links of mails. A person may have several that are good, so that nobody can make one void by asking for another. */
export const mailLinks = pgTable(
  'mail_links',
  {
    /** SHA-256 of the token, which is stored nowhere. */
    tokenHash: text().primaryKey(),
    userId: personId(),
    purpose: text({ enum: ['reset', 'confirmation', 'choices', 'unsubscribe'] }).notNull(),
    /** SHA-256 of what must not have changed: the digest of the password, or the address. */
    boundTo: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    // Serves: the deletion of an account.
    index('mail_links_of_person').on(table.userId),
    // Serves: the purge.
    index('mail_links_by_expiry').on(table.expiresAt),
  ],
)

/** People whose address gets no more mails, because one came back. It ends when the address is confirmed again. */
export const mailBounces = pgTable(
  'mail_bounces',
  {
    userId: personId().primaryKey(),
    kind: text({ enum: bounceKinds }).notNull(),
    /** What the relay said, for admins. */
    reason: text().notNull(),
    at: instant().notNull(),
  },
  // Serves: the list of admins.
  (table) => [
    index('mail_bounces_by_time').on(table.at.desc().nullsFirst(), table.userId.desc().nullsFirst()),
  ],
)
