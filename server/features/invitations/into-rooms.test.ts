import { expect, test } from 'vitest'
import { addFriend, listFriends } from '#contract/friends/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import {
  acceptInvitation,
  confirmAcceptance,
  createInvitation,
  getInvitation,
} from '#contract/invitations/endpoints.ts'
import { createRoom, deleteRoom, getRoom, joinRoom, listPassages } from '#contract/rooms/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

const look = (who: Client, token: string) => who.does(getInvitation, { input: { token } })
const follow = (who: Client, token: string) => who.does(acceptInvitation, { input: { token } })
const confirm = (who: Client, whom: Client) => who.does(confirmAcceptance, { input: { userId: whom.me.id } })
const linkInto = async (who: Client, roomId: string) =>
  (await who.does(createInvitation, { input: { roomId } })).token
const mayRead = async (who: Client, id: string) =>
  (await who.tries(listPassages, { params: { id } })).status === 200

/** Ana has made a private room and a link into it. */
async function startWithRoom() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const ana = await t.person({ firstName: 'Ana', lastName: 'Lima' })
  const ben = await t.person({ firstName: 'Ben', lastName: 'Ode' })
  const { id: roomId } = await ana.does(createRoom, { input: aRoom({ isPublic: false }) })
  return { ...t, ana, ben, roomId, token: await linkInto(ana, roomId) }
}

test('a link into a private room makes its follower a member once both have said yes, and shows nothing of the room before [LOOP-24 S57 S41]', async () => {
  const { ana, ben, roomId, token } = await startWithRoom()
  const unknown = { inviterName: 'Ana Lima', friendId: null, roomId: null }
  expect(await look(ben, token)).toMatchObject({ ...unknown, relation: 'none' })
  expect(await follow(ben, token)).toMatchObject({ ...unknown, relation: 'asked' })
  expect(await mayRead(ben, roomId)).toBe(false)
  expect(await confirm(ana, ben)).toMatchObject({ id: ben.me.id, roomId })
  expect(await look(ben, token)).toMatchObject({ relation: 'friend', friendId: ana.me.id, roomId })
  expect(await mayRead(ben, roomId)).toBe(true)
  const heard = await ben.does(listNotifications)
  expect(heard.map(({ type }) => type)).toContain('room.invited')
  // Who repeats the answer adds nobody twice.
  await confirm(ana, ben)
  expect(await ana.does(getRoom, { params: { id: roomId } })).toMatchObject({ memberCount: 2 })
})

test('a link into a public room leads a new friend to it, and the friend decides about joining [LOOP-24]', async () => {
  const { ana, ben } = await startWithRoom()
  const { id: roomId } = await ana.does(createRoom, { input: aRoom({ isPublic: true }) })
  const token = await linkInto(ana, roomId)
  // The room stands in the list of rooms, and the link leads to it at once.
  expect(await look(ben, token)).toMatchObject({ relation: 'none', friendId: null, roomId })
  expect(await follow(ben, token)).toMatchObject({ relation: 'asked', friendId: null, roomId })
  await confirm(ana, ben)
  expect(await look(ben, token)).toMatchObject({ relation: 'friend', roomId })
  expect(await ben.does(getRoom, { params: { id: roomId } })).toMatchObject({ isMember: false })
})

test('a friend who follows a link into a private room of the inviter becomes a member, once [LOOP-24]', async () => {
  const { ana, ben, roomId, token } = await startWithRoom()
  await ana.does(addFriend, { input: { friendUserId: ben.me.id } })
  expect(await look(ben, token)).toMatchObject({ relation: 'friend', roomId })
  expect(await mayRead(ben, roomId)).toBe(false)
  expect(await follow(ben, token)).toMatchObject({ relation: 'friend', roomId })
  await follow(ben, token)
  expect(await mayRead(ben, roomId)).toBe(true)
  const invited = (await ben.does(listNotifications)).filter(({ type }) => type === 'room.invited')
  expect(invited).toHaveLength(1)
  expect(await ana.does(getRoom, { params: { id: roomId } })).toMatchObject({ memberCount: 2 })
})

test('nobody makes a link into a private room of somebody else, an ended room or one that does not exist, and nothing is stored [LOOP-24 S6 S41]', async () => {
  const { db, clock, ana, ben, roomId } = await startWithRoom()
  const ended = await ana.does(createRoom, { input: aRoom({ isPublic: true, duration: 15 }) })
  const token = await linkInto(ana, roomId)
  await follow(ben, token)
  await confirm(ana, ben)
  clock.advance(16 * 60_000)
  const invitations = async () => (await contentOf(db))['invitations']
  const before = await invitations()
  const unknownId = '00000000-0000-7000-8000-000000000000'
  // Ben is a member of the private room, and did not make it.
  for (const [who, id] of [
    [ben, roomId],
    [ana, ended.id],
    [ana, unknownId],
  ] as const)
    expect(await who.tries(createInvitation, { input: { roomId: id } })).toMatchObject({
      status: 404,
      code: 'RoomNotFound',
    })
  expect(await invitations()).toEqual(before)
})

test('when the private room has ended or was deleted, both become friends and nobody becomes a member [LOOP-24]', async () => {
  const { admin, clock, ana, ben, person, token, roomId } = await startWithRoom()
  const cem = await person()
  await follow(ben, token)
  await follow(cem, token)
  clock.advance(31 * 60_000)
  await confirm(ana, ben)
  expect(await ana.does(listFriends)).toHaveLength(1)
  expect(await mayRead(ben, roomId)).toBe(false)
  expect(await look(ben, token)).toMatchObject({ relation: 'friend', roomId: null })
  await (await admin()).does(deleteRoom, { params: { id: roomId } })
  await confirm(ana, cem)
  expect(await ana.does(listFriends)).toHaveLength(2)
})

test('twenty answers and joins at once end with one membership each, and no answer fails [LOOP-24 R6]', async () => {
  const { ana, ben, person, token, roomId } = await startWithRoom()
  const others = await Promise.all(Array.from({ length: 5 }, () => person()))
  for (const who of [ben, ...others]) await follow(who, token)
  const answers = await Promise.all(
    [ben, ...others].flatMap((who) => [
      ana.tries(confirmAcceptance, { input: { userId: who.me.id } }),
      ana.tries(confirmAcceptance, { input: { userId: who.me.id } }),
      who.tries(joinRoom, { params: { id: roomId } }),
    ]),
  )
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  expect(await ana.does(getRoom, { params: { id: roomId } })).toMatchObject({ memberCount: 7 })
})
