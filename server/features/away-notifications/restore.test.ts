import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { allFileKinds } from '#server/features.ts'
import { makeBackup } from '#server/platform/backup/backup.ts'
import { emptyPlaceIn } from '#server/testing/backup-places.ts'
import { countWaiting, startFriendsWithMail } from '#server/testing/away-notifications.ts'
import { FolderStore } from '#server/platform/uploads/folder-store.ts'

test('after a restore nobody is told of what waited before, which may have been told since [REACH-08 R19]', async () => {
  const t = await startFriendsWithMail()
  await t.writes(t.ana, t.ben, 'hello')
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-away-notifications-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'backup.tar.zst')
  const source = {
    connection: t.connection,
    uploads: new FolderStore(join(folder, 'none')),
    kinds: allFileKinds,
  }
  await makeBackup({ ...source, now: t.clock.now() }, file)
  const place = await emptyPlaceIn(folder)
  await place.restore(file)
  expect(await countWaiting(place.database)).toBe(0)
  // The instance that goes on still tells the person.
  expect(await countWaiting(t.db)).toBe(1)
  t.wait()
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
})
