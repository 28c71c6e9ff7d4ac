import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Webhook, WebhookAttempt } from '#contract/webhooks/endpoints.ts'
import { webhookAttemptsMax, type WebhookEvent } from '#contract/webhooks/events.ts'
import { pickColumns } from '#server/platform/database/columns.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { type IdSources, newId } from '#server/platform/ids.ts'
import { webhookAttempts, webhookDeliveries, webhooks } from './schema.ts'

const storedFields = pickColumns(webhooks, 'id', 'url', 'events', 'createdAt')
const fields = {
  ...storedFields,
  /** The number of deliveries that are due or will be tried again. */
  waiting: sql<number>`(select count(*)::int from webhook_deliveries
    where webhook_id = webhooks.id and attempt_at is not null)`,
}

export const listAllWebhooks = (db: Db): Promise<Webhook[]> =>
  db.select(fields).from(webhooks).orderBy(asc(webhooks.createdAt), asc(webhooks.id))

/** Locks the table until the end of the transaction: no other call makes a webhook meanwhile. Returns the number of webhooks. */
export async function countWebhooksAndLock(db: Db): Promise<number> {
  await db.execute(sql`lock table webhooks in share row exclusive mode`)
  return db.$count(webhooks)
}

export async function addWebhook(
  db: Db,
  sources: IdSources,
  webhook: { url: string; events: WebhookEvent[] },
): Promise<Webhook> {
  const [added] = await db
    .insert(webhooks)
    .values({ id: newId(sources), ...webhook, createdAt: sql`app_now()` })
    .returning(storedFields)
  return { ...added!, waiting: 0 }
}

export async function removeWebhook(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.delete(webhooks).where(eq(webhooks.id, id))
  return rowCount === 1
}

export const hasWebhook = async (db: Db, id: string): Promise<boolean> =>
  (await db.$count(webhooks, eq(webhooks.id, id))) === 1

export const listAttempts = (db: Db, webhookId: string): Promise<WebhookAttempt[]> =>
  db
    .select({
      id: webhookAttempts.id,
      deliveryId: webhookAttempts.deliveryId,
      event: webhookDeliveries.event,
      subjectId: webhookDeliveries.subjectId,
      ...pickColumns(webhookAttempts, 'at', 'status', 'failure'),
      isDelivered: sql<boolean>`coalesce(${webhookAttempts.status} between 200 and 299, false)`,
      nextAt: webhookDeliveries.attemptAt,
    })
    .from(webhookAttempts)
    .innerJoin(webhookDeliveries, isDeliveryOfAttempt)
    .where(eq(webhookAttempts.webhookId, webhookId))
    .orderBy(desc(webhookAttempts.at), desc(webhookAttempts.id))
    .limit(webhookAttemptsMax)

const isDeliveryOfAttempt = and(
  eq(webhookDeliveries.webhookId, webhookAttempts.webhookId),
  eq(webhookDeliveries.id, webhookAttempts.deliveryId),
)

/** Makes a delivery due now, also one that has succeeded. Returns false when the webhook has no such delivery. */
export async function makeDeliveryDue(db: Db, webhookId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    with moment as materialized (
      select at, at + interval '2 days' as last from (select app_now() as at offset 0) clock)
    update webhook_deliveries set attempt_at = moment.at, give_up_at = moment.last, attempts = 0
    from moment
    where webhook_id = ${webhookId} and id = ${id}`)
  return rowCount === 1
}

/**
 * Queues a delivery of each post for each webhook that wants posts. A delivery that was given up without success is queued
 * again. A post is left out when it was published before the webhook was made, or over seven days ago. Locks the webhooks
 * before their deliveries, in the order of the deletion of a webhook, so that the two do not end in a deadlock.
 */
export const queuePosts = (db: Db, postIds: readonly string[]) =>
  db.execute(sql`
    insert into webhook_deliveries (webhook_id, event, subject_id, created_at, attempt_at, give_up_at)
    select webhooks.id, 'post.published', posts.id, moment.at, moment.at, moment.at + interval '2 days'
    from (select * from webhooks for key share) webhooks, posts, (select app_now() as at offset 0) moment
    where posts.id = any(${sql.param(postIds)}::uuid[]) and 'post.published' = any(events)
      and published_at > webhooks.created_at and published_at > moment.at - interval '7 days'
    on conflict (webhook_id, event, subject_id) do update
      set attempt_at = excluded.attempt_at, give_up_at = excluded.give_up_at, attempts = 0
      where webhook_deliveries.attempt_at is null and not exists (
        select 1 from webhook_attempts
        where webhook_attempts.webhook_id = webhook_deliveries.webhook_id
          and delivery_id = webhook_deliveries.id and status between 200 and 299
      )`)

/** Queues the public stories that have ended. No call ends a story, so the sender looks for ended stories. */
export const queueStories = (db: Db) =>
  db.execute(sql`
    insert into webhook_deliveries (webhook_id, event, subject_id, created_at, attempt_at, give_up_at)
    select webhooks.id, 'story.finished', rooms.id, moment.at, moment.at, moment.at + interval '2 days'
    from webhooks, rooms, (select app_now() as at offset 0) moment
    where 'story.finished' = any(events) and is_public
      and expires_at <= moment.at
      and expires_at > webhooks.created_at and expires_at > moment.at - interval '7 days'
    on conflict do nothing`)

/** Deletes deliveries that are over, have no attempt in the log and are too old to be queued again. */
export const purgeDeliveries = (db: Db) =>
  db.execute(sql`
    delete from webhook_deliveries
    where created_at < app_now() - interval '7 days' and attempt_at is null and not exists (
      select 1 from webhook_attempts
      where webhook_attempts.webhook_id = webhook_deliveries.webhook_id and delivery_id = webhook_deliveries.id
    )`)

export interface LeasedWebhook {
  id: string
  url: string
}

/** Takes all webhooks with due deliveries under a lease: until its end no other process makes their deliveries. */
export async function takeDueWebhooks(db: Db, leaseSeconds: number): Promise<LeasedWebhook[]> {
  const { rows } = await db.execute<Record<keyof LeasedWebhook, string>>(sql`
    update webhooks set leased_until = app_now() + make_interval(secs => ${leaseSeconds})
    where id in (
      select id from webhooks
      where (leased_until is null or leased_until <= app_now()) and exists (
        select 1 from webhook_deliveries where webhook_id = webhooks.id and attempt_at <= app_now()
      )
      for update skip locked
    )
    returning id, url`)
  return rows
}

export const releaseWebhook = (db: Db, id: string) =>
  db.update(webhooks).set({ leasedUntil: null }).where(eq(webhooks.id, id))

export interface Delivery {
  id: string
  event: WebhookEvent
  subjectId: string
  attempts: number
}

export async function findDueDelivery(db: Db, webhookId: string): Promise<Delivery | undefined> {
  const { id, event, subjectId, attempts, attemptAt } = webhookDeliveries
  const [due] = await db
    .select({ id, event, subjectId, attempts })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.webhookId, webhookId), sql`${attemptAt} <= app_now()`))
    .orderBy(attemptAt, id)
    .limit(1)
  return due
}

/** Ends a delivery that has nothing to send any more. */
export const endDelivery = (db: Db, webhookId: string, id: string) =>
  db
    .update(webhookDeliveries)
    .set({ attemptAt: null })
    .where(and(eq(webhookDeliveries.webhookId, webhookId), eq(webhookDeliveries.id, id)))

export interface Outcome {
  status: number | null
  failure: string | null
  /** Seconds until the next attempt; null after a success. */
  pauseSeconds: number | null
}

/** Stores an attempt in the log, which keeps the last 100, and plans the next attempt unless it would be after `give_up_at`. */
export async function addAttempt(
  db: Db,
  sources: IdSources,
  { webhookId, delivery, outcome }: { webhookId: string; delivery: Delivery; outcome: Outcome },
): Promise<void> {
  const { status, failure, pauseSeconds } = outcome
  // The insert below locks the webhook. Lock it before the delivery, in the order of the deletion of a webhook.
  await db.execute(sql`select 1 from webhooks where id = ${webhookId} for key share`)
  const planned = await db.execute(sql`
    with next as materialized (select app_now() + make_interval(secs => ${pauseSeconds}::float8) as at)
    update webhook_deliveries set attempts = attempts + 1,
      attempt_at = case when next.at <= give_up_at then next.at end
    from next
    where webhook_id = ${webhookId} and id = ${delivery.id}`)
  // The webhook was deleted meanwhile.
  if (planned.rowCount === 0) return
  await db
    .insert(webhookAttempts)
    .values({ id: newId(sources), webhookId, deliveryId: delivery.id, at: sql`app_now()`, status, failure })
  await db.execute(sql`
    delete from webhook_attempts where webhook_id = ${webhookId} and id not in (
      select id from webhook_attempts where webhook_id = ${webhookId}
      order by at desc, id desc limit ${webhookAttemptsMax}
    )`)
}
