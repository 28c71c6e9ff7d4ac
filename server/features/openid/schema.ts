import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { personId, users } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/** Whose account is linked with which one at the OpenID Connect provider: one for each person at most. */
export const openidLinks = pgTable(
  'openid_links',
  {
    userId: personId().primaryKey(),
    issuer: text().notNull(),
    /** The id of the person at the provider, which never changes there. */
    subject: text().notNull(),
    linkedAt: instant().notNull(),
  },
  (table) => [
    // Serves: the person whom the provider has identified.
    uniqueIndex('openid_links_of_subject').on(table.issuer, table.subject),
  ],
)

/** Attempts to sign in or to link an account, for ten minutes. */
export const openidAttempts = pgTable(
  'openid_attempts',
  {
    /** SHA-256 of the token in the cookie. The secrets of the attempt are derived from the token, which is stored nowhere. */
    tokenHash: text().primaryKey(),
    /** The person who links the account. Null: somebody signs in. */
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    /** Whom the provider has identified, who may sign up now. Null before the answer of the provider. */
    issuer: text(),
    subject: text(),
    email: text(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    // Serves: the deletion of an account.
    index('openid_attempts_of_user').on(table.userId),
    // Serves: the purge.
    index('openid_attempts_by_expiry').on(table.expiresAt),
  ],
)
