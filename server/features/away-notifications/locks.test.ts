import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { changeAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { savePushDevice } from '#contract/push/endpoints.ts'
import { mails } from '#server/features/mails/schema.ts'
import { pushes } from '#server/features/push/schema.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { mailConfig } from '#server/testing/mails.ts'
import { startTwoApps } from '#server/testing/messengers.ts'
import {
  confirm,
  countWaiting,
  hour,
  makeFriends,
  awayMailsTo,
  startFriendsWithMail,
  until,
} from '#server/testing/away-notifications.ts'
import { startPushService } from '#server/testing/push-service.ts'
import { startRelay } from '#server/testing/smtp.ts'
import { awayNotificationCauses } from './schema.ts'
import { tellNext } from './tell.ts'

test('a person who is told and the deletion of the account of the friend who wrote do not block each other [REACH-08 R6]', async () => {
  const t = await startFriendsWithMail()
  await t.writes(t.ana, t.ben, 'hello')
  const release = await holdLocks(t.db, sql`select 1 from inboxes for update`)
  await t.db.execute(sql`update inbox_events set notice_at = app_now() where notice_at is not null`)
  await untilLockWaits(t.db)
  const deletion = t.ana.tries(deleteAccount)
  await untilLockWaits(t.db, 2)
  await release()
  expect((await deletion).status).toBe(200)
  await expect.poll(() => countWaiting(t.db)).toBe(0)
  await expect.poll(() => t.db.execute(sql`select 1 from mails`).then(({ rowCount }) => rowCount)).toBe(0)
  expect(awayMailsTo(t.relay.received, 'ana@example.org')).toEqual([])
})

test('while one process tells people another one tells nobody, so a weekly digest is queued once [REACH-08 R28]', async () => {
  const t = await startFriendsWithMail()
  await t.ben.does(changeAwayNotificationChoices, { input: { weekly: true } })
  await until(() => t.db.$count(mails), 0)
  // The relay takes no mail, so each one stays in the queue.
  await t.relay.close()
  const release = await holdLocks(t.db, sql`select 1 from users for update`)
  t.clock.advance(7 * 24 * hour)
  await untilLockWaits(t.db)
  const loaders = {} as never
  const other = tellNext({ config: t.config, database: t.db, clock: t.clock, random: systemRandom, loaders })
  await Promise.race([other, untilLockWaits(t.db, 2)])
  await release()
  expect(await other).toBe(false)
  await until(() => t.db.$count(mails), 1)
})

test('of pushes that are refused at one moment by two processes a person causes exactly 30 mails a day [REACH-04 S47 R6]', async (context) => {
  const held: (() => void)[] = []
  const service = await startPushService((_request, response) =>
    held.push(() => void response.writeHead(410).end()),
  )
  const relay = await startRelay()
  const t = await startTwoApps('NOTIFY', context, { limitsRates: false, ...mailConfig(relay.url) }, service)
  const { ana, ben, writes } = await makeFriends(t)
  await t.db.execute(
    sql`insert into users (id, created_at) select 'person' || n, app_now() from generate_series(1, 28) n`,
  )
  await t.db.execute(sql`
    insert into notice_causes (causer_id, user_id, at)
    select ${ana.me.id}, 'person' || n, app_now() from generate_series(1, 28) n`)
  const friends = [ben]
  for (let count = 1; count < 8; count++) {
    const friend = await t.person({ email: `friend${count}@example.org` })
    await friend.does(addFriend, { input: { friendUserId: ana.me.id } })
    await confirm(t.db, friend)
    friends.push(friend)
  }
  for (const friend of friends) {
    await friend.does(savePushDevice, { input: service.subscribe() })
    await writes(ana, friend, 'hello')
  }
  t.clock.advance(11_000)
  await until(() => held.length, 8)
  const release = await holdLocks(t.db, sql`lock table notice_causes in exclusive mode`)
  for (const finish of held) finish()
  await untilLockWaits(t.db, 8)
  await release()
  await until(() => t.db.$count(pushes), 0)
  expect(await t.db.$count(awayNotificationCauses)).toBe(30)
})
