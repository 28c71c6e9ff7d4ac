import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { personId } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/** Links by which people invite others. Several people may follow one link. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid().primaryKey(),
    inviterId: personId(),
    /** SHA-256 of the token, which is stored nowhere. */
    tokenHash: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    /** The room into which the link leads. It may be deleted: a foreign key would lock rooms after invitations. */
    roomId: uuid(),
  },
  (table) => [
    // Serves: the link of a token.
    uniqueIndex('invitations_of_token').on(table.tokenHash),
    // Serves: the links of a person, and the deletion of an account.
    index('invitations_of_inviter').on(table.inviterId),
    // Serves: the purge.
    index('invitations_by_expiry').on(table.expiresAt),
  ],
)

/**
 * People who followed a link and said yes. A row is deleted when the inviter confirms it, and kept when the inviter
 * declines it, so that the same link does not ask again. Every row is purged after some weeks.
 */
export const invitationAcceptances = pgTable(
  'invitation_acceptances',
  {
    inviterId: personId(),
    personId: personId(),
    acceptedAt: instant().notNull(),
    declinedAt: instant(),
    /** The room of the link that the person followed last. */
    roomId: uuid(),
  },
  (table) => [
    // Serves: the people who wait for an answer of the inviter.
    primaryKey({ columns: [table.inviterId, table.personId] }),
    // Serves: the deletion of an account.
    index('invitation_acceptances_of_person').on(table.personId),
    // Serves: the purge.
    index('invitation_acceptances_by_time').on(table.acceptedAt),
  ],
)
