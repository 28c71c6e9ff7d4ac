import { expect, test } from 'vitest'
import { changeAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { createRoom } from '#contract/rooms/endpoints.ts'
import { mails } from '#server/features/mails/schema.ts'
import { pushes } from '#server/features/push/schema.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream } from '#server/testing/stream-client.ts'
import {
  addDevice,
  countWaiting,
  minute,
  awayMailsTo,
  startFriendsWithMail,
  until,
} from '#server/testing/away-notifications.ts'

/** Ana invites Ben to a room of so many minutes. */
async function start() {
  const t = await startFriendsWithMail()
  const invite = (duration: 15 | 30 | 60 | 120) =>
    t.ana.does(createRoom, { input: aRoom({ isPublic: false, duration, invitedFriends: [t.ben.me.id] }) })
  const toBen = () => awayMailsTo(t.relay.received, 'ben@example.org')
  return { ...t, invite, toBen }
}

test.each([15, 30] as const)(
  'an invitation to a room of %i minutes is mailed at once to a person without an open page and a device [REACH-04 REACH-08]',
  async (duration) => {
    const t = await start()
    await t.invite(duration)
    expect(await countWaiting(t.db)).toBe(1)
    t.clock.advance(11_000)
    await t.relay.mailTo('ben@example.org', 'You are invited')
    await until(() => countWaiting(t.db), 0)
    t.wait()
    await until(() => t.db.$count(mails), 0)
    expect(t.toBen()).toHaveLength(1)
  },
)

test('an invitation to a room of an hour is mailed after 30 minutes, not before [REACH-08]', async () => {
  const t = await start()
  await t.invite(60)
  await t.invite(15)
  t.clock.advance(29 * minute)
  // The room of 15 minutes is over.
  await until(() => countWaiting(t.db), 1)
  expect(t.toBen()).toEqual([])
  t.clock.advance(2 * minute)
  await t.relay.mailTo('ben@example.org', 'You are invited')
})

test('an invitation to a short room is not mailed to a person with an open page, nor to one with a device [REACH-08]', async () => {
  const t = await start()
  const page = await openStream(t.app, t.ben, { inbox: t.ben.me.id })
  await t.invite(15)
  await page.receives('room.invited')
  await until(() => countWaiting(t.db), 0)
  page.close()
  await addDevice(t, t.ben)
  await t.invite(15)
  t.clock.advance(11_000)
  await until(() => t.db.$count(pushes), 1)
  await until(() => countWaiting(t.db), 0)
  expect(await t.db.$count(mails)).toBe(0)
  expect(t.toBen()).toEqual([])
})

test('quiet hours hold back an invitation to a short room, also when the room ends meanwhile [REACH-09]', async () => {
  const t = await start()
  // It is 14:00 in Berlin.
  const quietHours = { from: 14, to: 15 }
  await t.ben.does(changeAwayNotificationChoices, { input: { quietHours, timeZone: 'Europe/Berlin' } })
  await t.invite(15)
  t.clock.advance(11_000)
  await t.writes(t.ben, t.ana, 'hello')
  t.wait()
  await t.relay.mailTo('ana@example.org', 'Ben Ode')
  expect(await countWaiting(t.db)).toBe(1)
  t.clock.advance(30 * minute)
  await until(() => countWaiting(t.db), 0)
  await until(() => t.db.$count(mails), 0)
  expect(t.toBen()).toEqual([])
})
