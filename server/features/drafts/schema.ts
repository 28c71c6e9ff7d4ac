import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { categories } from '#contract/feed/categories.ts'
import { postForms } from '#contract/feed/post.ts'
import { users } from '#server/features/account/index.ts'
import { bytes } from '#server/features/day-texts/index.ts'
import { instant } from '#server/platform/database/columns.ts'

export const drafts = pgTable(
  'drafts',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Unique among the drafts of the person alone: the browser of the person chooses it. */
    id: uuid().notNull(),
    /** UTF-8 as it was typed, or encrypted with the key of `keyId`. */
    content: bytes().notNull(),
    keyId: text(),
    /** Bytes of the text in UTF-8. */
    size: integer().notNull(),
    authorName: text(),
    postType: text({ enum: ['standard', 'premium'] }).notNull(),
    form: text({ enum: postForms }),
    category: text({ enum: categories }),
    tags: text()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The post that the draft will change. It may be gone when the draft is opened. */
    postId: uuid(),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    // Serves: the drafts of a person, the last changed one first.
    index('drafts_of_person').on(
      table.userId,
      table.updatedAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
  ],
)
