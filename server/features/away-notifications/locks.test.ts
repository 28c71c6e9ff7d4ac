import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { countWaiting, awayMailsTo, startFriendsWithMail } from '#server/testing/away-notifications.ts'

test('a person who is told and the deletion of the account of the friend who wrote do not block each other [REACH-08 R6]', async () => {
  const t = await startFriendsWithMail()
  await t.writes(t.ana, t.ben, 'hello')
  const release = await holdLocks(t.db, sql`select from inboxes for update`)
  await t.db.execute(sql`update inbox_events set notice_at = app_now() where notice_at is not null`)
  await untilLockWaits(t.db)
  const deletion = t.ana.tries(deleteAccount)
  await untilLockWaits(t.db, 2)
  await release()
  expect((await deletion).status).toBe(200)
  await expect.poll(() => countWaiting(t.db), { timeout: 10_000 }).toBe(0)
  await expect
    .poll(() => t.db.execute(sql`select from mails`).then(({ rowCount }) => rowCount), { timeout: 10_000 })
    .toBe(0)
  expect(awayMailsTo(t.relay.received, 'ana@example.org')).toEqual([])
})
