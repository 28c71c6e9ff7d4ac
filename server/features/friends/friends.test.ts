import { type SQL, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import {
  addFriend,
  blockPerson,
  listFriends,
  removeFriend,
  searchPeople,
} from '#contract/friends/endpoints.ts'
import { friendsMax } from '#contract/friends/friend.ts'
import { countUnread, listMessages, sendMessage } from '#contract/messages/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { openStream, until } from '#server/testing/stream-client.ts'
import { type Answer, type Client, startTestApp } from '#server/testing/test-app.ts'

const add = (who: Client, friendUserId: string) => who.tries(addFriend, { input: { friendUserId } })

test('a person adds another: both sides see the friendship and can write, and repeated adds change nothing [MSG-03 MSG-11 MSG-12 S40 API-21 API-23 PERM-09]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person({ firstName: 'Ana', lastName: 'Lima' }), await person()]
  const first = await add(ana, ben.me.id)
  const { id, username, firstName, lastName } = ben.me
  expect(first.status).toBe(200)
  expect(first.body).toEqual({ id, username, firstName, lastName, email: null })
  const before = await contentOf(db)
  expect((await add(ana, ben.me.id)).body).toEqual(first.body)
  expect(await contentOf(db)).toEqual(before)
  const shown = {
    id: ana.me.id,
    username: 'analima',
    firstName: 'Ana',
    lastName: 'Lima',
    email: ana.me.email,
  }
  expect(await ben.does(listFriends)).toEqual([
    { ...shown, unreadCount: 0, lastMessageAt: null, lastMessage: null },
  ])
  for (const [one, other] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    expect(await one.does(listFriends)).toMatchObject([{ id: other.me.id }])
    const input = { messageType: 'text' as const, receiverId: other.me.id, content: 'Good evening' }
    expect(await one.tries(sendMessage, { input })).toMatchObject({ status: 201 })
  }
})

test('a friend sees the email address of the person who added them; the other address stays hidden until that person adds or writes [S40]', async () => {
  const { person } = await startTestApp()
  const [ana, ben, cem] = [await person(), await person(), await person()]
  const emailsOf = async (who: Client) =>
    new Map((await who.does(listFriends)).map((friend) => [friend.id, friend.email]))
  await add(ana, ben.me.id)
  await add(ana, cem.me.id)
  expect((await emailsOf(ben)).get(ana.me.id)).toBe(ana.me.email)
  expect((await emailsOf(ana)).get(ben.me.id)).toBeNull()
  await add(ben, ana.me.id)
  await cem.does(sendMessage, { input: { messageType: 'text', receiverId: ana.me.id, content: 'Hello' } })
  expect(await emailsOf(ana)).toEqual(
    new Map([
      [cem.me.id, cem.me.email],
      [ben.me.id, ben.me.email],
    ]),
  )
})

test('both people learn of a new friendship, and only the one who was added learns when: also when the other one confirms it later [NOTE-11]', async () => {
  const { app, clock, person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const [ofAna, ofBen] = [
    await openStream(app, ana, { inbox: ana.me.id }),
    await openStream(app, ben, { inbox: ben.me.id }),
  ]
  await add(ben, ana.me.id)
  await ofAna.receives('friend.added')
  await ofBen.receives('friend.added')
  clock.advance(60_000)
  await add(ana, ben.me.id)
  await until(() => ofAna.all('friend.added')[1] && ofBen.all('friend.added')[1])
  const [added, ofOwn] = ofAna.all('friend.added')
  const [ofOwnBefore, confirmed] = ofBen.all('friend.added')
  expect([ofOwnBefore, ofOwn]).toMatchObject([{ addedByFriendAt: null }, { addedByFriendAt: null }])
  const [addedAt, confirmedAt] = [added, confirmed].map((event) => Date.parse(event!.addedByFriendAt!))
  expect(confirmedAt! - addedAt!).toBeGreaterThanOrEqual(60_000)
})

test('a person removes a friend: the friendship and all its messages are gone on both sides, both devices are told, and nobody else is touched', async () => {
  const { app, person, db } = await startTestApp()
  const [ana, ben, cem] = [await person(), await person(), await person()]
  const write = (from: Client, to: Client) =>
    from.tries(sendMessage, {
      input: { messageType: 'text', receiverId: to.me.id, content: 'Good evening' },
    })
  for (const { me } of [ben, cem]) await add(ana, me.id)
  for (const friend of [ben, cem])
    for (const pair of [
      [ana, friend],
      [friend, ana],
    ] as const)
      await write(...pair)
  const streams = [
    await openStream(app, ana, { inbox: ana.me.id }),
    await openStream(app, ben, { inbox: ben.me.id }),
  ]
  expect(await ben.tries(removeFriend, { params: { userId: ana.me.id } })).toMatchObject({ status: 200 })
  const told = await Promise.all(streams.map((stream) => stream.receives('friend.removed')))
  expect(told).toEqual([{ friendUserId: ben.me.id }, { friendUserId: ana.me.id }])
  expect((await ana.does(listFriends)).map(({ id }) => id)).toEqual([cem.me.id])
  expect(await ana.does(countUnread)).toEqual({ unreadCount: 1 })
  expect(await ben.does(listFriends)).toEqual([])
  const { friendships, direct_messages: messages } = await contentOf(db)
  expect([friendships?.length, messages?.length]).toEqual([1, 2])
  expect(await write(ana, ben)).toMatchObject({ status: 404, code: 'FriendNotFound' })
})

test('two people who were friends add each other again: the address is hidden anew and the conversation is empty [S40]', async () => {
  const { person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  await add(ana, ben.me.id)
  await ben.does(sendMessage, {
    input: { messageType: 'text', receiverId: ana.me.id, content: 'Good evening' },
  })
  await ana.does(removeFriend, { params: { userId: ben.me.id } })
  expect(await add(ana, ben.me.id)).toMatchObject({ status: 200, body: { id: ben.me.id, email: null } })
  expect(await ana.does(listMessages, { params: { friendId: ben.me.id } })).toEqual([])
  expect(await ana.does(listFriends)).toMatchObject([{ unreadCount: 0, lastMessageAt: null }])
})

test('oneself, a guest and nobody cannot be added, and nothing is stored [MSG-12 S40]', async () => {
  const { person, guest, db } = await startTestApp()
  const ana = await person()
  const stranger = await guest()
  const before = await contentOf(db)
  for (const id of [ana.me.id, stranger.me.id, '0000000000'])
    expect(await add(ana, id)).toMatchObject({ status: 400, code: 'CannotBeFriend' })
  for (const id of ['', 'x', `${ana.me.id}x`, null])
    expect(await ana.tries(addFriend, { input: { friendUserId: id } })).toMatchObject({ status: 400 })
  expect(await contentOf(db)).toEqual(before)
})

test('two people who add each other 20 times at once are friends once [R5 R6]', async () => {
  const { person, db } = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben] = [await person(), await person()]
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? add(ana, ben.me.id) : add(ben, ana.me.id))),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array.from(answers, () => 200))
  const { rows } = await db.execute(sql`select low_shows_email, high_shows_email from friendships`)
  expect(rows).toEqual([{ low_shows_email: true, high_shows_email: true }])
})

test('a person has at most 1000 friends: nobody can add one more, on neither side [S30 S31]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  await db.execute(sql`
    insert into users (id, username, created_at)
    select 'zzzzz' || lpad(n::text, 5, '0'), 'many' || n, app_now() from generate_series(1, ${friendsMax}::int) n`)
  await db.execute(sql`
    insert into friendships (id, low_id, high_id, created_at, low_shows_email, high_shows_email)
    select ('00000000-0000-7000-8000-' || lpad(row_number() over ()::text, 12, '0'))::uuid, ${ana.me.id}, id, app_now(), true, false
    from users where username like 'many%'`)
  const before = await contentOf(db)
  for (const answer of [await add(ana, ben.me.id), await add(ben, ana.me.id)])
    expect(answer).toMatchObject({ status: 400, code: 'TooManyFriends' })
  expect(await contentOf(db)).toEqual(before)
})

test('a person who adds more than 20 friends in an hour is refused with 429, and nothing more is stored [S47]', async () => {
  const { person, db, clock } = await startTestApp()
  const [ana, ben, cem] = [await person(), await person(), await person()]
  for (let i = 0; i < 20; i++) expect((await add(ana, ben.me.id)).status).toBe(200)
  const before = await contentOf(db)
  expect(await add(ana, cem.me.id)).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect(await contentOf(db)).toEqual(before)
  clock.advance(3_600_000)
  expect((await add(ana, cem.me.id)).status).toBe(200)
})

test('a person who ends more than 60 friendships in an hour is refused with 429, and the friendship stays [S47]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  await add(ana, ben.me.id)
  const remove = (userId: string) => ana.tries(removeFriend, { params: { userId } })
  for (let i = 0; i < 60; i++) expect((await remove('0000000000')).status).toBe(404)
  const before = await contentOf(db)
  expect(await remove(ben.me.id)).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect(await contentOf(db)).toEqual(before)
})

test('the friend with the newest message comes first, and friends are read page by page [S30]', async () => {
  const { person, clock } = await startTestApp()
  const ana = await person()
  const friends = [await person(), await person(), await person(), await person()]
  for (const { me } of friends) await add(ana, me.id)
  for (const writer of [friends[2]!, friends[0]!]) {
    clock.advance(1000)
    await writer.does(sendMessage, { input: { messageType: 'text', receiverId: ana.me.id, content: 'Hi' } })
  }
  const whole = (await ana.does(listFriends)).map(({ id }) => id)
  expect(whole.slice(0, 2)).toEqual([friends[0]!.me.id, friends[2]!.me.id])
  expect(whole.toSorted()).toEqual(friends.map(({ me }) => me.id).toSorted())
  const read: string[] = []
  let before: string | undefined
  do {
    const page = await ana.tries(listFriends, { query: { limit: '1', ...(before && { before }) } })
    read.push(...(page.body as { id: string }[]).map(({ id }) => id))
    before = page.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(read).toEqual(whole)
})

test('only people with a username, and with a name or an email address, are listed [MSG-07 MSG-08 MSG-09]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben, cem, dia] = [await person(), await person(), await person(), await person()]
  for (const { me } of [ben, cem, dia]) await add(ana, me.id)
  await db.execute(sql`update users set username = null where id = ${ben.me.id}`)
  await db.execute(sql`update users set first_name = null, last_name = null where id = ${cem.me.id}`)
  await db.execute(sql`delete from emails where user_id = ${cem.me.id}`)
  expect((await ana.does(listFriends)).map(({ id }) => id)).toEqual([dia.me.id])
})

test('a person without a username is neither found nor added [MSG-08 S39 S40]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person({ firstName: 'Marlene' })]
  await db.execute(sql`update users set username = null where id = ${ben.me.id}`)
  const before = await contentOf(db)
  for (const q of ['marlene', ben.me.email!])
    expect(await ana.does(searchPeople, { query: { q } })).toEqual([])
  expect(await add(ana, ben.me.id)).toMatchObject({ status: 400, code: 'CannotBeFriend' })
  expect(await contentOf(db)).toEqual(before)
})

test('an account that is deleted leaves no friendship, block, message or event [S15]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben, cem] = [await person(), await person(), await person()]
  for (const [one, other] of [
    [ana, ben],
    [cem, ana],
    [ben, cem],
  ] as const) {
    await add(one, other.me.id)
    await one.does(sendMessage, {
      input: { messageType: 'text', receiverId: other.me.id, content: 'Private' },
    })
  }
  await db.execute(sql`
    insert into blocks values (${ana.me.id}, ${cem.me.id}, app_now()), (${cem.me.id}, ${ana.me.id}, app_now())`)
  await ana.does(deleteAccount)
  const content = await contentOf(db)
  const { audit_log: _kept, ...others } = content
  expect(JSON.stringify(others.inbox_events)).toContain(cem.me.id)
  for (const table of ['friendships', 'blocks', 'direct_messages', 'inboxes'])
    expect(JSON.stringify(others[table])).not.toContain(ana.me.id)
  expect(content.direct_messages).toHaveLength(1)
  expect((await ben.does(listFriends)).map(({ id }) => id)).toEqual([cem.me.id])
})

async function startInOrder() {
  const t = await startTestApp()
  const people = [await t.person(), await t.person(), await t.person()]
  const [ana, ben, cem] = people.toSorted((one, other) => (one.me.id < other.me.id ? -1 : 1))
  /** The people leave, one after the other, each until the deletion waits for another transaction. */
  const leaveWhileHeld = async (leaving: Client[], heldRow: SQL) => {
    const release = await holdLocks(t.db, sql`${heldRow} for update`)
    const answers: Promise<Answer>[] = []
    for (const who of leaving) {
      answers.push(who.tries(deleteAccount))
      await untilLockWaits(t.db, answers.length)
    }
    await release()
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  return { ...t, ana: ana!, ben: ben!, cem: cem!, leaveWhileHeld }
}

test('three friends delete their accounts at the same time [S15 R5 R6]', async () => {
  const { ana, ben, cem, leaveWhileHeld } = await startInOrder()
  await add(ana, ben.me.id)
  await add(ana, cem.me.id)
  await add(ben, cem.me.id)
  const ofAnaAndCem = sql`select 1 from friendships where low_id = ${ana.me.id} and high_id = ${cem.me.id}`
  expect(await leaveWhileHeld([cem, ana, ben], ofAnaAndCem)).toEqual([200, 200, 200])
})

test('two people who have blocked each other delete their accounts at the same time [S15 R5 R6]', async () => {
  const { ana, ben, leaveWhileHeld } = await startInOrder()
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  await ben.does(blockPerson, { input: { userId: ana.me.id } })
  const ofBen = sql`select 1 from blocks where blocker_id = ${ben.me.id}`
  expect(await leaveWhileHeld([ben, ana], ofBen)).toEqual([200, 200])
})
