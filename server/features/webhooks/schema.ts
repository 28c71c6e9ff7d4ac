import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { WebhookEvent } from '#contract/webhooks/events.ts'
import { instant } from '#server/platform/database/columns.ts'

/** Addresses to which the server sends what is published: at most 10. */
export const webhooks = pgTable('webhooks', {
  id: uuid().primaryKey(),
  url: text().notNull(),
  events: text().array().$type<WebhookEvent[]>().notNull(),
  createdAt: instant().notNull(),
  /** Until then one process makes the deliveries. */
  leasedUntil: instant(),
})

const webhookId = () =>
  uuid()
    .notNull()
    .references(() => webhooks.id, { onDelete: 'cascade' })

/** What webhooks are notified of. The text is read when it is sent, so nothing is sent that is no longer public. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: uuid()
      .notNull()
      .default(sql`overlay(gen_random_uuid()::text placing '7' from 15)::uuid`),
    webhookId: webhookId(),
    event: text().$type<WebhookEvent>().notNull(),
    /** The post or the room. */
    subjectId: uuid().notNull(),
    createdAt: instant().notNull(),
    /** Null: delivered, given up, or no longer public. */
    attemptAt: instant(),
    giveUpAt: instant().notNull(),
    /** Since the first one, or since an admin asked to try again. */
    attempts: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.id] }),
    // Each thing is queued once for a webhook.
    uniqueIndex('webhook_deliveries_of_subject').on(table.webhookId, table.event, table.subjectId),
    // Serves: the deliveries that are due.
    index('webhook_deliveries_due')
      .on(table.webhookId, table.attemptAt)
      .where(sql`attempt_at is not null`),
    // Serves: the purge.
    index('webhook_deliveries_by_age').on(table.createdAt),
  ],
)

/** The last 100 attempts of each webhook. */
export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: uuid().notNull(),
    webhookId: webhookId(),
    deliveryId: uuid().notNull(),
    at: instant().notNull(),
    /** Of the answer; null when there was none. */
    status: integer(),
    /** Why there was no answer. */
    failure: text(),
  },
  (table) => [
    primaryKey({ columns: [table.webhookId, table.id] }),
    // Serves: the list of attempts, the newest first.
    index('webhook_attempts_by_time').on(table.webhookId, table.at),
  ],
)
