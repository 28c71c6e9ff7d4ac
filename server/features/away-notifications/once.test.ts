import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addFriend } from '#contract/friends/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { buildApp } from '#server/app.ts'
import { pushDevices, pushes } from '#server/features/push/schema.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { createLocalBus } from '#server/platform/live/bus.ts'
import { mailConfig } from '#server/testing/mails.ts'
import { messengers, startTwoApps } from '#server/testing/messengers.ts'
import { startRelay } from '#server/testing/smtp.ts'
import { openStream } from '#server/testing/stream-client.ts'
import {
  addDevice,
  confirm,
  countWaiting,
  makeFriends,
  minute,
  awayMailsTo,
  startFriendsWithMail,
  until,
} from '#server/testing/away-notifications.ts'

test.for(messengers)(
  'over %s a person with an open page at one process gets a message of another one live, and no mail [REACH-08]',
  async (messenger, context) => {
    const relay = await startRelay()
    const t = await startTwoApps(messenger, context, { limitsRates: false, ...mailConfig(relay.url) })
    const { ana, ben, writes, wait } = await makeFriends(t)
    const page = await openStream(t.other, t.atOther(ben), { inbox: ben.me.id })
    await writes(ana, ben, 'hello')
    await page.receives('message')
    await until(() => countWaiting(t.db), 0)
    page.close()
    await writes(ben, ana, 'hello back')
    wait()
    await relay.mailTo('ana@example.org', 'Ben Ode')
    expect(awayMailsTo(relay.received, 'ben@example.org')).toEqual([])
  },
)

test('two processes mail 20 away notifications once each [REACH-08 R28]', async (context) => {
  const relay = await startRelay()
  const t = await startTwoApps('NOTIFY', context, { limitsRates: false, ...mailConfig(relay.url) })
  const { ana, writes, wait } = await makeFriends(t)
  const friends = []
  for (let n = 0; n < 20; n++) {
    const friend = await t.person({ email: `friend${n}@example.org` })
    await friend.does(addFriend, { input: { friendUserId: ana.me.id } })
    await confirm(t.db, friend)
    await writes(ana, friend, 'hello')
    friends.push(friend)
  }
  wait()
  for (const { me } of friends) await relay.mailTo(me.email!, 'Ana Lima')
  await until(() => t.db.execute(sql`select 1 from mails`).then(({ rowCount }) => rowCount), 0)
  for (const { me } of friends) expect(awayMailsTo(relay.received, me.email!)).toHaveLength(1)
})

test('a person with a device gets a push after ten seconds, without a name, and no mail [REACH-08 S63]', async () => {
  const t = await startFriendsWithMail()
  await addDevice(t, t.ben)
  await t.writes(t.ana, t.ben, 'a private text')
  await t.writes(t.ben, t.ana, 'hello')
  expect(await t.db.$count(pushes)).toBe(0)
  t.clock.advance(11_000)
  await until(() => t.db.$count(pushes), 1)
  const [push] = await t.db.select().from(pushes)
  expect(push).toMatchObject({ kind: 'messages', title: 'A friend wrote to you' })
  expect(push!.path).toBe(`/messages?friend=${t.ana.me.id}`)
  t.wait()
  await t.relay.mailTo('ana@example.org', 'Ben Ode')
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toEqual([])
})

test('a person with a device and an open page gets no push [REACH-08]', async () => {
  const t = await startFriendsWithMail()
  await addDevice(t, t.ben)
  const page = await openStream(t.app, t.ben, { inbox: t.ben.me.id })
  await t.writes(t.ana, t.ben, 'hello')
  await page.receives('message')
  await until(() => countWaiting(t.db), 0)
  page.close()
  await addDevice(t, t.ana)
  await t.writes(t.ben, t.ana, 'hello')
  t.clock.advance(11_000)
  await until(() => t.db.$count(pushes), 1)
  const [{ userId } = { userId: '' }] = await t.db
    .select({ userId: pushDevices.userId })
    .from(pushes)
    .innerJoin(pushDevices, sql`push_devices.id = pushes.device_id`)
  expect(userId).toBe(t.ana.me.id)
})

test('a person whose pages are all in the background gets events on them, and is told by a push or a mail too [REACH-08]', async () => {
  const t = await startFriendsWithMail()
  const away = await openStream(t.app, t.ben, { inbox: t.ben.me.id, isAway: true })
  await t.writes(t.ana, t.ben, 'hello')
  await away.receives('message')
  t.wait()
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
  await addDevice(t, t.ben)
  await t.writes(t.ana, t.ben, 'hello again')
  t.clock.advance(11_000)
  await until(() => t.db.$count(pushes), 1)
  // Another page that is visible counts.
  const page = await openStream(t.app, t.ben, { inbox: t.ben.me.id })
  await t.writes(t.ana, t.ben, 'a third text')
  await page.receives('message')
  await until(() => countWaiting(t.db), 0)
  t.clock.advance(11_000)
  expect(await t.db.$count(pushes)).toBe(1)
})

test('what waits when a process ends is told by the next one, once [REACH-08 R28]', async () => {
  const t = await startFriendsWithMail()
  await t.writes(t.ana, t.ben, 'hello')
  await t.app.close()
  t.wait()
  const next = () =>
    buildApp({
      config: t.config,
      database: t.db,
      clock: t.clock,
      random: systemRandom,
      bus: createLocalBus(),
    })
  const others = [await next(), await next()]
  await Promise.all(others.map((app) => app.ready()))
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
  await until(() => t.db.execute(sql`select 1 from mails`).then(({ rowCount }) => rowCount), 0)
  await Promise.all(others.map((app) => app.close()))
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toHaveLength(1)
})

test('the clock of the database decides when a person is told, also when that of the host is an hour ahead [REACH-08]', async () => {
  const t = await startFriendsWithMail()
  t.clock.step({ host: 60 * minute })
  await t.writes(t.ana, t.ben, 'hello')
  t.clock.advance(29 * minute)
  await t.writes(t.ben, t.ana, 'hello')
  expect(await countWaiting(t.db)).toBe(2)
  t.clock.advance(minute + 1000)
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
  expect(awayMailsTo(t.relay.received, 'ana@example.org')).toEqual([])
})

test('a change that fails leaves nothing to be told [REACH-08 R28]', async () => {
  const t = await startFriendsWithMail()
  await t.db.execute(
    sql`create function fail() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`,
  )
  await t.db.execute(
    sql`create trigger cut_off before insert on inbox_events for each row execute function fail()`,
  )
  const input = { messageType: 'text' as const, receiverId: t.ben.me.id, content: 'hello' }
  expect((await t.ana.tries(sendMessage, { input })).status).toBe(500)
  expect(await countWaiting(t.db)).toBe(0)
  expect((await t.db.execute(sql`select 1 from direct_messages`)).rowCount).toBe(0)
})
