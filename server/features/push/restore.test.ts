import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { savePushDevice } from '#contract/push/endpoints.ts'
import { allFileKinds } from '#server/features.ts'
import { makeBackup } from '#server/platform/backup/backup.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { findInstanceSecret } from '#server/platform/instance.ts'
import { emptyPlaceIn } from '#server/testing/backup-places.ts'
import { startPushService } from '#server/testing/push-service.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { vapidKeys } from './keys.ts'
import { queuePush } from './queue.ts'
import { pushDevices, pushes } from './schema.ts'
import { FolderStore } from '#server/platform/uploads/folder-store.ts'

test('a restored instance has the key of the backup, no device of an ended session and no push of the past [REACH-07 R19 R28]', async () => {
  const service = await startPushService((_request, response) => response.writeHead(503).end())
  const t = await startTestApp({ callOutgoing: service.callOutgoing })
  const ana = await t.person()
  await ana.does(savePushDevice, { input: service.subscribe() })
  await queuePush(t.db, ana.me.id, { kind: 'turn', title: 'Your turn', path: '/zimmers', topic: 'room 1' })
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-push-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'backup.tar.zst')
  const source = {
    connection: t.connection,
    uploads: new FolderStore(join(folder, 'none')),
    kinds: allFileKinds,
  }
  await makeBackup({ ...source, now: t.clock.now() }, file)
  const { restore, database } = await emptyPlaceIn(folder)
  await restore(file)
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
