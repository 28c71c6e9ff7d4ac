import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { addFriend, listFriends } from '#contract/friends/endpoints.ts'
import {
  countUnread,
  deleteMessage,
  listMessages,
  markRead,
  sendMessage,
} from '#contract/messages/endpoints.ts'
import { type DirectMessage, messageMaxLength } from '#contract/messages/message.ts'
import { contentOf } from '#server/testing/content.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

async function startFriends(more: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ ...more, config: { limitsRates: false, ...more.config } })
  const [ana, ben] = [await t.person(), await t.person()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  const write = (who: Client, content: string, to = who === ana ? ben : ana) =>
    who.does(sendMessage, { input: { messageType: 'text', receiverId: to.me.id, content } })
  const conversation = (who: Client, query = {}) =>
    who.does(listMessages, { params: { friendId: (who === ana ? ben : ana).me.id }, query })
  const unread = async (who: Client) => (await who.does(countUnread)).unreadCount
  return { ...t, ana, ben, write, conversation, unread }
}

test('two friends write to each other, and both read the messages in the order they were sent [MSG-13 MSG-18 MSG-19 API-24 API-25 PERM-09]', async () => {
  const { ana, ben, write, conversation } = await startFriends()
  const first = await write(ana, 'Good\r\nevening')
  expect(first).toEqual({
    id: expect.any(String),
    sender_id: ana.me.id,
    receiver_id: ben.me.id,
    content: 'Good\nevening',
    created_at: expect.any(String),
    message_type: 'text',
    diary_date: null,
  })
  const others = [await write(ben, 'Good night'), await write(ana, '😀'.repeat(messageMaxLength))]
  for (const who of [ana, ben]) expect(await conversation(who)).toEqual([first, ...others])
})

test('20 messages sent at once have 20 different times, in the order of the conversation [R5 R9]', async () => {
  const { ana, ben, write, conversation } = await startFriends()
  await Promise.all(Array.from({ length: 20 }, (_, i) => write(i % 2 === 0 ? ana : ben, `line ${i}`)))
  const times = (await conversation(ana)).map(({ created_at }) => created_at)
  expect(new Set(times).size).toBe(20)
  expect(times).toEqual(times.toSorted())
})

test('nobody writes to a stranger, to themselves, to a guest or to nobody, and nothing is stored [S43]', async () => {
  const { person, guest, ana, db } = await startFriends()
  const [cem, stranger] = [await person(), await guest()]
  const before = await contentOf(db)
  for (const receiverId of [cem.me.id, ana.me.id, stranger.me.id, '0000000000']) {
    const input = { messageType: 'text', receiverId, content: 'Hello' }
    for (const answer of [
      await ana.tries(sendMessage, { input }),
      await ana.tries(listMessages, { params: { friendId: receiverId } }),
    ])
      expect(answer).toMatchObject({ status: 404, code: 'FriendNotFound' })
  }
  expect(await contentOf(db)).toEqual(before)
})

test('a message that is blank, too long or of no known type is refused, and nothing is stored [MSG-16 S31 S43]', async () => {
  const { ana, ben, db } = await startFriends()
  const before = await contentOf(db)
  const receiverId = ben.me.id
  for (const wrong of [
    { messageType: 'text', receiverId, content: ' \n\u200b' },
    { messageType: 'text', receiverId, content: '😀'.repeat(messageMaxLength) + 'x' },
    { messageType: 'text', receiverId, content: 'a\u0000b' },
    { messageType: 'text', receiverId },
    { messageType: 'picture', receiverId, content: 'x' },
    { receiverId, content: 'x' },
    { messageType: 'diary', receiverId },
    { messageType: 'diary', receiverId, diaryDate: '2025-02-30' },
    { messageType: 'text', receiverId: 'x', content: 'x' },
  ])
    expect([wrong, (await ana.tries(sendMessage, { input: wrong })).status]).toEqual([wrong, 400])
  expect(await contentOf(db)).toEqual(before)
})

test('a shared diary entry is a copy and does not change with the entry; an empty or changed entry cannot be shared [MSG-20 MSG-21 MSG-22 S43 API-25]', async () => {
  const { ana, ben, conversation } = await startFriends()
  const day = '2025-06-09'
  const save = (content: string) => ana.does(saveDiaryEntry, { input: { date: day, content } })
  const share = (more = {}) =>
    ana.tries(sendMessage, {
      input: { messageType: 'diary', receiverId: ben.me.id, diaryDate: day, ...more },
    })
  expect(await share()).toMatchObject({ status: 400, code: 'NoDiaryEntry' })
  await save('A quiet day.')
  expect(await share({ content: 'A quiet day' })).toMatchObject({ status: 400, code: 'DiaryEntryChanged' })
  expect(await conversation(ben)).toEqual([])
  for (const more of [{}, { content: 'A quiet day.' }])
    expect(await share(more)).toMatchObject({
      status: 201,
      body: { content: 'A quiet day.', message_type: 'diary', diary_date: day },
    })
  await save('')
  expect((await conversation(ben)).map(({ content }) => content)).toEqual(['A quiet day.', 'A quiet day.'])
  expect(await share()).toMatchObject({ status: 400, code: 'NoDiaryEntry' })
})

test('a person cannot share the diary entry of another person [S43 S44]', async () => {
  const { ana, ben, db } = await startFriends()
  await ben.does(saveDiaryEntry, { input: { date: '2025-06-09', content: 'Mine' } })
  const before = await contentOf(db)
  const input = { messageType: 'diary', receiverId: ben.me.id, diaryDate: '2025-06-09', content: 'Mine' }
  expect(await ana.tries(sendMessage, { input })).toMatchObject({ status: 400, code: 'NoDiaryEntry' })
  expect(await contentOf(db)).toEqual(before)
})

test('the sender deletes a message on both sides; the receiver cannot, and a stranger gets the same answer as for an unknown message [MSG-23 S43 API-26 PERM-21]', async () => {
  const { person, admin, ana, ben, write, conversation, db } = await startFriends()
  const message = await write(ana, 'Sent too early')
  const [cem, anAdmin] = [await person(), await admin()]
  const remove = (who: Client, id = message.id) => who.tries(deleteMessage, { params: { id } })
  const before = await contentOf(db)
  expect(await remove(ben)).toMatchObject({ status: 403, code: 'NotYourMessage' })
  const missing = await remove(cem, '00000000-0000-7000-8000-000000000000')
  for (const stranger of [cem, anAdmin]) {
    const { status, body } = await remove(stranger)
    expect([status, body]).toEqual([missing.status, missing.body])
  }
  expect(missing.status).toBe(404)
  expect(await contentOf(db)).toEqual(before)
  expect(await remove(ana)).toMatchObject({ status: 200, body: { ok: true } })
  for (const who of [ana, ben]) expect(await conversation(who)).toEqual([])
  expect((await remove(ana)).status).toBe(404)
})

test('a message that is deleted several times at once is deleted once, and both friends get one event [R6 R9]', async () => {
  const { ana, write, db } = await startFriends()
  const { id } = await write(ana, 'Sent too early')
  const release = await holdLocks(db, sql`select 1 from friendships for update`)
  const deleting = Promise.all([1, 2, 3].map(() => ana.tries(deleteMessage, { params: { id } })))
  await untilLockWaits(db, 3)
  await release()
  expect((await deleting).map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
  const { rows } = await db.execute(
    sql`select count(*)::int as count from inbox_events where name = 'message.deleted'`,
  )
  expect(rows).toEqual([{ count: 2 }])
})

test('after the newest message is deleted, friends are listed by the newest one that is left [MSG-23 S30]', async () => {
  const { ana, ben, write } = await startFriends()
  const lastMessageAt = async () => (await ben.does(listFriends))[0]!.lastMessageAt
  const [one, two, three] = [await write(ana, '1'), await write(ben, '2'), await write(ana, '3')]
  await ana.does(deleteMessage, { params: { id: one.id } })
  expect(await lastMessageAt()).toBe(three.created_at)
  await ana.does(deleteMessage, { params: { id: three.id } })
  expect(await lastMessageAt()).toBe(two.created_at)
  await ben.does(deleteMessage, { params: { id: two.id } })
  expect(await lastMessageAt()).toBeNull()
  const { created_at: time } = await write(ana, '4')
  expect(await lastMessageAt()).toBe(time)
})

test('unread messages are counted for each friend and in total; marking an older message as read changes nothing [PPL-08]', async () => {
  const { person, ana, ben, write, unread } = await startFriends()
  const cem = await person()
  await cem.does(addFriend, { input: { friendUserId: ana.me.id } })
  const [one, two, three] = [await write(ben, '1'), await write(ben, '2'), await write(ben, '3')]
  await write(cem, 'Hello', ana)
  expect(await unread(ana)).toBe(4)
  expect(await unread(ben)).toBe(0)
  const read = async (message: DirectMessage, friend = ben) =>
    (await ana.does(markRead, { input: { friendUserId: friend.me.id, messageId: message.id } })).unreadCount
  expect(await read(two)).toBe(1)
  expect(await read(one)).toBe(1)
  expect(await unread(ana)).toBe(2)
  const counts = new Map((await ana.does(listFriends)).map((friend) => [friend.id, friend.unreadCount]))
  expect([counts.get(ben.me.id), counts.get(cem.me.id)]).toEqual([1, 1])
  // An own message is never unread, and does not mark the others as read.
  await write(ana, 'One moment')
  expect(await unread(ana)).toBe(2)
  expect(await read(three)).toBe(0)
  expect(await unread(ana)).toBe(1)
})

test('deleting a message lowers the unread count only if the message was unread [PPL-08]', async () => {
  const { ana, ben, write, unread } = await startFriends()
  const messages = [await write(ben, '1'), await write(ben, '2'), await write(ben, '3')]
  await ana.does(markRead, { input: { friendUserId: ben.me.id, messageId: messages[0]!.id } })
  for (const [message, left] of [
    [messages[2]!, 1],
    [messages[0]!, 1],
    [messages[1]!, 0],
  ] as const) {
    await ben.does(deleteMessage, { params: { id: message.id } })
    expect(await unread(ana)).toBe(left)
  }
})

test('a person cannot mark a message of another conversation as read [S6 PPL-08]', async () => {
  const { person, ana, ben, write, db } = await startFriends()
  const cem = await person()
  await cem.does(addFriend, { input: { friendUserId: ana.me.id } })
  const ofCem = await write(cem, 'Hello', ana)
  const read = (who: Client, friend: Client, messageId: string) =>
    who.tries(markRead, { input: { friendUserId: friend.me.id, messageId } })
  const before = await contentOf(db)
  expect(await read(ana, ben, ofCem.id)).toMatchObject({ status: 404, code: 'MessageNotFound' })
  expect(await read(ben, ana, ofCem.id)).toMatchObject({ status: 404, code: 'MessageNotFound' })
  expect(await read(ben, cem, ofCem.id)).toMatchObject({ status: 404, code: 'FriendNotFound' })
  expect(await contentOf(db)).toEqual(before)
})

test('a conversation is read page by page, the newest page first and each page oldest first [S30 PPL-11]', async () => {
  const { ana, ben, write, conversation } = await startFriends()
  for (let i = 1; i <= 5; i++) await write(i % 2 === 0 ? ana : ben, String(i))
  const pages: string[][] = []
  let before: string | undefined
  do {
    const page = await ana.tries(listMessages, {
      params: { friendId: ben.me.id },
      query: { limit: '2', ...(before && { before }) },
    })
    pages.push((page.body as DirectMessage[]).map(({ content }) => content))
    before = page.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(pages).toEqual([['4', '5'], ['2', '3'], ['1']])
  expect((await conversation(ana)).map(({ content }) => content)).toEqual(['1', '2', '3', '4', '5'])
})

test('an invalid cursor of a conversation is refused [S30 PPL-11]', async () => {
  const { ana, ben } = await startFriends()
  for (const wrong of ['0', '-1', 'x', '1.5', '9999999999'])
    expect(
      await ana.tries(listMessages, { params: { friendId: ben.me.id }, query: { before: wrong } }),
    ).toMatchObject({ status: 400 })
})

test('a page ends with the message that reaches 512 KiB, and the next page has the rest [S30 S51]', async () => {
  const { ana, ben, conversation } = await startFriends()
  await ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content: '字'.repeat(99_999) } })
  for (let i = 0; i < 6; i++)
    await ana.does(sendMessage, {
      input: { messageType: 'diary', receiverId: ben.me.id, diaryDate: '2025-06-09' },
    })
  const page = await ben.tries(listMessages, { params: { friendId: ana.me.id } })
  expect(page.body).toHaveLength(2)
  const before = page.headers['next-before'] as string
  expect(await conversation(ben, { before })).toHaveLength(2)
  expect(await conversation(ben, { before: String(Number(before) - 2) })).toHaveLength(2)
})

test('a message sent five times with one idempotency key is stored once, and no other table contains its text [R7 S44]', async () => {
  const { ana, ben, db } = await startFriends()
  const call = {
    input: { messageType: 'text', receiverId: ben.me.id, content: 'Said only once' },
    headers: { 'idempotency-key': 'message-1' },
  }
  const answers = await Promise.all(Array.from({ length: 5 }, () => ana.tries(sendMessage, call)))
  for (const { status, body } of answers) expect([status, body]).toEqual([201, answers[0]!.body])
  const { direct_messages: messages, ...others } = await contentOf(db)
  expect(messages).toHaveLength(1)
  const hex = Buffer.from('Said only once').toString('hex')
  expect(JSON.stringify(others)).not.toMatch(new RegExp(`Said only once|${hex}`))
})

test('a shared entry with an idempotency key but without its text is refused, because the stored answer contains no text [R7 S44]', async () => {
  const { ana, ben, db } = await startFriends()
  await ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content: 'A quiet day.' } })
  const before = await contentOf(db)
  const input = { messageType: 'diary', receiverId: ben.me.id, diaryDate: '2025-06-09' }
  const headers = { 'idempotency-key': 'share-1' }
  expect(await ana.tries(sendMessage, { input, headers })).toMatchObject({
    status: 400,
    fields: { content: 'A call with an Idempotency-Key must contain its content.' },
  })
  expect(await contentOf(db)).toEqual(before)
})

test('a person who sends more than 60 messages in a minute is refused with 429, and nothing more is stored [S47]', async () => {
  const { ana, ben, db } = await startFriends({ config: { limitsRates: true } })
  const input = { messageType: 'text', receiverId: ben.me.id, content: 'Again' }
  const statuses = new Set<number>()
  for (let i = 0; i < 61; i++) statuses.add((await ana.tries(sendMessage, { input })).status)
  expect([...statuses]).toEqual([201, 429])
  const { rows } = await db.execute(sql`select count(*)::int as count from direct_messages`)
  expect(rows).toEqual([{ count: 60 }])
})

test('a person sends at most 4 MiB of text in an hour and 16 MiB in a day; more is refused with 429, and nothing more is stored [S30 S47]', async () => {
  const { ana, ben, clock, db } = await startFriends({ config: { limitsRates: true } })
  await ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content: '字'.repeat(99_999) } })
  const input = { messageType: 'diary', receiverId: ben.me.id, diaryDate: '2025-06-09' }
  const sendUntilRefused = async () => {
    for (let sent = 0; ; sent++) if ((await ana.tries(sendMessage, { input })).status === 429) return sent
  }
  const sent: number[] = []
  for (let hour = 0; hour < 6; hour++) {
    sent.push(await sendUntilRefused())
    clock.advance(3_600_000)
  }
  expect(sent).toEqual([13, 13, 13, 13, 3, 0])
  const { rows } = await db.execute(sql`select count(*)::int as count from direct_messages`)
  expect(rows).toEqual([{ count: 55 }])
  clock.advance(18 * 3_600_000)
  expect(await sendUntilRefused()).toBe(13)
})
