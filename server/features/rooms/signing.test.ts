import { expect, test } from 'vitest'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import {
  changeRoomMembership,
  createRoom,
  getRoomMembership,
  joinRoom,
  listPassages,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { getTurn } from '#contract/rooms/table/endpoints.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'

async function startWithRooms() {
  const t = await startTestApp()
  const ana = await t.person()
  const zoe = await t.person({ firstName: 'Zoë', lastName: 'Král' })
  const rooms = [
    await ana.does(createRoom, { input: aRoom() }),
    await ana.does(createRoom, { input: aRoom() }),
  ]
  const [one, two] = rooms.map(({ id }) => ({ id })) as [{ id: string }, { id: string }]
  const send = (who: Client, params: { id: string }) =>
    who.does(sendPassage, { params, input: { content: 'It rains.' } })
  const names = async (params: { id: string }) =>
    (await t.visitor().does(listPassages, { params })).map(({ authorName }) => authorName)
  return { ...t, ana, zoe, one, two, send, names }
}

test('a person signs one room with the name and another without, whatever the setting is, and passages, events and files agree [RVIEW-12]', async () => {
  const { app, ana, zoe, one, two, send, names, clock, request } = await startWithRooms()
  await zoe.does(joinRoom, { params: one, input: { signsWithName: true } })
  await zoe.does(changeSettings, { input: { showName: true } })
  await zoe.does(joinRoom, { params: two, input: { signsWithName: false } })
  const reader = await openStream(app, ana, { rooms: [one.id, two.id] })
  expect((await send(zoe, one)).authorName).toBe('Zoë Král')
  expect((await send(zoe, two)).authorName).toBeNull()
  expect([await names(one), await names(two)]).toEqual([['Zoë Král'], [null]])
  await reader.receives('room.message', ({ roomId }) => roomId === one.id)
  await reader.receives('room.message', ({ roomId }) => roomId === two.id)
  const received = reader.all('room.message').map(({ roomId, authorName }) => [roomId, authorName])
  expect(Object.fromEntries(received)).toEqual({ [one.id]: 'Zoë Král', [two.id]: null })
  clock.advance(31 * 60_000)
  const story = async ({ id }: { id: string }) =>
    (await request({ url: `/api/zimmers/${id}/story.txt` })).body
  expect(await story(one)).toContain('Zoë Král')
  expect(await story(two)).not.toContain('Král')
  expect(await story(two)).toContain(`User ${zoe.me.id}`)
})

test('a member changes the signature in a room, also of passages that are already written [RVIEW-12]', async () => {
  const { ana, zoe, person, one, send, names } = await startWithRooms()
  await zoe.does(joinRoom, { params: one })
  await send(zoe, one)
  const before = { isMember: true, signsWithName: false, hasChosenSignature: false }
  expect(await zoe.does(getRoomMembership, { params: one })).toEqual(before)
  const change = { params: one, input: { signsWithName: true } }
  expect(await zoe.does(changeRoomMembership, change)).toEqual({
    isMember: true,
    signsWithName: true,
    hasChosenSignature: true,
  })
  expect(await names(one)).toEqual(['Zoë Král'])
  // The choice of one member changes nothing for another.
  expect(await ana.does(getRoomMembership, { params: one })).toEqual(before)
  const stranger = await person()
  expect(await stranger.tries(changeRoomMembership, change)).toMatchObject({
    status: 403,
    code: 'NotRoomMember',
  })
  expect(await stranger.does(getRoomMembership, { params: one })).toEqual({
    isMember: false,
    signsWithName: false,
    hasChosenSignature: false,
  })
})

test('a member who joins again with another choice signs as chosen last, and without a choice as before [RVIEW-12]', async () => {
  const { zoe, one, send, names } = await startWithRooms()
  await zoe.does(joinRoom, { params: one, input: { signsWithName: true } })
  await send(zoe, one)
  await zoe.does(joinRoom, { params: one })
  expect(await names(one)).toEqual(['Zoë Král'])
  await zoe.does(joinRoom, { params: one, input: { signsWithName: false } })
  expect(await names(one)).toEqual([null])
})

test('a person who switches the name off in the settings is named in no room, and switching it on shows the name in none of these rooms [RVIEW-12]', async () => {
  const { zoe, one, two, send, names } = await startWithRooms()
  await zoe.does(joinRoom, { params: one, input: { signsWithName: true } })
  await zoe.does(joinRoom, { params: two, input: { signsWithName: false } })
  for (const room of [one, two]) await send(zoe, room)
  await zoe.does(changeSettings, { input: { presence: false } })
  expect(await names(one)).toEqual(['Zoë Král'])
  await zoe.does(changeSettings, { input: { showName: false } })
  expect([await names(one), await names(two)]).toEqual([[null], [null]])
  await zoe.does(changeSettings, { input: { showName: true } })
  expect([await names(one), await names(two)]).toEqual([[null], [null]])
})

test('each room knows whether a member has chosen the signature: at joining or later, and not by the setting [LOOP-25]', async () => {
  const { zoe, one, two } = await startWithRooms()
  const hasChosen = async (params: { id: string }) =>
    (await zoe.does(getRoomMembership, { params })).hasChosenSignature
  await zoe.does(joinRoom, { params: one, input: { signsWithName: false } })
  await zoe.does(joinRoom, { params: two })
  await zoe.does(changeSettings, { input: { showName: true } })
  expect([await hasChosen(one), await hasChosen(two)]).toEqual([true, false])
  await zoe.does(changeRoomMembership, { params: two, input: { signsWithName: true } })
  expect(await hasChosen(two)).toBe(true)
})

test('the creator of a table says how to sign when making it, for the own seat alone [TURN-02 LOOP-25]', async () => {
  const { person, visitor } = await startTestApp()
  const [zoe, ben] = [await person({ firstName: 'Zoë', lastName: 'Král' }), await person()]
  await ben.does(addFriend, { input: { friendUserId: zoe.me.id } })
  const membershipOf = async (who: Client, signed: { signsWithName?: boolean }) => {
    const input = aRoom({ turns: 'round', isPublic: false, invitedFriends: [ben.me.id], ...signed })
    const { id } = await zoe.does(createRoom, { input })
    const { signsWithName, hasChosenSignature } = await who.does(getRoomMembership, { params: { id } })
    return [signsWithName, hasChosenSignature]
  }
  expect(await membershipOf(zoe, { signsWithName: true })).toEqual([true, true])
  expect(await membershipOf(zoe, { signsWithName: false })).toEqual([false, true])
  expect(await membershipOf(zoe, {})).toEqual([false, false])
  expect(await membershipOf(ben, { signsWithName: true })).toEqual([false, false])
  const { id } = await zoe.does(createRoom, { input: aRoom({ turns: 'round', signsWithName: true }) })
  expect((await visitor().does(getTurn, { params: { id } })).seats[0]!.name).toBe('Zoë Král')
})
