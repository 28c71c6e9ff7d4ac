import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  addFriend,
  blockPerson,
  listBlockedPeople,
  listFriends,
  unblockPerson,
} from '#contract/friends/endpoints.ts'
import { blockedPeopleMax } from '#contract/friends/friend.ts'
import {
  countUnread,
  deleteMessage,
  listMessages,
  markRead,
  sendMessage,
} from '#contract/messages/endpoints.ts'
import type { DirectMessage } from '#contract/messages/message.ts'
import { contentOf } from '#server/testing/content.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const block = (who: Client, whom: Client) => who.tries(blockPerson, { input: { userId: whom.me.id } })
const send = (who: Client, whom: Client | { me: { id: string } }) =>
  who.tries(sendMessage, { input: { messageType: 'text', receiverId: whom.me.id, content: 'Good evening' } })

async function startFriends() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben] = [await t.person(), await t.person()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  const message = (await send(ben, ana)).body as DirectMessage
  return { ...t, ana, ben, message }
}

test('a person blocks a friend: neither can write, read, find or add the other, and both are answered as if there were no such person [PPL-04 PPL-05]', async () => {
  const { ana, ben, message, db } = await startFriends()
  expect(await block(ana, ben)).toMatchObject({ status: 201, body: { ok: true } })
  const before = await contentOf(db)
  const nobody = { me: { id: '0000000000' } }
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    const calls = (friend: { me: { id: string } }) => [
      send(one, friend),
      one.tries(listMessages, { params: { friendId: friend.me.id } }),
      one.tries(markRead, { input: { friendUserId: friend.me.id, messageId: message.id } }),
      one.tries(addFriend, { input: { friendUserId: friend.me.id } }),
    ]
    const shown = async (friend: { me: { id: string } }) =>
      (await Promise.all(calls(friend))).map(({ status, body }) => [status, body])
    expect(await shown(other)).toEqual(await shown(nobody))
    expect(await one.does(listFriends)).toEqual([])
    expect(await one.does(countUnread)).toEqual({ unreadCount: 0 })
    expect(await one.tries(deleteMessage, { params: { id: message.id } })).toMatchObject({
      status: 404,
      code: 'MessageNotFound',
    })
  }
  expect(await contentOf(db)).toEqual(before)
})

test('a person removes the block: the friendship and its messages are there again [PPL-04]', async () => {
  const { ana, ben, message } = await startFriends()
  await block(ana, ben)
  await ana.does(unblockPerson, { params: { userId: ben.me.id } })
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    expect((await one.does(listMessages, { params: { friendId: other.me.id } }))[0]).toEqual(message)
    expect((await send(one, other)).status).toBe(201)
  }
})

test('a block that the other side has set stays when the own one is removed [PPL-04]', async () => {
  const { ana, ben } = await startFriends()
  await block(ana, ben)
  await block(ben, ana)
  await ana.does(unblockPerson, { params: { userId: ben.me.id } })
  expect((await send(ana, ben)).status).toBe(404)
  expect(await ana.does(listBlockedPeople)).toEqual([])
})

test('a person sees whom they have blocked, the newest block first, page by page; nobody else does [PPL-04]', async () => {
  const { person, clock, ana, ben } = await startFriends()
  const cem = await person()
  await block(ana, ben)
  clock.advance(1000)
  await block(ana, cem)
  await block(ana, cem)
  const all = await ana.does(listBlockedPeople)
  expect(all.map(({ id }) => id)).toEqual([cem.me.id, ben.me.id])
  const first = await ana.tries(listBlockedPeople, { query: { limit: '1' } })
  const before = first.headers['next-before'] as string
  expect(await ana.does(listBlockedPeople, { query: { limit: '1', before } })).toEqual([all[1]])
  expect(await ben.does(listBlockedPeople)).toEqual([])
})

test('oneself, a guest and nobody cannot be blocked [PPL-04]', async () => {
  const { guest, ana, db } = await startFriends()
  const stranger = await guest()
  const before = await contentOf(db)
  for (const userId of [ana.me.id, stranger.me.id, '0000000000'])
    expect(await ana.tries(blockPerson, { input: { userId } })).toMatchObject({
      status: 400,
      code: 'CannotBeBlocked',
    })
  expect(await contentOf(db)).toEqual(before)
})

test('a person blocks and unblocks a friend on one device: the other devices fetch the friends again, once for each change, and the friend is told nothing [PPL-04 PPL-05]', async () => {
  const { app, person, ana, ben } = await startFriends()
  const devices = [
    await openStream(app, ana, { inbox: ana.me.id }),
    await openStream(app, ana, { inbox: ana.me.id }),
  ]
  const ofBen = await openStream(app, ben, { inbox: ben.me.id })
  const unblock = () => ana.tries(unblockPerson, { params: { userId: ben.me.id } })
  for (const change of [() => block(ana, ben), unblock])
    expect([(await change()).status, (await change()).status]).toEqual(
      change === unblock ? [200, 404] : [201, 201],
    )
  const cem = await person()
  for (const { me } of [ana, ben]) await cem.does(addFriend, { input: { friendUserId: me.id } })
  for (const [stream, changes] of [...devices.map((each) => [each, 2] as const), [ofBen, 0] as const]) {
    await stream.receives('friend.added')
    expect(stream.all('friends.changed')).toEqual(Array.from({ length: changes }, () => ({})))
  }
  expect(ofBen.received.map(({ name }) => name)).toEqual(['ready', 'friend.added'])
})

test('a person blocks at most 1000 people: one more is refused and changes nothing, a repeated block is not refused [S31]', async () => {
  const { ana, ben, db } = await startFriends()
  await db.execute(sql`
    insert into users (id, username, created_at)
    select 'zzzzz' || lpad(n::text, 5, '0'), 'many' || n, app_now() from generate_series(1, ${blockedPeopleMax}::int) n`)
  await db.execute(sql`
    insert into blocks select ${ana.me.id}, id, app_now() from users where username like 'many%'`)
  const before = await contentOf(db)
  expect(await block(ana, ben)).toMatchObject({ status: 400, code: 'TooManyBlocks' })
  const blocked = 'zzzzz00001'
  expect((await ana.tries(blockPerson, { input: { userId: blocked } })).status).toBe(201)
  expect(await contentOf(db)).toEqual(before)
  await ana.does(unblockPerson, { params: { userId: blocked } })
  expect((await block(ana, ben)).status).toBe(201)
})

test('a person who blocks more than 60 people in an hour is refused with 429, and nothing more is stored [S47]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben, cem] = [await person(), await person(), await person()]
  for (let i = 0; i < 60; i++) expect((await block(ana, ben)).status).toBe(201)
  const before = await contentOf(db)
  expect(await block(ana, cem)).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect(await contentOf(db)).toEqual(before)
})
