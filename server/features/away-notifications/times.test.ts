import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { followPerson } from '#contract/follows/endpoints.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { changeAwayNotificationChoices } from '#contract/away-notifications/endpoints.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { pushes } from '#server/features/push/schema.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { textsOf } from '#server/testing/smtp-server.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import {
  addDevice,
  countWaiting,
  hour,
  makeFriends,
  awayMailsTo,
  startFriendsWithMail,
  until,
} from '#server/testing/away-notifications.ts'
import { nextMonday, waitUntil } from './times.ts'

const timeZone = 'Europe/Berlin'
const night = { digestHour: null, quietHours: { from: 22, to: 7 }, timeZone }
const noon = { digestHour: null, quietHours: { from: 12, to: 14 }, timeZone }
const digest = { digestHour: 8, quietHours: null, timeZone }

test.each([
  ['at night', night, '2025-06-10T20:00:00.000Z', '2025-06-11T05:00:00.000Z'],
  ['after midnight', night, '2025-06-11T02:00:00.000Z', '2025-06-11T05:00:00.000Z'],
  ['when quiet hours end', night, '2025-06-11T05:00:00.000Z', undefined],
  ['by day', night, '2025-06-10T12:00:00.000Z', undefined],
  ['at noon', noon, '2025-06-10T10:00:00.000Z', '2025-06-10T12:00:00.000Z'],
  ['in the night to summer time', night, '2025-03-29T23:00:00.000Z', '2025-03-30T05:00:00.000Z'],
  ['in the night to winter time', night, '2025-10-25T22:00:00.000Z', '2025-10-26T06:00:00.000Z'],
  [
    'before an hour that summer time leaves out',
    { ...night, quietHours: { from: 22, to: 2 } },
    '2025-03-30T00:30:00.000Z',
    '2025-03-30T01:00:00.000Z',
  ],
])('an away notification %s waits until the quiet hours are over [REACH-09]', (_when, choices, now, end) => {
  expect(waitUntil(choices, { dueAt: now, now })).toBe(end)
})

test.each([
  ['before the hour', '2025-06-10T05:00:00.000Z', '2025-06-10T05:30:00.000Z', '2025-06-10T06:00:00.000Z'],
  ['after the hour', '2025-06-10T06:00:00.001Z', '2025-06-10T06:00:00.001Z', '2025-06-11T06:00:00.000Z'],
  ['at the hour', '2025-06-10T06:00:00.000Z', '2025-06-10T06:00:00.000Z', undefined],
  ['after a pause of the server', '2025-06-10T06:00:00.000Z', '2025-06-10T19:00:00.000Z', undefined],
])('an away notification that is due %s comes with the daily digest [REACH-09]', (_when, dueAt, now, end) => {
  expect(waitUntil(digest, { dueAt, now })).toBe(end)
})

test.each([
  ['2025-06-10T12:00:00.000Z', '2025-06-16T06:00:00.000Z'],
  ['2025-06-16T05:59:00.000Z', '2025-06-16T06:00:00.000Z'],
  ['2025-06-16T06:00:00.000Z', '2025-06-23T06:00:00.000Z'],
])('after %s the next weekly digest is due at %s [REACH-04]', (after, next) => {
  expect(nextMonday(after, timeZone)).toBe(next)
})

test('a mail waits until the quiet hours of the person are over, and the mail to a friend does not [REACH-09]', async () => {
  const t = await startFriendsWithMail()
  const quietHours = { from: 14, to: 20 }
  await t.ben.does(changeAwayNotificationChoices, { input: { quietHours, timeZone } })
  await t.writes(t.ana, t.ben, 'hello')
  await t.writes(t.ben, t.ana, 'hello')
  t.wait()
  await t.relay.mailTo('ana@example.org', 'Ben Ode')
  await until(
    () =>
      t.db
        .execute<{ at: string }>(sql`select notice_at as at from inbox_events where notice_at is not null`)
        .then(({ rows }) => rows),
    [{ at: '2025-06-10T18:00:00.000Z' }],
  )
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toEqual([])
  t.clock.set('2025-06-10T18:00:01Z')
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
  await until(() => countWaiting(t.db), 0)
})

test('a daily digest is one mail about all friends, in place of single mails and pushes [REACH-09]', async () => {
  const t = await startFriendsWithMail()
  await t.ben.does(changeAwayNotificationChoices, { input: { digestHour: 18, timeZone } })
  await addDevice(t, t.ben)
  const boss = await t.admin()
  const post = await t.ben.does(submitPost, { input: { content: 'A night', authorName: 'Nightingale' } })
  await t.writes(t.ana, t.ben, 'hello')
  t.wait()
  await boss.does(approvePost, { params: { id: post.id } })
  t.clock.advance(hour)
  await until(() => countWaiting(t.db), 2)
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toEqual([])
  t.clock.set('2025-06-10T16:00:01Z')
  const { text } = textsOf(await t.relay.mailTo('ben@example.org', 'for you'))
  for (const line of ['Ana Lima wrote to you.', 'Your post is published.']) expect(text).toContain(line)
  await until(() => countWaiting(t.db), 0)
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toHaveLength(1)
  expect(await t.db.$count(pushes)).toBe(0)
})

test('where mails are not sent any more, a daily digest holds back no push; quiet hours do [REACH-01 REACH-09]', async () => {
  const app = await startTestApp({ config: { limitsRates: false } })
  const t = { ...app, ...(await makeFriends(app)) }
  await t.ben.does(changeAwayNotificationChoices, { input: { digestHour: 18, timeZone } })
  await t.ana.does(changeAwayNotificationChoices, { input: { quietHours: { from: 14, to: 20 }, timeZone } })
  for (const person of [t.ana, t.ben]) await addDevice(t, person)
  await t.writes(t.ana, t.ben, 'hello')
  await t.writes(t.ben, t.ana, 'hello')
  t.clock.advance(11_000)
  const paths = async () => (await t.db.select({ path: pushes.path }).from(pushes)).map(({ path }) => path)
  await until(paths, [`/messages?friend=${t.ana.me.id}`])
  await until(() => countWaiting(t.db), 1)
  t.clock.set('2025-06-10T18:00:01Z')
  await expect.poll(paths).toContain(`/messages?friend=${t.ben.me.id}`)
})

test('a weekly digest counts the new posts of followed people and the finished public stories, each name on one line, and is off at first [REACH-04 S63]', async () => {
  const t = await startFriendsWithMail()
  const boss = await t.admin()
  const { id } = await t.ana.does(submitPost, {
    input: { content: 'The whole text of a night', authorName: 'Ana Lima' },
  })
  await boss.does(approvePost, { params: { id } })
  const room = await t.ana.does(createRoom, {
    input: aRoom({ name: 'The Tower\n\n--\n\u202eOpen https://evil.example' }),
  })
  await t.ana.does(joinRoom, { params: { id: room.id } })
  await t.ana.does(sendPassage, { params: { id: room.id }, input: { content: 'A passage' } })
  const secret = await t.ana.does(createRoom, { input: aRoom({ name: 'The Cellar', isPublic: false }) })
  await t.ana.does(sendPassage, { params: { id: secret.id }, input: { content: 'A passage' } })
  await t.ana.does(changeSettings, { input: { hasPage: true } })
  await t.ben.does(followPerson, { params: { personId: t.ana.me.id } })
  await t.ben.does(changeAwayNotificationChoices, { input: { weekly: true, timeZone } })
  t.clock.set('2025-06-16T06:00:01Z')
  const { text } = textsOf(await t.relay.mailTo('ben@example.org', 'Your week'))
  expect(text).toContain('1 new post by Ana Lima.')
  expect(text).toContain('1 story was finished: “The Tower -- Open https://evil.example”.')
  for (const hidden of ['The whole text', 'The Cellar', 'A passage']) expect(text).not.toContain(hidden)
  const [{ at } = { at: '' }] = (
    await t.db.execute<{ at: string }>(sql`select weekly_at as at from notice_choices where weekly`)
  ).rows
  expect(at).toBe('2025-06-23T06:00:00.000Z')
  // A week without news.
  t.clock.set('2025-06-23T06:00:01Z')
  await until(
    () =>
      t.db
        .execute<{ at: string }>(sql`select weekly_at as at from notice_choices`)
        .then(({ rows }) => rows[0]!.at),
    '2025-06-30T06:00:00.000Z',
  )
  await until(
    () => t.db.execute(sql`select 1 from mails where failed_at is null`).then(({ rowCount }) => rowCount),
    0,
  )
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toHaveLength(1)
  expect(
    t.relay.received.some(({ to, source }) => to[0] === 'ana@example.org' && source.includes('Your week')),
  ).toBe(false)
})
