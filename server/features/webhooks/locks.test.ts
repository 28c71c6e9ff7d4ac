import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createWebhook, deleteWebhook } from '#contract/webhooks/endpoints.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { addAttempt } from './queries.ts'
import { webhookAttempts, webhookDeliveries } from './schema.ts'

test('an attempt and the deletion of its webhook do not block each other [INST-12 R6]', async () => {
  const { admin, db, clock } = await startTestApp()
  const boss = await admin()
  const input = { url: 'https://reader.example/hook', events: ['post.published' as const] }
  const { id: webhookId } = await boss.does(createWebhook, { input })
  const queued = { event: 'post.published', subjectId: webhookId } as const
  const [delivery] = await db
    .insert(webhookDeliveries)
    .values({ webhookId, ...queued, createdAt: sql`app_now()`, giveUpAt: sql`app_now()` })
    .returning()
  const release = await holdLocks(db, sql`select 1 from webhook_deliveries for update`)
  const outcome = { status: 204, failure: null, pauseSeconds: null }
  const attempt = db.transaction((tx) =>
    addAttempt(tx, { clock, random: systemRandom }, { webhookId, delivery: delivery!, outcome }),
  )
  await untilLockWaits(db)
  const deletion = boss.tries(deleteWebhook, { params: { id: webhookId } })
  await untilLockWaits(db, 2)
  await release()
  await attempt
  expect((await deletion).status).toBe(200)
  expect(await db.$count(webhookAttempts)).toBe(0)
})
