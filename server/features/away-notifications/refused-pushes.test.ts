import type { RequestListener } from 'node:http'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { markRead } from '#contract/messages/endpoints.ts'
import { changeAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { savePushDevice } from '#contract/push/endpoints.ts'
import { mails } from '#server/features/mails/schema.ts'
import { pushes } from '#server/features/push/schema.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { mailConfig } from '#server/testing/mails.ts'
import { startTwoApps } from '#server/testing/messengers.ts'
import {
  countWaiting,
  makeFriends,
  minute,
  awayMailsTo,
  startFriendsWithMail,
  until,
} from '#server/testing/away-notifications.ts'
import { startPushService } from '#server/testing/push-service.ts'
import { startRelay } from '#server/testing/smtp.ts'

const answers =
  (status: number): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end()

/** Ben has a device at a push service of the test. */
async function start() {
  const service = await startPushService()
  const t = await startFriendsWithMail({}, { callOutgoing: service.callOutgoing })
  await t.ben.does(savePushDevice, { input: service.subscribe() })
  /** Ana writes, and Ben is told by a push. */
  const writeAndPush = async () => {
    const message = await t.writes(t.ana, t.ben, 'a private text')
    t.clock.advance(11_000)
    await until(() => countWaiting(t.db), 0)
    return message
  }
  /** Another device of Ben, with a session of its own. */
  const addPhone = async () => {
    const phone = t.visitor()
    await phone.does(login, { input: { email: 'ben@example.org', password: 'secret pass 1' } })
    const subscription = service.subscribe()
    await phone.does(savePushDevice, { input: subscription })
    return new URL(subscription.endpoint).pathname
  }
  const toBen = () => awayMailsTo(t.relay.received, 'ben@example.org')
  /** Resolves when a mail of a later message has left, so that an earlier one would have left too. */
  const untilLaterMail = async () => {
    await t.writes(t.ben, t.ana, 'hello')
    t.wait()
    await t.relay.mailTo('ana@example.org', 'Ben Ode')
  }
  return { ...t, service, writeAndPush, addPhone, toBen, untilLaterMail }
}

test.each([403, 410])(
  'a push that the push service refuses with %i is followed by a mail after 30 minutes, not before [REACH-08]',
  async (status) => {
    const t = await start()
    t.service.answer = answers(status)
    await t.writeAndPush()
    await until(() => t.db.$count(mails), 1)
    const [{ attemptAt } = { attemptAt: '' }] = await t.db.select().from(mails)
    const waitMs = Date.parse(attemptAt) - t.clock.now().getTime()
    expect(waitMs).toBeGreaterThan(29 * minute)
    expect(waitMs).toBeLessThanOrEqual(30 * minute)
    expect(t.toBen()).toEqual([])
    t.clock.advance(30 * minute)
    const mail = await t.relay.mailTo('ben@example.org', 'Ana Lima')
    expect(mail.source).not.toContain('a private text')
  },
)

test('a push service that is busy for 30 minutes gets the push no more, and a mail follows at once [REACH-08]', async () => {
  const t = await start()
  t.service.answer = answers(503)
  await t.writeAndPush()
  await until(() => t.service.received.length, 1)
  for (let count = 2; (await t.db.$count(pushes)) > 0; count++) {
    t.clock.advance(10 * minute)
    await expect
      .poll(async () => t.service.received.length === count || (await t.db.$count(pushes)) === 0, {
        timeout: 10_000,
      })
      .toBe(true)
  }
  expect(t.service.received.length).toBeGreaterThan(2)
  t.clock.advance(10 * minute)
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
  expect(t.toBen()).toHaveLength(1)
})

test.each(['first', 'last'])(
  'of two devices one is told, whose push comes %s: no mail follows [REACH-08]',
  async (order) => {
    const t = await start()
    const phone = await t.addPhone()
    const held: (() => void)[] = []
    t.service.answer = (request, response) => {
      const finish = () => void response.writeHead(request.url === phone ? 201 : 403).end()
      if ((request.url === phone) === (order === 'last')) held.push(finish)
      else finish()
    }
    await t.writeAndPush()
    await until(() => [held.length, t.service.received.length], [1, 2])
    await until(() => t.db.$count(pushes), 1)
    for (const finish of held) finish()
    await until(() => t.db.$count(pushes), 0)
    await t.untilLaterMail()
    expect(t.toBen()).toEqual([])
  },
)

test('two processes that are refused for two devices of a person at one moment queue one mail [REACH-08 R6 R28]', async (context) => {
  const held: (() => void)[] = []
  const service = await startPushService((_request, response) =>
    held.push(() => void response.writeHead(410).end()),
  )
  const relay = await startRelay()
  const settings = { limitsRates: false, ...mailConfig(relay.url) }
  const t = await startTwoApps('NOTIFY', context, settings, service)
  const { ana, ben, writes } = await makeFriends(t)
  await ben.does(savePushDevice, { input: service.subscribe() })
  const phone = t.visitor()
  await phone.does(login, { input: { email: 'ben@example.org', password: 'secret pass 1' } })
  await phone.does(savePushDevice, { input: service.subscribe() })
  await writes(ana, ben, 'hello')
  t.clock.advance(11_000)
  await until(() => held.length, 2)
  // Neither transaction ends before both have begun.
  const release = await holdLocks(t.db, sql`select 1 from push_devices for update`)
  for (const finish of held) finish()
  await untilLockWaits(t.db, 2)
  await release()
  await until(() => t.db.$count(pushes), 0)
  t.clock.advance(31 * minute)
  await relay.mailTo('ben@example.org', 'Ana Lima')
  await until(() => t.db.$count(mails), 0)
  expect(awayMailsTo(relay.received, 'ben@example.org')).toHaveLength(1)
})

test('a newer push takes the place of one that waits and is refused: the mail tells of both [REACH-08]', async () => {
  const t = await start()
  t.service.answer = answers(503)
  await t.writeAndPush()
  await until(() => t.service.received.length, 1)
  // The newer push takes the place of the one that waits.
  await t.writeAndPush()
  t.service.answer = answers(403)
  t.clock.advance(minute)
  await until(() => t.db.$count(mails), 1)
  const [{ eventNumbers } = { eventNumbers: null }] = await t.db.select().from(mails)
  expect(eventNumbers).toHaveLength(2)
})

test('a person who has read the message meanwhile, or wants no mails, gets none after a refused push [REACH-08 REACH-09]', async () => {
  const t = await start()
  t.service.answer = answers(403)
  const { id } = await t.writeAndPush()
  await until(() => t.db.$count(mails), 1)
  await t.ben.does(markRead, { input: { friendUserId: t.ana.me.id, messageId: id } })
  await t.ben.does(changeAwayNotificationChoices, { input: { byMail: false } })
  await t.writeAndPush()
  await until(() => t.service.received.length, 2)
  await until(() => t.db.$count(pushes), 0)
  await t.ben.does(changeAwayNotificationChoices, { input: { byMail: true, messages: true } })
  await t.untilLaterMail()
  await until(() => t.db.$count(mails), 0)
  expect(t.toBen()).toEqual([])
})

test('quiet hours let the mail after a refused push wait [REACH-08 REACH-09]', async () => {
  const t = await start()
  t.service.answer = answers(403)
  // It is 14:00 in Berlin.
  const quietHours = { from: 15, to: 18 }
  await t.ben.does(changeAwayNotificationChoices, { input: { quietHours, timeZone: 'Europe/Berlin' } })
  t.clock.advance(45 * minute)
  await t.writeAndPush()
  await until(() => t.db.$count(mails), 1)
  const [{ attemptAt } = { attemptAt: '' }] = await t.db.select().from(mails)
  expect(attemptAt).toBe('2025-06-10T16:00:00.000Z')
})
