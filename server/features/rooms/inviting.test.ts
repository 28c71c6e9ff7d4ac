import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { addFriend, blockPerson, unblockPerson } from '#contract/friends/endpoints.ts'
import {
  createRoom,
  deleteRoom,
  getRoom,
  joinRoom,
  listPassages,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { roomMembers } from './schema.ts'

/** Ana with the friends Ben and Cem, and Dan, whom she does not know. */
async function startFriends() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, cem, dan] = [await t.person(), await t.person(), await t.person(), await t.person()]
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  await cem.does(addFriend, { input: { friendUserId: ana.me.id } })
  const open = (who: Client, after?: string) =>
    openStream(t.app, who, { inbox: who.me.id, ...(after !== undefined && { after }) })
  return { ...t, ana, ben, cem, dan, open }
}

const inviting = (...people: Client[]) => ({
  input: aRoom({ isPublic: false, invitedFriends: people.map(({ me }) => me.id) }),
})

test('invited friends are members of a private room from the start, and a stranger is not [RLIST-52 RLIST-56 S41 S42]', async () => {
  const { db, ana, ben, cem, dan } = await startFriends()
  const room = await ana.does(createRoom, inviting(ben, cem, ben))
  expect([room.memberCount, room.isMember]).toEqual([3, true])
  const { roomId, userId, joinedAt, event, signingEvent, signsWithName } = roomMembers
  const fields = { roomId, userId, joinedAt, event, signingEvent, signsWithName }
  expect((await db.select(fields).from(roomMembers)).toSorted(byPerson)).toEqual(
    [ana, ben, cem]
      .map(({ me }) => ({
        roomId: room.id,
        userId: me.id,
        joinedAt: room.createdAt,
        event: 0,
        signingEvent: null,
        signsWithName: null,
      }))
      .toSorted(byPerson),
  )
  const params = { roomId: room.id, id: room.id }
  await ben.does(sendPassage, { params, input: { content: 'It was late.' } })
  expect(await cem.does(listPassages, { params })).toMatchObject([{ content: 'It was late.' }])
  expect(await ben.does(listRooms)).toMatchObject([{ id: room.id, isMember: true }])
  const before = await contentOf(db)
  const written = await dan.tries(sendPassage, { params, input: { content: 'Me too.' } })
  expect(written).toMatchObject({ status: 403, code: 'NotRoomMember' })
  expect(await dan.tries(listPassages, { params })).toMatchObject({ status: 403, code: 'PrivateRoom' })
  expect(await dan.tries(joinRoom, { params })).toMatchObject({ status: 403, code: 'PrivateRoom' })
  expect(await contentOf(db)).toEqual(before)
})

const byPerson = (one: { userId: string }, other: { userId: string }) => (one.userId < other.userId ? -1 : 1)

test('an invited friend who joins again stays a member, and nothing changes [RLIST-56]', async () => {
  const { db, ana, ben } = await startFriends()
  const room = await ana.does(createRoom, inviting(ben))
  const before = await contentOf(db)
  expect(await ben.does(joinRoom, { params: { id: room.id } })).toEqual(room)
  expect(await contentOf(db)).toEqual(before)
})

test('a room with one stranger among the invited friends is refused, and nothing is stored [S42 RLIST-52]', async () => {
  const { db, guest, ana, ben, dan } = await startFriends()
  const stranger = await guest()
  const before = await contentOf(db)
  for (const other of [dan, ana, stranger, { me: { id: '0000000000' } } as Client])
    expect(await ana.tries(createRoom, inviting(ben, other))).toMatchObject({
      status: 400,
      code: 'NotYourFriend',
    })
  expect(await contentOf(db)).toEqual(before)
})

test('a friend whom either side has blocked cannot be invited, until the block is removed [PPL-04 PPL-05 S42]', async () => {
  const { db, ana, ben, cem } = await startFriends()
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  await cem.does(blockPerson, { input: { userId: ana.me.id } })
  const before = await contentOf(db)
  for (const friend of [ben, cem])
    expect(await ana.tries(createRoom, inviting(friend))).toMatchObject({ code: 'NotYourFriend' })
  expect(await contentOf(db)).toEqual(before)
  await ana.does(unblockPerson, { params: { userId: ben.me.id } })
  expect((await ana.does(createRoom, inviting(ben))).memberCount).toBe(2)
})

test('each invited friend receives the room on every device, also on one that was away; nobody else receives it [RLIST-52 R9]', async () => {
  const { ana, ben, cem, open } = await startFriends()
  const away = await open(ben)
  await ana.does(createRoom, inviting(ben))
  await away.receives('room.invited')
  const { lastId } = away
  away.close()
  const [devices, creator, other] = [[await open(ben), await open(ben)], await open(ana), await open(cem)]
  const room = await ana.does(createRoom, inviting(ben))
  devices.push(await open(ben, lastId))
  for (const device of devices) {
    await device.receives('room.invited')
    expect(device.all('room.invited')).toEqual([room])
  }
  await cem.does(createRoom, inviting(ana))
  await creator.receives('room.invited')
  expect(creator.all('room.invited')).toHaveLength(1)
  expect(other.all('room.invited')).toEqual([])
})

test('a device that was away hears nothing of a room that is deleted since [R9]', async () => {
  const { admin, ana, ben, cem, open } = await startFriends()
  const away = await open(ben)
  await ana.does(createRoom, inviting(ben))
  await away.receives('room.invited')
  const { lastId } = away
  away.close()
  const [gone, kept] = [
    await ana.does(createRoom, inviting(ben)),
    await ana.does(createRoom, inviting(ben, cem)),
  ]
  await (await admin()).does(deleteRoom, { params: { id: gone.id } })
  const again = await open(ben, lastId)
  await again.receives('room.invited')
  expect(again.all('room.invited')).toEqual([kept])
})

test('an invitation to a public room is ignored: nobody becomes a member or receives an event [RLIST-51 S42]', async () => {
  const { db, ana, ben } = await startFriends()
  const count = async () => (await db.execute(`select 1 from inbox_events`)).rowCount
  const before = await count()
  const room = await ana.does(createRoom, { input: aRoom({ invitedFriends: [ben.me.id] }) })
  expect(await ben.does(getRoom, { params: { id: room.id } })).toMatchObject({
    memberCount: 1,
    isMember: false,
  })
  expect(await count()).toBe(before)
})

test('friends who invite each other at once, while one blocks and one leaves, are all answered, and a deleted account is in no room [S42 S15]', async () => {
  const { db, ana, ben, cem } = await startFriends()
  await ben.does(addFriend, { input: { friendUserId: cem.me.id } })
  const rounds = Array.from({ length: 6 }, () => [
    ana.tries(createRoom, inviting(ben, cem)),
    ben.tries(createRoom, inviting(cem, ana)),
    cem.tries(createRoom, inviting(ana, ben)),
  ])
  const [answers, blocked, left] = await Promise.all([
    Promise.all(rounds.flat()),
    ana.tries(blockPerson, { input: { userId: ben.me.id } }),
    cem.tries(deleteAccount),
  ])
  expect([blocked.status, left.status]).toEqual([201, 200])
  const refusals = answers.filter(({ status }) => status !== 201).map(({ code }) => code)
  expect(['NotYourFriend', 'SignInRequired']).toEqual(expect.arrayContaining([...new Set(refusals)]))
  const members = Map.groupBy(await db.select().from(roomMembers), ({ roomId }) => roomId)
  const remaining = [ana.me.id, ben.me.id].toSorted()
  expect([...members.values()].map((group) => group.map(({ userId }) => userId).toSorted())).toEqual(
    answers.filter(({ status }) => status === 201).map(() => remaining),
  )
})
