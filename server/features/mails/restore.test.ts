import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newId, systemRandom } from '#server/platform/ids.ts'
import { restoredCopyOf } from '#server/testing/backup-places.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { addMail, listFailedMails, takeMail } from './queries.ts'
import { mails } from './schema.ts'

test('after a restore no mail of the past is sent by itself: each waits for an admin [REACH-06 R28 R19]', async () => {
  const t = await startTestApp()
  const ana = await t.person({ email: 'ana@example.org' })
  const id = newId({ clock: t.clock, random: systemRandom })
  await addMail(t.db, { id, kind: 'confirmation', userId: ana.me.id })
  const { database } = await restoredCopyOf(t)
  expect(await takeMail(database)).toBeUndefined()
  expect(await listFailedMails(database, { limit: 10, before: undefined })).toMatchObject([
    { id, address: 'ana@example.org', failure: expect.stringMatching(/^A backup was restored/) },
  ])
  // The instance that goes on still sends the mail.
  expect(await takeMail(t.db)).toMatchObject({ id })
  expect(await t.db.$count(mails, eq(mails.id, id))).toBe(1)
})
