import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { addFriend, blockPerson, listFriends } from '#contract/friends/endpoints.ts'
import { deleteMessage, sendMessage } from '#contract/messages/endpoints.ts'
import { planOf } from '#server/testing/plan.ts'
import { atServerWithKey, type Client, startTestApp } from '#server/testing/test-app.ts'
import { lastMessagesQuery } from './last-messages.ts'

const keys = { 'no key': undefined, 'a key': 'a1'.repeat(32) }

async function startFriends(config: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ ...config, config: { limitsRates: false, ...config.config } })
  const ana = await t.person()
  const friends = [await t.person(), await t.person(), await t.person()]
  for (const { me } of friends) await ana.does(addFriend, { input: { friendUserId: me.id } })
  const [ben, cem, dia] = friends as [Client, Client, Client]
  const write = (who: Client, to: Client, content: string) => {
    t.clock.advance(1000)
    return who.does(sendMessage, { input: { messageType: 'text', receiverId: to.me.id, content } })
  }
  /** The last message with each friend, the newest first. */
  const last = async (who: Client) => (await who.does(listFriends)).map(({ lastMessage }) => lastMessage)
  return { ...t, ana, ben, cem, dia, write, last }
}

test.each(Object.entries(keys))(
  'with %s both sides read how the last message begins, and whether it is their own [LOOP-26]',
  async (_what, diaryKey) => {
    const { ana, ben, cem, write, last } = await startFriends({ config: { diaryKey } })
    await write(ben, ana, 'An earlier line')
    await write(ana, ben, `Dear Ben,\n\n${'the sea is near. '.repeat(20)}`)
    await write(cem, ana, 'Good evening')
    const beginning = expect.stringMatching(/^Dear Ben, the sea is near\..{80,100}…$/)
    expect(await last(ana)).toEqual([
      { beginning: 'Good evening', isOwn: false, messageType: 'text' },
      { beginning, isOwn: true, messageType: 'text' },
      null,
    ])
    expect(await last(ben)).toEqual([{ beginning, isOwn: false, messageType: 'text' }])
  },
)

test('a shared diary entry is named without its text [LOOP-26]', async () => {
  const { ana, ben, last } = await startFriends()
  await ana.does(saveDiaryEntry, { input: { date: '2025-06-09', content: 'A secret of the sun' } })
  await ana.does(sendMessage, {
    input: { messageType: 'diary', receiverId: ben.me.id, diaryDate: '2025-06-09' },
  })
  expect(await last(ben)).toEqual([{ beginning: '', isOwn: false, messageType: 'diary' }])
  expect((await last(ana))[0]).toEqual({ beginning: '', isOwn: true, messageType: 'diary' })
})

test('the words of a deleted message are gone from both lists, and those of the one before are there again [LOOP-26 MSG-23]', async () => {
  const { ana, ben, write, last } = await startFriends()
  const [first, second] = [await write(ben, ana, 'The first'), await write(ana, ben, 'The second')]
  await ana.does(deleteMessage, { params: { id: second.id } })
  expect((await last(ana))[0]).toEqual({ beginning: 'The first', isOwn: false, messageType: 'text' })
  expect(await last(ben)).toEqual([{ beginning: 'The first', isOwn: true, messageType: 'text' }])
  await ben.does(deleteMessage, { params: { id: first.id } })
  expect(await last(ana)).toEqual([null, null, null])
  expect(await last(ben)).toEqual([null])
})

test('a person reads no words of a friend whom a block hides [LOOP-26 PPL-05]', async () => {
  const { ana, ben, write, last } = await startFriends()
  await write(ben, ana, 'A secret')
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  expect(await last(ana)).toEqual([null, null])
  expect(await last(ben)).toEqual([])
})

test('a list reads at most 1 MiB of texts: the newest friends have words, those behind a time and none; diary entries do not count [LOOP-26]', async () => {
  const { ana, ben, cem, dia, write, last, db } = await startFriends()
  for (const friend of [ben, cem, dia]) await write(friend, ana, 'A line')
  const setLast = (friend: Client, change: ReturnType<typeof sql>) =>
    db.execute(sql`update direct_messages set ${change} where sender_id = ${friend.me.id}`)
  const megabyte = 1024 * 1024
  const long = (bytes: number) => sql`content = convert_to(repeat('x', ${bytes}::int), 'UTF8')`
  await setLast(dia, long(megabyte - 6))
  expect((await last(ana)).map((message) => message?.beginning.slice(0, 6))).toEqual([
    'xxxxxx',
    'A line',
    undefined,
  ])
  await setLast(dia, long(megabyte + 1))
  expect(await last(ana)).toEqual([null, null, null])
  expect((await ana.does(listFriends)).every(({ lastMessageAt }) => lastMessageAt !== null)).toBe(true)
  await setLast(dia, sql`diary_date = '2025-06-09'`)
  expect((await last(ana)).map((message) => message?.beginning)).toEqual(['', 'A line', 'A line'])
})

test('a person whose process has another key sees friends and times without words, and a damaged message has none [LOOP-26 S44]', async () => {
  const { ana, ben, cem, write, last, db, config, clock } = await startFriends({
    config: { diaryKey: keys['a key'] },
  })
  await write(ben, ana, 'A secret')
  await write(cem, ana, 'Another secret')
  for (const diaryKey of ['b2'.repeat(32), undefined]) {
    const other = await atServerWithKey({ db, config, clock }, diaryKey, ana)
    const listed = await other.does(listFriends)
    expect(listed.map(({ id }) => id).slice(0, 2)).toEqual([cem.me.id, ben.me.id])
    expect(listed.map(({ lastMessage }) => lastMessage)).toEqual([null, null, null])
    expect(listed[0]!.lastMessageAt).not.toBeNull()
  }
  await db.execute(
    sql`update direct_messages set content = substring(content for 30) where sender_id = ${cem.me.id}`,
  )
  expect((await last(ana)).map((message) => message?.beginning)).toEqual([undefined, 'A secret', undefined])
})

test('for 1,000 friends one statement finds the last messages by index, however long the conversations are [LOOP-26 R16]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  await db.execute(sql`insert into users (id, username, first_name, created_at)
    select lpad(n::text, 10, '0'), 'n' || n, 'N', app_now() from generate_series(1, 1000) n`)
  await db.execute(sql`
    insert into friendships (id, low_id, high_id, created_at, low_shows_email, high_shows_email, last_message_at)
    select gen_random_uuid(), least(id collate "C", ${ana.me.id} collate "C"), greatest(id collate "C", ${ana.me.id} collate "C"),
      app_now(), true, true, app_now()
    from users where username like 'n%' and id <> ${ana.me.id}`)
  await db.execute(sql`
    insert into direct_messages (friendship_id, position, id, sender_id, content, created_at)
    select friendships.id, n, gen_random_uuid(), low_id, convert_to('line ' || n, 'UTF8'), app_now()
    from friendships, generate_series(1, 30) n`)
  await db.execute(sql`vacuum analyze direct_messages, friendships, users`)
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from users where username like 'n%' and id <> ${ana.me.id}`,
  )
  const query = lastMessagesQuery(
    ana.me.id,
    rows.map(({ id }) => id),
    null,
  )
  const plan = await planOf(db, query)
  expect(plan).not.toMatch(/Seq Scan on direct_messages|Sort.*position/)
  expect(plan).toContain('Index Scan Backward using direct_messages_friendship_id_position_pk')
  expect((await ana.does(listFriends)).map(({ lastMessage }) => lastMessage?.beginning)).toEqual(
    Array(1000).fill('line 30'),
  )
})
