import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { markRead } from '#contract/messages/endpoints.ts'
import {
  changeAwayNotificationChoices,
  getAwayNotificationChoices,
} from '#contract/away-notifications/endpoints.ts'
import { createRoom } from '#contract/rooms/endpoints.ts'
import { mails } from '#server/features/mails/schema.ts'
import { textsOf } from '#server/testing/smtp-server.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { awayNotificationCauses } from './schema.ts'
import {
  confirm,
  countWaiting,
  makeFriends,
  awayMailsTo,
  startFriendsWithMail,
  until,
} from '#server/testing/away-notifications.ts'

const aPost = { content: 'The lighthouse keeper slept.', authorName: 'Nightingale' }

test('messages that a person did not read for 30 minutes are one mail, with the name of the friend and no word of theirs [REACH-04 REACH-08 S63]', async () => {
  const t = await startFriendsWithMail()
  await t.writes(t.ana, t.ben, 'a private text')
  t.clock.advance(20 * 60_000)
  await t.writes(t.ana, t.ben, 'another private text')
  expect(await countWaiting(t.db)).toBe(2)
  t.clock.advance(10 * 60_000 + 1000)
  const mail = await t.relay.mailTo('ben@example.org', 'Ana Lima')
  const { text, html } = textsOf(mail)
  expect(mail.headers.get('subject')).toEqual([expect.stringMatching(/^=\?UTF-8\?.*Ana_Lima_wrote/)])
  for (const part of [text, html]) {
    expect(part).toContain('Ana Lima wrote to you')
    expect(part).toContain(`https://zimmer.example/messages?friend=${t.ana.me.id}`)
    expect(part).not.toContain('private text')
  }
  t.wait()
  await until(() => t.db.$count(mails), 0)
  expect(await countWaiting(t.db)).toBe(0)
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toHaveLength(1)
})

test('a person gets no mail about a message that they read before, nor about an own one [REACH-08]', async () => {
  const t = await startFriendsWithMail()
  const { id } = await t.writes(t.ana, t.ben, 'hello')
  await t.ben.does(markRead, { input: { friendUserId: t.ana.me.id, messageId: id } })
  await t.writes(t.ben, t.ana, 'hello back')
  t.wait()
  await t.relay.mailTo('ana@example.org', 'Ben Ode')
  await until(() => countWaiting(t.db), 0)
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toEqual([])
})

test('a person is told of an invitation to an open room and of decisions about posts, in one mail [REACH-04]', async () => {
  const t = await startFriendsWithMail()
  const boss = await t.admin()
  const room = aRoom({ name: 'The Tower', isPublic: false, duration: 120, invitedFriends: [t.ben.me.id] })
  await t.ana.does(createRoom, { input: room })
  const post = await t.ben.does(submitPost, { input: aPost })
  await boss.does(approvePost, { params: { id: post.id } })
  await boss.does(changePostVisibility, { params: { id: post.id }, input: { isVisible: false } })
  t.wait()
  const mail = await t.relay.mailTo('ben@example.org', 'for you')
  const { text } = textsOf(mail)
  expect(text).toContain('You are invited to the room “The Tower”.')
  expect(text).toContain('Your post is hidden.')
  expect(text).not.toContain(aPost.content)
})

test('without SMTP_URL, and to an address that is not confirmed, nothing waits and no mail is queued [REACH-01 REACH-03]', async () => {
  const t = await startTestApp()
  const { ana, ben, writes, wait } = await makeFriends(t)
  await t.db.execute(sql`update emails set confirmed_at = null`)
  await writes(ana, ben, 'hello')
  expect(await countWaiting(t.db)).toBe(0)
  await confirm(t.db, ben)
  await writes(ana, ben, 'hello again')
  expect(await countWaiting(t.db)).toBe(1)
  wait()
  await until(() => countWaiting(t.db), 0)
  expect(await t.db.$count(mails)).toBe(0)
})

test.each([{ messages: false }, { byMail: false }])(
  'a person who has chosen %j gets no mail about messages, and others are told as before [REACH-04]',
  async (input) => {
    const t = await startFriendsWithMail()
    await t.ben.does(changeAwayNotificationChoices, { input })
    expect(await t.ben.does(getAwayNotificationChoices)).toMatchObject(input)
    await t.writes(t.ana, t.ben, 'hello')
    await t.writes(t.ben, t.ana, 'hello')
    t.wait()
    await t.relay.mailTo('ana@example.org', 'Ben Ode')
    await until(() => countWaiting(t.db), 0)
    await until(() => t.db.$count(mails), 0)
    expect(awayMailsTo(t.relay.received, 'ben@example.org')).toEqual([])
  },
)

test('what a person switches off, and reads, while a mail waits is not in the mail any more [REACH-04 REACH-08]', async () => {
  let isOpen = false
  const t = await startFriendsWithMail({
    onMailFrom: (_address, _session, done) =>
      done(isOpen ? null : Object.assign(new Error('Later'), { responseCode: 451 })),
  })
  await t.db.delete(mails)
  await t.writes(t.ana, t.ben, 'hello')
  await t.writes(t.ben, t.ana, 'hello')
  t.wait()
  await until(() => t.db.$count(mails, sql`attempts > 0 and failure is not null`), 2)
  await t.ben.does(changeAwayNotificationChoices, { input: { messages: false } })
  isOpen = true
  t.clock.advance(5 * 60_000)
  await t.relay.mailTo('ana@example.org', 'Ben Ode')
  await until(() => t.db.$count(mails), 0)
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toEqual([])
})

test('a suspended person and a deleted account get no mail, and the other friends do [REACH-04 S15]', async () => {
  const t = await startFriendsWithMail()
  const boss = await t.admin()
  const cleo = await t.person({ email: 'cleo@example.org' })
  await t.ana.does(addFriend, { input: { friendUserId: cleo.me.id } })
  await confirm(t.db, cleo)
  for (const friend of [t.ben, cleo]) await t.writes(t.ana, friend, 'hello')
  await t.writes(t.ben, t.ana, 'hello')
  await boss.does(suspendPerson, {
    params: { id: t.ben.me.id },
    input: { reason: 'No', until: null, hidesTexts: false },
  })
  await cleo.does(deleteAccount)
  t.wait()
  await t.relay.mailTo('ana@example.org', 'Ben Ode')
  await until(() => countWaiting(t.db), 0)
  for (const address of ['ben@example.org', 'cleo@example.org'])
    expect(awayMailsTo(t.relay.received, address)).toEqual([])
})

test('a person causes mails to at most 30 people within a day [REACH-04 S47]', async () => {
  const t = await startFriendsWithMail()
  await t.db.execute(sql`
    with people as (
      insert into users (id, created_at) select 'person' || n, app_now() from generate_series(1, 30) n returning id)
    select id from people`)
  await t.db.execute(sql`
    insert into notice_causes (causer_id, user_id, at)
    select ${t.ana.me.id}, 'person' || n, app_now() from generate_series(1, 30) n`)
  await t.writes(t.ana, t.ben, 'hello')
  await t.writes(t.ben, t.ana, 'hello')
  t.wait()
  await t.relay.mailTo('ana@example.org', 'Ben Ode')
  await until(() => countWaiting(t.db), 0)
  expect(awayMailsTo(t.relay.received, 'ben@example.org')).toEqual([])
  t.clock.advance(24 * 60 * 60_000)
  await t.writes(t.ana, t.ben, 'hello tomorrow')
  t.wait()
  await t.relay.mailTo('ben@example.org', 'Ana Lima')
  expect(await t.db.$count(awayNotificationCauses, sql`user_id = ${t.ben.me.id}`)).toBe(1)
})

test('names and titles of people add no header and no addressee to a mail [REACH-04 S59]', async () => {
  const t = await startFriendsWithMail()
  const hostile = 'Bcc: victim@example.org\r\nX-Evil: yes'
  await t.db.execute(sql`
    update users set first_name = ${`Eve\r\n${hostile}`}, last_name = '<b>x</b>' where id = ${t.ana.me.id}`)
  await t.writes(t.ana, t.ben, 'hello')
  t.wait()
  const mail = await t.relay.mailTo('ben@example.org', 'Eve')
  expect(mail.to).toEqual(['ben@example.org'])
  for (const name of ['bcc', 'x-evil', 'cc']) expect(mail.headers.has(name)).toBe(false)
  expect(mail.headers.get('list-unsubscribe')).toHaveLength(1)
  expect(textsOf(mail).html).not.toContain('<b>x</b>')
})
