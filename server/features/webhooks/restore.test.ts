import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createRoom } from '#contract/rooms/endpoints.ts'
import { createWebhook } from '#contract/webhooks/endpoints.ts'
import { restoredCopyOf } from '#server/testing/backup-places.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { queueStories } from './queries.ts'
import { webhookDeliveries } from './schema.ts'

test('a restore queues no story again that ended before it, and each one that ends later [INST-12 R28]', async () => {
  const t = await startTestApp()
  const [ana, boss] = [await t.person(), await t.admin()]
  await ana.does(createRoom, { input: aRoom() })
  await boss.does(createWebhook, {
    input: { url: 'https://reader.example/hook', events: ['story.finished'] },
  })
  await t.db.execute(sql`update webhooks set created_at = now() - interval '1 day'`)
  await t.db.execute(sql`update rooms set expires_at = now() - interval '1 hour'`)
  const { database } = await restoredCopyOf(t)
  await queueStories(database)
  expect(await database.$count(webhookDeliveries)).toBe(0)
  await database.execute(sql`update rooms set expires_at = now()`)
  await queueStories(database)
  expect(await database.$count(webhookDeliveries)).toBe(1)
})
