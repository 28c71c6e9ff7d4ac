import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { personId } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/**
 * Two friends and the state of their conversation. The person with the smaller id is the low one, so that a pair has one
 * row.
 */
export const friendships = pgTable(
  'friendships',
  {
    id: uuid().primaryKey(),
    lowId: personId(),
    highId: personId(),
    createdAt: instant().notNull(),
    /**
     * Whether this person has added the other one or written to them: then the other one sees this person's email address
     * (S40).
     */
    lowShowsEmail: boolean().notNull(),
    highShowsEmail: boolean().notNull(),
    /** The position of the newest message. */
    lastPosition: integer().notNull().default(0),
    lastMessageAt: instant(),
    /** The position up to which a person has read, and how many messages of the other one stand after it. */
    lowReadPosition: integer().notNull().default(0),
    highReadPosition: integer().notNull().default(0),
    lowUnreadCount: integer().notNull().default(0),
    highUnreadCount: integer().notNull().default(0),
  },
  (table) => [
    // Serves: a friendship by its two people, and the friends of the low one.
    uniqueIndex('friendships_of_pair').on(table.lowId, table.highId),
    // Serves: the friends of the high one.
    index('friendships_of_high').on(table.highId),
    check('friendships_in_order', sql`low_id collate "C" < high_id collate "C"`),
  ],
)

export const blocks = pgTable(
  'blocks',
  {
    blockerId: personId(),
    blockedId: personId(),
    createdAt: instant().notNull(),
  },
  (table) => [
    // Serves: whether one of two people has blocked the other, and the people whom a person has blocked.
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    // Serves: the deletion of an account.
    index('blocks_of_blocked').on(table.blockedId),
  ],
)
