import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { users } from '#server/features/account/index.ts'
import { instant } from '#server/platform/database/columns.ts'

/** The counter of a person's events. The row is made with the first event. */
export const inboxes = pgTable('inboxes', {
  userId: text()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The number of the newest event. Live streams resume by it. */
  lastEvent: integer().notNull(),
})

/**
 * The newest `liveGapMax` events of a person, for live streams that resume, and older ones that the person has not seen, for
 * the bell. They hold ids, times, the reasons of erasures and the texts of warnings, never what authors wrote.
 */
export const inboxEvents = pgTable(
  'inbox_events',
  {
    userId: text()
      .notNull()
      .references(() => inboxes.userId, { onDelete: 'cascade' }),
    number: integer().notNull(),
    name: text().notNull(),
    /**
     * The ids from which the content of the event is read when it is sent, and values beside them. `friendUserId` is another
     * person whom the event names, friend or not.
     */
    ids: jsonb().$type<Record<string, string>>().notNull(),
    /** When the event was added, for one that the bell lists until the person has seen it. */
    unseenSince: instant(),
    /** When the person is told of the event, unless a page gets it or the person sees it before. Null: not to be told, or told. */
    noticeAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.number] }),
    // Serves: the deletion of an account, of the events that name the person.
    index('inbox_events_of_friend')
      .on(sql`(ids ->> 'friendUserId')`)
      .where(sql`ids ->> 'friendUserId' is not null`),
    // Serves: the list of the bell.
    index('inbox_events_unseen')
      .on(table.userId, table.number)
      .where(sql`unseen_since is not null`),
    // Serves: the away notifications that are due.
    index('inbox_events_by_notice')
      .on(table.noticeAt)
      .where(sql`notice_at is not null`),
    // Serves: the events of which a person is still to be told.
    index('inbox_events_waiting')
      .on(table.userId, table.number)
      .where(sql`notice_at is not null`),
    // Serves: the purge.
    index('inbox_events_unseen_by_time')
      .on(table.unseenSince)
      .where(sql`unseen_since is not null`),
  ],
)
