import { expect, test } from 'vitest'
import { savePushDevice } from '#contract/push/endpoints.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { findInstanceSecret } from '#server/platform/instance.ts'
import { restoredCopyOf } from '#server/testing/backup-places.ts'
import { startPushService } from '#server/testing/push-service.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { vapidKeys } from './keys.ts'
import { queuePush } from './queue.ts'
import { pushDevices, pushes } from './schema.ts'

test('a restored instance has the key of the backup, no device of an ended session and no push of the past [REACH-07 R19 R28]', async () => {
  const service = await startPushService((_request, response) => response.writeHead(503).end())
  const t = await startTestApp({ callOutgoing: service.callOutgoing })
  const ana = await t.person()
  await ana.does(savePushDevice, { input: service.subscribe() })
  await queuePush(t.db, ana.me.id, { kind: 'turn', title: 'Your turn', path: '/zimmers', topic: 'room 1' })
  const { database } = await restoredCopyOf(t)
  for (const table of [pushDevices, pushes]) {
    expect(await database.$count(table)).toBe(0)
    expect(await t.db.$count(table)).toBe(1)
  }
  const [before, after] = [
    await findInstanceSecret(t.db, systemRandom),
    await findInstanceSecret(database, systemRandom),
  ]
  expect(vapidKeys(after)).toEqual(vapidKeys(before))
})
