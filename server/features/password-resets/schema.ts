import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { personId } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/** Links that admins have made for people who forgot their password: one for each person at most. */
export const passwordResets = pgTable(
  'password_resets',
  {
    userId: personId().primaryKey(),
    adminId: personId(),
    /** SHA-256 of the token, which is stored nowhere. */
    tokenHash: text().notNull(),
    /** SHA-256 of the digest of the password at that time: with another password the link is void. */
    secretHash: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    // Serves: the link of a token.
    uniqueIndex('password_resets_of_token').on(table.tokenHash),
    // Serves: the deletion of the account of an admin.
    index('password_resets_of_admin').on(table.adminId),
    // Serves: the purge.
    index('password_resets_by_expiry').on(table.expiresAt),
  ],
)
