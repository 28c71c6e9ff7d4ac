import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '#server/platform/database/columns.ts'

/** Facts of this installation that outlive a start, such as the time zone its days were counted in. */
export const instanceFacts = pgTable('instance_facts', {
  name: text().primaryKey(),
  value: text().notNull(),
})

/** Who did what and when; never with content of people. Rows are added and purged after 180 days, never changed. */
export const auditLog = pgTable(
  'audit_log',
  {
    id: uuid().primaryKey(),
    at: instant().notNull(),
    action: text().notNull(),
    actorId: text(),
    subjectId: text(),
    requestId: text(),
    /** Of a closed report: the outcome and the note of the admin. */
    details: jsonb().$type<Record<string, string>>(),
    /** How many refusals of one caller the row stands for (S52). */
    count: integer().notNull().default(1),
  },
  (table) => [
    // Serves: the whole log, a range of days, and the purge of old rows.
    index('audit_log_in_order').on(table.at, table.id),
    // Serve: the log of one action, and of one actor or subject.
    index('audit_log_of_action').on(table.action, table.at, table.id),
    index('audit_log_of_actor')
      .on(table.actorId, table.at, table.id)
      .where(sql`actor_id is not null`),
    index('audit_log_of_subject')
      .on(table.subjectId, table.at, table.id)
      .where(sql`subject_id is not null`),
  ],
)

/**
 * The first answer to each keyed action, for 24 hours. A generated column `user_id` references the person, so that the
 * database deletes the answers together with the account; the program does not name it.
 */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    person: text().notNull(),
    call: text().notNull(),
    key: text().notNull(),
    inputDigest: text().notNull(),
    status: integer(),
    answer: jsonb(),
    createdAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.person, table.call, table.key] }),
    // Serves: the purge of old keys.
    index('idempotency_keys_by_time').on(table.createdAt),
  ],
)
