import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, login } from '#contract/account/endpoints.ts'
import { users } from '#server/features/account/index.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { startWithMail } from '#server/testing/mails.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { addMail, setAddressee, takeMail } from './queries.ts'
import { mails } from './schema.ts'

test('a change of the password and the deletion of the account do not block each other [R6]', async () => {
  const t = await startWithMail()
  await t.confirm()
  const other = t.visitor()
  await other.does(login, { input: { email: t.email, password: t.password } })
  const release = await holdLocks(t.db, sql`select 1 from credentials for update`)
  const change = t.ana.tries(changePassword, { input: { newPassword: 'another pass' } })
  await untilLockWaits(t.db)
  const deletion = other.tries(deleteAccount)
  await untilLockWaits(t.db, 2)
  await release()
  expect([(await change).status, (await deletion).status]).toEqual([200, 200])
  expect(await t.db.$count(users)).toBe(0)
})

test('a mail whose addressee is looked up and the deletion of the account do not block each other [REACH-06 R6]', async () => {
  const t = await startTestApp()
  const ana = await t.person({ email: 'ana@example.org' })
  const id = newId({ clock: t.clock, random: systemRandom })
  await addMail(t.db, { id, kind: 'reset', address: 'ana@example.org' })
  const mail = (await takeMail(t.db))!
  const release = await holdLocks(t.db, sql`select 1 from mails for update`)
  const lookup = setAddressee(t.db, mail, ana.me.id)
  await untilLockWaits(t.db)
  const deletion = ana.tries(deleteAccount)
  await untilLockWaits(t.db, 2)
  await release()
  await lookup
  expect((await deletion).status).toBe(200)
  expect(await t.db.$count(mails)).toBe(0)
})
