import { index, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { personId } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/** Whom a person follows. Only the follower reads it. */
export const follows = pgTable(
  'follows',
  {
    followerId: personId(),
    followedId: personId(),
    createdAt: instant().notNull(),
  },
  (table) => [
    // Serves: the people whom a person follows, and whether a person follows another one.
    primaryKey({ columns: [table.followerId, table.followedId] }),
    // Serves: the deletion of an account.
    index('follows_of_followed').on(table.followedId),
  ],
)
