import { sql } from 'drizzle-orm'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { deleteMessage, listMessages, markRead, sendMessage } from '#contract/messages/endpoints.ts'
import { addInboxEvents } from '#server/features/inbox/queries.ts'
import { openVault } from '#server/features/day-texts/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { openStream, tryToOpenStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { findMessages } from './queries.ts'

async function startFriends() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben] = [await t.person(), await t.person()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  const write = (who: Client, content: string) =>
    who.does(sendMessage, {
      input: { messageType: 'text', receiverId: (who === ana ? ben : ana).me.id, content },
    })
  const open = (who: Client, after?: string) =>
    openStream(t.app, who, { inbox: who.me.id, ...(after !== undefined && { after }) })
  return { ...t, ana, ben, write, open }
}

test('a message arrives at every device of both friends, once and in order, and at nobody else [MSG-27 R9]', async () => {
  const { app, person, ana, ben, write, open } = await startFriends()
  const cem = await person()
  const readers = [await open(ana), await open(ben), await open(ben)]
  const stranger = await open(cem)
  const foreign = await tryToOpenStream(app, cem, { inbox: ana.me.id })
  await foreign.receives('ready')
  const messages = [await write(ana, 'one'), await write(ben, 'two'), await write(ana, 'three')]
  for (const reader of readers) {
    await reader.receives('message', ({ content }) => content === 'three')
    expect(reader.all('message')).toEqual(messages)
  }
  await cem.does(addFriend, { input: { friendUserId: ana.me.id } })
  await stranger.receives('friend.added')
  for (const reader of [stranger, foreign]) expect(reader.all('message')).toEqual([])
  expect(foreign.all('ready')).toEqual([{ inbox: [] }])
})

test('a stream does not tell whether an account exists [S6 PPL-05]', async () => {
  const { app, ana, ben } = await startFriends()
  await ben.does(blockPerson, { input: { userId: ana.me.id } })
  for (const id of [ben.me.id, '0000000000']) {
    const stream = await tryToOpenStream(app, ana, { inbox: id, after: `1.${id}.1` })
    await stream.receives('ready')
    await delay(100)
    expect(stream.received.map(({ name, data }) => [name, data])).toEqual([['ready', { inbox: [] }]])
  }
})

test('a device that was away gets every message it has missed, once; a deleted one stays away [R9]', async () => {
  const { ana, ben, write, open } = await startFriends()
  const first = await open(ben)
  await write(ana, 'one')
  await first.receives('message')
  const { lastId } = first
  first.close()
  const two = await write(ana, 'two')
  const three = await write(ana, 'three')
  await ana.does(deleteMessage, { params: { id: two.id } })
  const again = await open(ben, lastId)
  await again.receives('message.deleted')
  expect(again.received.map(({ name, data }) => [name, data])).toEqual([
    ['ready', { inbox: [ben.me.id] }],
    ['message', three],
    ['message.deleted', { id: two.id, friendUserId: ana.me.id }],
  ])
})

test('a device skips an event that only a newer version knows, and receives the next message [R9]', async () => {
  const { db, ana, ben, write, open } = await startFriends()
  const device = await open(ben)
  // A name that every object has is unknown too.
  for (const name of ['from.the.future', 'toString'])
    await addInboxEvents(db, name as 'message', [{ personId: ben.me.id, otherPersonId: null, details: {} }])
  const message = await write(ana, 'one')
  expect(await device.receives('message')).toEqual(message)
  expect(device.received.map(({ name }) => name)).toEqual(['ready', 'message'])
})

test('a device that has missed more than 1000 events starts anew, and older events are kept only for the bell [R9 LOOP-23]', async () => {
  const { db, ana, ben, write, open } = await startFriends()
  const first = await open(ben)
  await write(ana, 'one')
  await first.receives('message')
  const { lastId } = first
  first.close()
  for (let i = 0; i < 1001; i += 77) await Promise.all(Array.from({ length: 77 }, () => write(ana, 'on')))
  const again = await open(ben, lastId)
  await again.receives('reset')
  const { rows } = await db.execute(
    `select user_id, count(*)::int as count from inbox_events group by 1 order by 1`,
  )
  // Ben has not seen yet that Ana has added him.
  const expected = [
    { user_id: ana.me.id, count: 1000 },
    { user_id: ben.me.id, count: 1001 },
  ]
  expect(rows).toEqual(expected.toSorted(byId))
})

test('a device that was away gets many long messages in short parts, each once and in order [R9 R11 R24]', async () => {
  const { db, config, ana, ben, write, open } = await startFriends()
  const first = await open(ben)
  await write(ana, 'one')
  await first.receives('message')
  const { lastId } = first
  first.close()
  const ids: string[] = []
  for (const letter of 'abcdef') {
    await ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content: letter.repeat(60_000) } })
    const input = { messageType: 'diary' as const, receiverId: ben.me.id, diaryDate: '2025-06-09' }
    ids.push((await ana.does(sendMessage, { input })).id, (await write(ben, letter)).id)
  }
  // The longest message, of 60,000 bytes, fills a part.
  const vault = await openVault({ database: db, config, random: systemRandom })
  const requests = [ids, ids.slice(1), [...ids].reverse()].map((some) => ({ personId: ben.me.id, ids: some }))
  const found = await findMessages(db, vault, requests)
  expect(requests.map((request) => found.get(request)!.map((message) => message!.id))).toEqual([
    ids.slice(0, 1),
    ids.slice(1, 3),
    [...ids].reverse().slice(0, 2),
  ])
  const again = await open(ben, lastId)
  await again.receives('message', ({ id }) => id === ids.at(-1))
  expect(again.all('message').map(({ id }) => id)).toEqual(ids)
})

test('a device that is behind by more than 1000 events while its stream is open starts anew [R9]', async () => {
  const { db, ana, ben, write, open } = await startFriends()
  const device = await open(ben)
  await write(ana, 'one')
  await device.receives('message')
  // As after many messages of which this process was not notified, or while the device was still catching up.
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from inbox_events where user_id = ${ben.me.id}`)
    await tx.execute(sql`update inboxes set last_event = last_event + 1001 where user_id = ${ben.me.id}`)
  })
  await device.receives('reset')
  const two = await write(ana, 'two')
  await device.receives('message', ({ id }) => id === two.id)
  expect(device.received.map(({ name }) => name)).toEqual(['ready', 'message', 'reset', 'message'])
})

const byId = (one: { user_id: string }, other: { user_id: string }) => (one.user_id < other.user_id ? -1 : 1)

test('a person reads messages on one device, and the other devices learn the new count; the friend does not [PPL-08]', async () => {
  const { ana, ben, write, open } = await startFriends()
  await write(ana, 'one')
  const two = await write(ana, 'two')
  const [devices, friend] = [[await open(ben), await open(ben)], await open(ana)]
  await ben.does(markRead, { input: { friendUserId: ana.me.id, messageId: two.id } })
  for (const device of devices)
    expect(await device.receives('messages.read')).toEqual({ friendUserId: ana.me.id, unreadCount: 0 })
  await write(ana, 'three')
  await friend.receives('message')
  expect(friend.all('messages.read')).toEqual([])
})

test('a new friendship arrives at both people [MSG-12]', async () => {
  const { person, ana, open } = await startFriends()
  const cem = await person()
  const readers = [
    [await open(ana), cem],
    [await open(cem), ana],
  ] as const
  await cem.does(addFriend, { input: { friendUserId: ana.me.id } })
  for (const [reader, { me }] of readers)
    expect(await reader.receives('friend.added')).toMatchObject({ id: me.id })
})

test.each([
  ['of many letters', '字'.repeat(99_999)],
  ['of control characters, which are six times as long in JSON,', '\u0001'.repeat(60_000)],
])(
  'a shared diary entry %s too long for the stream arrives as a request to fetch the conversation, and the stream stays open [MSG-22 R11]',
  async (_, content) => {
    const { ana, ben, write, open } = await startFriends()
    await ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content } })
    const reader = await open(ben)
    const { id, sender_id, created_at } = await ana.does(sendMessage, {
      input: { messageType: 'diary', receiverId: ben.me.id, diaryDate: '2025-06-09' },
    })
    expect(await reader.receives('message.long')).toEqual({
      id,
      sender_id,
      created_at,
      friendUserId: ana.me.id,
    })
    const next = await write(ana, 'Have you read it?')
    expect(await reader.receives('message')).toEqual(next)
  },
)

test('after a block a device that was away no longer gets what the other person has written, nor how many messages are unread [PPL-04]', async () => {
  const { person, ana, ben, write, open } = await startFriends()
  const first = await open(ben)
  await write(ana, 'one')
  await first.receives('message')
  const { lastId } = first
  first.close()
  const two = await write(ana, 'two')
  await write(ana, 'three')
  await ben.does(markRead, { input: { friendUserId: ana.me.id, messageId: two.id } })
  await ben.does(blockPerson, { input: { userId: ana.me.id } })
  const again = await open(ben, lastId)
  const cem = await person()
  await cem.does(addFriend, { input: { friendUserId: ben.me.id } })
  await again.receives('friend.added')
  expect((await ben.tries(listMessages, { params: { friendId: ana.me.id } })).status).toBe(404)
  expect(again.received.map(({ name }) => name)).toEqual(['ready', 'friends.changed', 'friend.added'])
})
