import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { addFriend, blockPerson, removeFriend } from '#contract/friends/endpoints.ts'
import { listNotifications, markNotificationsSeen } from '#contract/inbox/endpoints.ts'
import { notificationDays, notificationsMax } from '#contract/inbox/notification.ts'
import {
  acceptInvitation,
  confirmAcceptance,
  createInvitation,
  declineAcceptance,
} from '#contract/invitations/endpoints.ts'
import { sendMessage } from '#contract/messages/endpoints.ts'
import { createRoom, deleteRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { planOf } from '#server/testing/plan.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { addInboxEvents, listUnseenNotifications, purgeNotifications } from './queries.ts'

async function start() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, boss] = [
    await t.person({ firstName: 'Ana' }),
    await t.person({ firstName: 'Ben' }),
    await t.admin(),
  ]
  const submit = async (content: string) =>
    (await ana.does(submitPost, { input: { content, authorName: 'Nightingale' } })).id
  const approve = (id: string) => boss.does(approvePost, { params: { id } })
  const befriend = (who: Client, whom: Client) => who.does(addFriend, { input: { friendUserId: whom.me.id } })
  const follow = async (who: Client, whom: Client) => {
    const { token } = await whom.does(createInvitation)
    await who.does(acceptInvitation, { input: { token } })
  }
  const invite = async (from: Client, to: Client) =>
    (await from.does(createRoom, { input: aRoom({ isPublic: false, invitedFriends: [to.me.id] }) })).id
  const say = (from: Client, to: Client) =>
    from.does(sendMessage, { input: { receiverId: to.me.id, messageType: 'text', content: 'A secret' } })
  return { ...t, ana, ben, boss, submit, approve, befriend, follow, invite, say }
}

const unseen = async (who: Client) => (await who.does(listNotifications)).map(({ type }) => type)
const idsOf = async (who: Client) => (await who.does(listNotifications)).map(({ id }) => id)
const see = (who: Client, ids: string[]) => who.tries(markNotificationsSeen, { input: { ids } })

test('a person who was away finds approvals, decisions, questions, invitations and new friends in the list until they are seen, newest first [LOOP-23]', async () => {
  const { ana, ben, boss, person, submit, approve, befriend, follow, invite } = await start()
  const id = await submit('The rain began at four.')
  await approve(id)
  const decide = (isVisible: boolean) =>
    boss.does(changePostVisibility, { params: { id }, input: { isVisible, reason: 'Names a neighbour.' } })
  await decide(false)
  await decide(true)
  await befriend(ben, ana)
  const cleo = await person({ firstName: 'Cleo' })
  await follow(cleo, ana)
  const roomId = await invite(ben, ana)
  const found = await ana.does(listNotifications)
  const beginning = 'The rain began at four.'
  expect(found).toMatchObject([
    { type: 'room.invited', data: { id: roomId, name: 'The long night' } },
    { type: 'invitation.accepted', data: { userId: cleo.me.id } },
    { type: 'friend.added', data: { id: ben.me.id, addedByFriendAt: expect.any(String) } },
    { type: 'post.shown', data: { id, beginning, status: 'published', count: 1 } },
    { type: 'post.hidden', data: { id, beginning, status: 'published', hasReason: true } },
    { type: 'post.approved', data: { id, beginning, count: 1 } },
  ])
  expect(JSON.stringify(found)).not.toContain('neighbour')
  expect(await see(ana, [found[1]!.id, found[5]!.id])).toMatchObject({ status: 200, body: { ok: true } })
  expect(await unseen(ana)).toEqual(['room.invited', 'friend.added', 'post.shown', 'post.hidden'])
  await see(ana, await idsOf(ana))
  expect(await unseen(ana)).toEqual([])
})

test('messages, passages and what a person has done are not in the list, and nobody else is notified [LOOP-23]', async () => {
  const { ana, ben, boss, person, submit, approve, befriend, follow, invite, say } = await start()
  await befriend(ana, ben)
  await follow(await person(), ben)
  await say(ben, ana)
  const roomId = await invite(ana, ben)
  await ben.does(sendPassage, { params: { id: roomId }, input: { content: 'It was late.' } })
  const { id } = await ben.does(createRoom, { input: aRoom() })
  await ana.does(joinRoom, { params: { id } })
  expect(await unseen(ana)).toEqual([])
  await approve(await submit('One'))
  expect([await unseen(ana), await unseen(boss)]).toEqual([['post.approved'], []])
  expect(await unseen(ben)).toEqual(['room.invited', 'invitation.accepted', 'friend.added'])
})

test('what no longer exists is not in the list: a hidden post, a deleted room, a friend who is gone or blocked, an answered question [LOOP-23 PPL-05 S57]', async () => {
  const { ana, ben, boss, person, submit, approve, befriend, follow, invite } = await start()
  const id = await submit('The rain began at four.')
  await approve(id)
  await befriend(ben, ana)
  const roomId = await invite(ben, ana)
  const [cleo, dan, eva] = [await person(), await person(), await person()]
  for (const each of [cleo, dan]) await befriend(each, ana)
  for (const each of [dan, eva]) await follow(each, ben)
  expect((await unseen(ana)).toSorted()).toEqual([
    'friend.added',
    'friend.added',
    'friend.added',
    'post.approved',
    'room.invited',
  ])
  await boss.does(changePostVisibility, { params: { id }, input: { isVisible: false } })
  await boss.does(deleteRoom, { params: { id: roomId } })
  await cleo.does(removeFriend, { params: { userId: ana.me.id } })
  await ana.does(blockPerson, { input: { userId: dan.me.id } })
  expect(await unseen(ana)).toEqual(['post.hidden', 'friend.added'])
  await ben.does(confirmAcceptance, { input: { userId: dan.me.id } })
  await ben.does(declineAcceptance, { params: { userId: eva.me.id } })
  expect(await unseen(ben)).toEqual([])
})

test('what one device has seen is announced to all devices of the person once; repeated, unknown and foreign ids change nothing [LOOP-23 S1 R6 R9]', async () => {
  const { app, db, ana, ben, submit, approve, befriend } = await start()
  await approve(await submit('One'))
  await befriend(ana, ben)
  const devices = [
    await openStream(app, ana, { inbox: ana.me.id }),
    await openStream(app, ana, { inbox: ana.me.id }),
  ]
  const ids = await idsOf(ana)
  expect(await see(ana, ids)).toMatchObject({ status: 200 })
  for (const device of devices) expect(await device.receives('notifications.seen')).toEqual({})
  const before = await contentOf(db)
  expect(await see(ana, [...ids, '999999999'])).toMatchObject({ status: 200, body: { ok: true } })
  // The same number names an event of Ben's inbox, which only Ben can mark.
  expect(await unseen(ben)).toEqual(['friend.added'])
  for (const bad of [[], ['0'], ['1.5'], ['a'], Array.from({ length: 101 }, (_, i) => String(i + 1))])
    expect(await see(ana, bad)).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(await contentOf(db)).toEqual(before)
  await approve(await submit('Two'))
  for (const device of devices) {
    await device.receives('post.approved', ({ beginning }) => beginning === 'Two')
    expect(device.all('notifications.seen')).toHaveLength(1)
  }
})

test('50 devices that see the same at once announce it once, and an approval of the same moment stays unseen [LOOP-23 R5 R6]', async () => {
  const { db, ana, submit, approve } = await start()
  const [first, second] = [await submit('One'), await submit('Two')]
  await approve(first)
  const ids = await idsOf(ana)
  const answers = await Promise.all([
    ...Array.from({ length: 25 }, () => see(ana, ids)),
    approve(second),
    ...Array.from({ length: 25 }, () => see(ana, ids)),
  ])
  expect(answers.filter((answer) => 'publishedAt' in answer || answer.status === 200)).toHaveLength(51)
  const { rows } = await db.execute(
    sql`select count(*)::int as count from inbox_events where name = 'notifications.seen'`,
  )
  expect(rows).toEqual([{ count: 1 }])
  expect(await ana.does(listNotifications)).toMatchObject([{ type: 'post.approved', data: { id: second } }])
})

test('50 friends, ten at once, are 50 notifications, and a person keeps the newest 100, in pages [LOOP-23 S30 S31]', async () => {
  const { db, ana, person, befriend, submit } = await start()
  const id = await submit('One')
  const addEvents = async (count: number) => {
    for (let i = 0; i < count; i++)
      await addInboxEvents(db, 'post.shown', [
        {
          personId: ana.me.id,
          otherPersonId: null,
          details: { postId: id, count: '1', status: 'pending', decidedAt: '2025-06-10T12:00:00.000Z' },
        },
      ])
  }
  await addEvents(notificationsMax - 49)
  const friends = await Promise.all(Array.from({ length: 50 }, () => person()))
  while (friends.length > 0) await Promise.all(friends.splice(-10).map((each) => befriend(each, ana)))
  const types = await unseen(ana)
  expect(types).toHaveLength(notificationsMax)
  expect(types.filter((type) => type === 'friend.added')).toHaveLength(50)
  const all = await idsOf(ana)
  expect(all.at(-1)).toBe('2')
  const paged: string[] = []
  for (let before: string | undefined; paged.length < all.length;) {
    const { body, headers } = await ana.tries(listNotifications, {
      query: { limit: '30', ...(before !== undefined && { before }) },
    })
    paged.push(...(body as { id: string }[]).map((each) => each.id))
    before = headers['next-before'] as string | undefined
  }
  expect(paged).toEqual(all)
})

/** Moves the counter of a person on, as so many other events do. */
const countOn = (who: Client, count: number) =>
  sql`update inboxes set last_event = last_event + ${count} where user_id = ${who.me.id}`

test('a notification outlives the thousand events of the stream until it is seen, and is gone then [LOOP-23 R9]', async () => {
  const { db, ana, ben, submit, approve, befriend, say } = await start()
  await approve(await submit('One'))
  await befriend(ana, ben)
  const stored = async () => {
    const { rows } = await db.execute<{ name: string }>(
      sql`select name from inbox_events where user_id = ${ana.me.id} order by number`,
    )
    return rows.map(({ name }) => name)
  }
  await db.execute(countOn(ana, 998))
  // These events are a thousand after the approval and after the friendship.
  await say(ben, ana)
  await say(ben, ana)
  expect(await stored()).toEqual(['post.approved', 'message', 'message'])
  expect(await unseen(ana)).toEqual(['post.approved'])
  await see(ana, await idsOf(ana))
  expect(await stored()).toEqual(['message', 'message', 'notifications.seen'])
})

test('what nobody has seen for 90 days is deleted, and newer notifications stay [LOOP-23 S31]', async () => {
  const { db, clock, ana, submit, approve } = await start()
  await approve(await submit('One'))
  const day = 24 * 60 * 60_000
  clock.advance(day)
  await db.execute(sql`update sessions set expires_at = expires_at + interval '1 year'`)
  const later = await submit('Two')
  await addInboxEvents(db, 'post.shown', [
    {
      personId: ana.me.id,
      otherPersonId: null,
      details: { postId: later, count: '1', status: 'pending', decidedAt: clock.now().toISOString() },
    },
  ])
  clock.advance((notificationDays - 1) * day + 1000)
  await purgeNotifications(db)
  const { inbox_events: left } = await contentOf(db)
  expect(left!.filter((row) => row.includes(ana.me.id))).toEqual([expect.stringContaining('post.shown')])
})

test('among 20,000 people the list of one is read by index [LOOP-23 R16]', async () => {
  const { db, ana } = await start()
  await db.execute(sql`insert into users (id, username, created_at)
    select lpad(n::text, 10, '0'), 'n' || n, app_now() from generate_series(1, 20000) n`)
  await db.execute(sql`insert into inboxes (user_id, last_event)
    select lpad(n::text, 10, '0'), 1 from generate_series(1, 20000) n`)
  await db.execute(sql`insert into inbox_events (user_id, number, name, ids, unseen_since)
    select lpad(n::text, 10, '0'), 1, 'room.invited', '{}', case when n % 10 = 0 then app_now() end
    from generate_series(1, 20000) n`)
  await db.execute(sql`vacuum analyze inbox_events`)
  const query = listUnseenNotifications(db, ana.me.id, { limit: 101, before: undefined })
  expect(await planOf(db, query)).toContain('inbox_events_unseen')
})
