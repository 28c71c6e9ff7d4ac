import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import {
  reportActions,
  reportCategories,
  reportKinds,
  reportOutcomes,
} from '#contract/abuse-reports/report.ts'
import { users } from '#server/features/account/index.ts'
import { bytes } from '#server/features/day-texts/index.ts'
import { instant } from '#server/platform/database/columns.ts'

const person = () => text().references(() => users.id, { onDelete: 'set null' })

/** Reports to the admins, each with a copy of what was reported. Later changes of the original do not change the copy. */
export const abuseReports = pgTable(
  'abuse_reports',
  {
    id: uuid().primaryKey(),
    kind: text({ enum: reportKinds }).notNull(),
    targetId: text().notNull(),
    category: text({ enum: reportCategories }).notNull(),
    reporterId: person(),
    /** UTF-8 as the reporter typed it, or encrypted with the key of `keyId`. */
    reason: bytes(),
    reportedId: person(),
    /**
     * The copy: who wrote it, as the name was then, what, and when. `content` is encrypted like `reason`. Of a person it is the
     * introduction: the names have columns of their own, so that they can be removed without the key.
     */
    authorName: text().notNull(),
    /** Of a person, until the account is deleted. */
    authorUsername: text(),
    /** Null when an admin has erased the text, and when the copy was dropped, because an earlier version had stored it together with the names. */
    content: bytes(),
    writtenAt: instant().notNull(),
    keyId: text(),
    createdAt: instant().notNull(),
    closedAt: instant(),
    closedById: person(),
    outcome: text({ enum: reportOutcomes }),
    /** What the call that closed the report has done. */
    actions: text({ enum: reportActions }).array().notNull().default([]),
    note: text(),
  },
  (table) => [
    // Serves: the open report of a person about a thing, of which there is one.
    uniqueIndex('abuse_reports_open')
      .on(table.reporterId, table.kind, table.targetId)
      .where(sql`closed_at is null`),
    // Serves: the list, open reports first, then the newest.
    index('abuse_reports_open_first').on(sql`(closed_at is null)`, table.createdAt, table.id),
    // Serves: the erasure of the copies of a text.
    index('abuse_reports_of_target').on(table.targetId),
    // Serve: the deletion of an account.
    index('abuse_reports_of_reporter').on(table.reporterId),
    index('abuse_reports_of_reported').on(table.reportedId),
    index('abuse_reports_of_closer').on(table.closedById),
    // Serves: the purge.
    index('abuse_reports_by_closing')
      .on(table.closedAt)
      .where(sql`closed_at is not null`),
    check('abuse_reports_closed', sql`(closed_at is null) = (outcome is null)`),
  ],
)
