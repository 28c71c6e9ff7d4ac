import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { addFriend, blockPerson } from '#contract/friends/endpoints.ts'
import { acceptInvitation, createInvitation } from '#contract/invitations/endpoints.ts'
import {
  changeRoomMembership,
  createRoom,
  getRoom,
  getRoomMembership,
  joinRoom,
  listFinishedRooms,
  listOwnStories,
  listPassages,
  listRoomMembers,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { getTurn, hostTable, returnToTable, renewLease, takeSeat } from '#contract/rooms/table/endpoints.ts'
import { search } from '#contract/search/endpoints.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { answerWithoutChange } from '#server/testing/refusals.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { roomPassages } from '../schema.ts'

type Act = 'close' | 'reopen' | 'end' | 'remove'

/** A table with its creator Ana, and Ben and Cleo, who have joined. */
async function startHosted(more: Parameters<typeof aRoom>[0] = {}) {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben, cleo] = [await t.person(), await t.person(), await t.person()]
  for (const each of [ben, cleo]) await ana.does(addFriend, { input: { friendUserId: each.me.id } })
  const room = await ana.does(createRoom, { input: aRoom({ turns: 'round', ...more }) })
  const params = { id: room.id }
  if (room.isPublic) for (const each of [ben, cleo]) await each.does(joinRoom, { params })
  const host = (who: Client, act: Act, userId?: string) =>
    who.tries(hostTable, { params, input: { act, ...(userId !== undefined && { userId }) } })
  const send = (who: Client, turn: number) =>
    who.tries(sendPassage, { params, input: { content: 'A line', turn } })
  const turn = (who: Client = ana) => who.does(getTurn, { params })
  const refuses = (call: Parameters<typeof answerWithoutChange>[1]) => answerWithoutChange(t.db, call)
  return { ...t, ana, ben, cleo, room, params, host, send, turn, refuses }
}

test('the creator closes the table: nobody new joins, members go on, and it opens again [TURN-17]', async () => {
  const { ana, ben, host, send, params, person, refuses } = await startHosted()
  const dan = await person()
  expect(await host(ana, 'close')).toMatchObject({ status: 200, body: { isClosed: true, memberCount: 3 } })
  expect(await refuses(() => dan.tries(joinRoom, { params }))).toBe('403 RoomClosed')
  expect(await dan.does(getRoom, { params })).toMatchObject({ isClosed: true, isMember: false })
  expect((await ben.tries(joinRoom, { params })).status).toBe(200)
  expect((await send(ana, 1)).status).toBe(201)
  expect((await send(ben, 2)).status).toBe(201)
  expect(await host(ana, 'reopen')).toMatchObject({ status: 200, body: { isClosed: false } })
  expect(await dan.does(joinRoom, { params })).toMatchObject({ isMember: true, memberCount: 4 })
})

test('only the creator of an open room with turns is its host, and refusals change nothing [TURN-17]', async () => {
  const { ana, ben, cleo, host, params, refuses, person, admin, clock } = await startHosted()
  const others = [ben, await person(), await admin()]
  for (const who of others)
    for (const act of ['close', 'reopen', 'end', 'remove'] as const)
      expect(await refuses(() => host(who, act, cleo.me.id))).toBe('403 NotRoomCreator')
  const stranger = await person()
  for (const id of [ana.me.id, stranger.me.id, '0000000000', undefined])
    expect(await refuses(() => host(ana, 'remove', id))).toBe('403 NotRemovable')
  const free = await ana.does(createRoom, { input: aRoom() })
  const inFree = () => ana.tries(hostTable, { params: { id: free.id }, input: { act: 'close' } })
  expect(await refuses(inFree)).toBe('400 NoTurns')
  clock.advance(30 * 60_000)
  expect(await host(ana, 'close')).toMatchObject({ status: 403, code: 'RoomExpired' })
  expect(await host(ana, 'remove', ben.me.id)).toMatchObject({ status: 403, code: 'RoomExpired' })
  expect(await ben.does(getRoom, { params })).toMatchObject({ isMember: true, isClosed: false })
})

test('the creator removes a member: the seat goes, the turn passes on, the passages stay, and a second time changes nothing [TURN-17]', async () => {
  const { ana, ben, cleo, host, send, turn, params, refuses, admin } = await startHosted()
  await ben.does(changeRoomMembership, { params, input: { signsWithName: true } })
  await send(ana, 1)
  await send(ben, 2)
  await send(cleo, 3)
  await send(ana, 4)
  expect((await turn()).holderId).toBe(ben.me.id)
  expect(await host(ana, 'remove', ben.me.id)).toMatchObject({ status: 200, body: { memberCount: 2 } })
  const now = await turn()
  expect(now).toMatchObject({ number: 6, holderId: cleo.me.id })
  expect(now.seats.map(({ userId }) => userId)).toEqual([ana.me.id, cleo.me.id])
  expect(await refuses(() => host(ana, 'remove', ben.me.id))).toBe('200 undefined')
  const story = await ben.does(listPassages, { params })
  expect(story.map(({ userId }) => userId)).toEqual([ana, ben, cleo, ana].map(({ me }) => me.id))
  expect(story[1]!.authorName).toBe(`${ben.me.firstName} ${ben.me.lastName}`)
  const { members } = await (await admin()).does(listRoomMembers, { params })
  expect(members.map(({ id }) => id).toSorted()).toEqual([ana.me.id, cleo.me.id].toSorted())
})

test('a removed person and a person whom the creator blocked find the table closed, also after the creator reopens it [TURN-17]', async () => {
  const { ana, ben, host, send, params, person, refuses } = await startHosted()
  const dan = await person()
  await ana.does(blockPerson, { input: { userId: dan.me.id } })
  await host(ana, 'remove', ben.me.id)
  await host(ana, 'close')
  await host(ana, 'reopen')
  for (const who of [ben, dan]) {
    expect(await who.does(getRoom, { params })).toMatchObject({ isClosed: true, isMember: false })
    expect(await refuses(() => who.tries(joinRoom, { params }))).toBe('403 RoomClosed')
  }
  expect(await ana.does(getRoom, { params })).toMatchObject({ isClosed: false })
  const renew = () => ben.tries(renewLease, { params, input: { number: 1 } })
  for (const call of [
    renew,
    () => send(ben, 1),
    () => ben.tries(takeSeat, { params }),
    () => ben.tries(changeRoomMembership, { params, input: { signsWithName: true } }),
    () => ben.tries(returnToTable, { params }),
  ])
    expect(await refuses(call)).toBe('403 NotRoomMember')
})

test('a person whom the creator blocks after joining stays at the table until removed [TURN-17]', async () => {
  const { ana, ben, send, params } = await startHosted()
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  expect(await ben.does(getRoom, { params })).toMatchObject({ isClosed: false, isMember: true })
  await send(ana, 1)
  expect((await send(ben, 2)).status).toBe(201)
})

test('a person who is removed from a private room reads nothing of it in any list, stream or search, and cannot return by an invitation [TURN-17]', async () => {
  const t = await startHosted({ isPublic: false, name: 'Zephyr' })
  const { app, ana, ben, cleo, host, send, params, clock } = t
  for (const who of [ben, cleo]) {
    const { token } = await ana.does(createInvitation, { input: { roomId: params.id } })
    await who.does(acceptInvitation, { input: { token } })
    await who.does(takeSeat, { params })
  }
  const [removed, staying] = [
    await openStream(app, ben, { rooms: [params.id] }),
    await openStream(app, cleo, { rooms: [params.id] }),
  ]
  for (const reader of [removed, staying])
    await reader.receives('room.turn', ({ seats }) => seats.length === 3)
  const finds = async (who: Client) =>
    (await who.does(search, { query: { q: 'Zephyr' } })).rooms.found.map(({ id }) => id)
  expect(await finds(ben)).toEqual([params.id])
  await host(ana, 'remove', ben.me.id)
  await send(ana, 1)
  await staying.receives('room.message')
  await staying.receives('room.turn', ({ number }) => number === 2)
  expect(removed.all('room.message')).toEqual([])
  expect(removed.all('room.turn').every(({ number }) => number === 1)).toBe(true)
  for (const call of [
    () => ben.tries(listPassages, { params }),
    () => ben.tries(getTurn, { params }),
    () => ben.tries(joinRoom, { params }),
  ])
    expect(await call()).toMatchObject({ status: 403, code: 'PrivateRoom' })
  expect(await ben.does(getRoomMembership, { params })).toMatchObject({ isMember: false })
  expect(await finds(ben)).toEqual([])
  const { token } = await ana.does(createInvitation, { input: { roomId: params.id } })
  await ben.does(acceptInvitation, { input: { token } })
  expect(await ben.does(getRoom, { params })).toMatchObject({ isMember: false })
  clock.advance(31 * 60_000)
  for (const list of [listFinishedRooms, listOwnStories]) {
    expect((await ben.does(list, {})).map(({ id }) => id)).toEqual([])
    expect((await ana.does(list, {})).map(({ id }) => id)).toEqual([params.id])
  }
})

test('an invitation does not lead into a private room that the creator has closed [TURN-17]', async () => {
  const { ana, ben, cleo, host, params } = await startHosted({ isPublic: false })
  const accept = async (who: Client) => {
    const { token } = await ana.does(createInvitation, { input: { roomId: params.id } })
    await who.does(acceptInvitation, { input: { token } })
    return (await who.does(getRoom, { params })).isMember
  }
  await host(ana, 'close')
  expect(await accept(ben)).toBe(false)
  await host(ana, 'reopen')
  expect(await accept(cleo)).toBe(true)
})

test('the creator ends the room: everybody learns it at once, nobody writes any more, and the story is finished [TURN-17]', async () => {
  const { app, ana, ben, host, send, turn, params, refuses, visitor, room } = await startHosted({
    isFolded: true,
  })
  await send(ana, 1)
  const reader = await openStream(app, visitor(), { rooms: [params.id] })
  const ended = await host(ana, 'end')
  expect(ended).toMatchObject({ status: 200, body: { isActive: false } })
  await reader.receives('room.expired')
  const found = await visitor().does(getRoom, { params })
  expect([found.isActive, found.expiresAt < room.expiresAt]).toEqual([false, true])
  expect(await turn()).toMatchObject({ holderId: null, endsAt: null })
  expect(await refuses(() => send(ben, 2))).toBe('403 RoomExpired')
  expect(await refuses(() => host(ana, 'end'))).toBe('403 RoomExpired')
  expect((await visitor().does(listPassages, { params }))[0]).toMatchObject({
    content: 'A line',
    folded: false,
  })
  expect((await visitor().does(listFinishedRooms, {})).map(({ id }) => id)).toEqual([params.id])
})

test.each(['end', 'remove'] as const)(
  'when a passage and the act %s arrive at once, the passage is stored as a whole or refused [TURN-17]',
  async (act) => {
    const { ana, ben, host, send, turn, db, params } = await startHosted()
    await send(ana, 1)
    const [hosted, sent] = await Promise.all([host(ana, act, ben.me.id), send(ben, 2)])
    const isSent = sent.status === 201
    expect([hosted.status, sent.status]).toEqual([200, isSent ? 201 : 403])
    expect(await db.$count(roomPassages)).toBe(isSent ? 2 : 1)
    const { holderId, seats } = await turn()
    const isOpen = (await ana.does(getRoom, { params })).isActive
    const isSeated = seats.some(({ userId }) => userId === ben.me.id)
    expect([isOpen, isSeated, holderId === null]).toEqual(
      act === 'end' ? [false, true, true] : [true, false, false],
    )
  },
)

test('a person who takes a seat while being removed gets none [TURN-17]', async () => {
  const { ana, ben, cleo, host, turn, params, db } = await startHosted()
  const release = await holdLocks(db, sql`select 1 from rooms for no key update`)
  const removal = host(ana, 'remove', ben.me.id)
  await untilLockWaits(db, 1)
  const calls = [ben.tries(takeSeat, { params }), ben.tries(returnToTable, { params })]
  await untilLockWaits(db, 2)
  await release()
  expect((await removal).status).toBe(200)
  for (const { status, code } of await Promise.all(calls))
    expect([status, code]).toEqual([403, 'NotRoomMember'])
  expect((await turn()).seats.map(({ userId }) => userId)).toEqual([ana.me.id, cleo.me.id])
})

test('members who are removed while they join, write and delete their accounts get no failure [TURN-17]', async () => {
  const { ana, ben, cleo, host, turn, params, person, send } = await startHosted()
  const dan = await person()
  const answers = await Promise.all([
    host(ana, 'remove', ben.me.id),
    host(ana, 'remove', dan.me.id),
    host(ana, 'close'),
    dan.tries(joinRoom, { params }),
    ben.tries(deleteAccount),
    send(ana, 1),
    host(ana, 'remove', cleo.me.id),
  ])
  expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  const seated = (await turn()).seats.map(({ userId }) => userId)
  expect(seated).not.toContain(ben.me.id)
  expect(seated).not.toContain(cleo.me.id)
})

test('a creator makes at most 30 calls as the host a minute [TURN-17]', async () => {
  const { person } = await startTestApp()
  const ana = await person()
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
  const close = () => ana.tries(hostTable, { params: { id }, input: { act: 'close' } })
  for (let n = 0; n < 30; n++) expect((await close()).status).toBe(200)
  expect(await close()).toMatchObject({ status: 429, code: 'TooManyRequests' })
})
