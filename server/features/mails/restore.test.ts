import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { allFileKinds } from '#server/features.ts'
import { makeBackup } from '#server/platform/backup/backup.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'
import { emptyPlaceIn } from '#server/testing/backup-places.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { addMail, listFailedMails, takeMail } from './queries.ts'
import { mails } from './schema.ts'
import { FolderStore } from '#server/platform/uploads/folder-store.ts'

test('after a restore no mail of the past is sent by itself: each waits for an admin [REACH-06 R28 R19]', async () => {
  const t = await startTestApp()
  const ana = await t.person({ email: 'ana@example.org' })
  const id = newId({ clock: t.clock, random: systemRandom })
  await addMail(t.db, { id, kind: 'confirmation', userId: ana.me.id })
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-mails-'))
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
  expect(await takeMail(place.database)).toBeUndefined()
  expect(await listFailedMails(place.database, { limit: 10, before: undefined })).toMatchObject([
    { id, address: 'ana@example.org', failure: expect.stringMatching(/^A backup was restored/) },
  ])
  // The instance that goes on still sends the mail.
  expect(await takeMail(t.db)).toMatchObject({ id })
  expect(await t.db.$count(mails, eq(mails.id, id))).toBe(1)
})
