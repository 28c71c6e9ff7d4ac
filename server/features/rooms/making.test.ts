import { expect, test } from 'vitest'
import { createRoom, getRoom, listRooms } from '#contract/rooms/endpoints.ts'
import { Room } from '#contract/rooms/room.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { aRoom, ofFreeRoom } from '#server/testing/rooms.ts'
import { roomMembers, rooms } from './schema.ts'

test('a person creates a room and is its first member, and everybody can find it [API-30 RLIST-01 RLIST-04 RLIST-56]', async () => {
  const { person, visitor, db } = await startTestApp()
  const ana = await person()
  const input = aRoom({ name: ' The ‘long’ night ', description: 'Two\r\nlines', duration: 120 })
  const answer = await ana.tries(createRoom, { input })
  expect(answer.status).toBe(201)
  const room = answer.body as Room
  expect(Room.safeParse(room).success).toBe(true)
  expect(room).toEqual({
    id: room.id,
    name: ' The ‘long’ night ',
    description: 'Two\nlines',
    memberCount: 1,
    isActive: true,
    isPublic: true,
    duration: 120,
    expiresAt: new Date(Date.parse(room.createdAt) + 120 * 60_000).toISOString(),
    createdAt: expect.stringMatching(/^2025-06-10T12:00:/),
    createdByUserId: ana.me.id,
    ...ofFreeRoom,
    isMember: true,
  })
  expect(await visitor().does(getRoom, { params: { id: room.id } })).toEqual({ ...room, isMember: false })
  expect(await db.select().from(roomMembers)).toEqual([
    {
      roomId: room.id,
      userId: ana.me.id,
      joinedAt: room.createdAt,
      event: 0,
      signsWithName: null,
      signingEvent: null,
      tableState: null,
      seat: null,
      missedTurns: 0,
      words: 0,
      waitsSince: 0,
      awaySince: null,
      secret: null,
      removedAt: null,
    },
  ])
})

test('people who may not read a private room see it in the list and at its address, without passages [RLIST-02 S41]', async () => {
  const { person, visitor } = await startTestApp()
  const ana = await person()
  const room = await ana.does(createRoom, { input: aRoom({ isPublic: false }) })
  const stranger = await person()
  const listed = { ...room, isMember: false }
  for (const reader of [visitor(), stranger]) {
    expect(await reader.does(listRooms)).toEqual([{ ...listed, newestPassage: null }])
    expect(await reader.does(getRoom, { params: { id: room.id } })).toEqual(listed)
  }
})

test('a room lasts 15, 30, 60 or 120 minutes, and any other duration is refused [RLIST-44 S42]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  for (const duration of [0, 1, 14, 16, 45, 121, -30, 30.5, '30', null, undefined]) {
    const answer = await ana.tries(createRoom, { input: { ...aRoom(), duration } })
    expect(answer).toMatchObject({
      status: 400,
      code: 'InvalidInput',
      fields: { duration: 'Please choose 15, 30, 60 or 120 minutes.' },
    })
  }
  expect(await db.$count(rooms)).toBe(0)
  for (const duration of [15, 30, 60, 120] as const) {
    const room = await ana.does(createRoom, { input: aRoom({ duration }) })
    expect([room.duration, Date.parse(room.expiresAt) - Date.parse(room.createdAt)]).toEqual([
      duration,
      duration * 60_000,
    ])
  }
})

test.each([
  ['a blank name', { name: ' \u200b\n' }, 'name'],
  ['a name of 101 characters', { name: 'ä'.repeat(101) }, 'name'],
  ['a blank description', { description: '\t' }, 'description'],
  ['a description of 501 characters', { description: '🌙'.repeat(501) }, 'description'],
  ['a text instead of true or false', { isPublic: 'true' }, 'isPublic'],
  ['friends who are not people', { invitedFriends: ['Ana'] }, 'invitedFriends'],
  [
    '51 friends',
    { isPublic: false, invitedFriends: Array.from({ length: 51 }, () => 'k7q2m4xp3d') },
    'invitedFriends',
  ],
])('a room with %s is refused and not stored [RLIST-50 S31 S42]', async (_what, more, field) => {
  const { person, db } = await startTestApp()
  const answer = await (await person()).tries(createRoom, { input: { ...aRoom(), ...more } })
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', fields: { [field]: expect.any(String) } })
  expect(await db.$count(rooms)).toBe(0)
})

test('a stranger cannot be invited to a private room, and a public room ignores invitations [RLIST-03 S42]', async () => {
  const { person, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  for (const invitedFriends of [[ben.me.id], [ana.me.id], ['0000000000', '0000000000']]) {
    const answer = await ana.tries(createRoom, { input: aRoom({ isPublic: false, invitedFriends }) })
    expect(answer).toMatchObject({ status: 400, code: 'NotYourFriend' })
  }
  expect(await db.$count(rooms)).toBe(0)
  const room = await ana.does(createRoom, { input: aRoom({ invitedFriends: [ben.me.id, '0000000000'] }) })
  expect(room.memberCount).toBe(1)
  expect((await db.select().from(roomMembers)).map(({ userId }) => userId)).toEqual([ana.me.id])
})

test('of 50 rooms that a person creates at once 20 are stored, and the person can create more after they have ended [S31 R6]', async () => {
  const { person, db, clock } = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben] = [await person(), await person()]
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ana.tries(createRoom, { input: aRoom({ duration: 15 }) })),
  )
  const refused = answers.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(30)
  for (const each of refused) expect(each).toMatchObject({ status: 403, code: 'TooManyRooms' })
  expect([await db.$count(rooms), await db.$count(roomMembers)]).toEqual([20, 20])
  expect((await ben.tries(createRoom, { input: aRoom() })).status).toBe(201)
  clock.advance(16 * 60_000)
  expect((await ana.tries(createRoom, { input: aRoom() })).status).toBe(201)
})

test('a person can create at most 50 rooms a day [S47]', async () => {
  const { person, db, clock } = await startTestApp()
  const ana = await person()
  for (let n = 0; n < 50; n++) {
    if (n % 20 === 0) clock.advance(121 * 60_000)
    await ana.does(createRoom, { input: aRoom() })
  }
  clock.advance(121 * 60_000)
  const answer = await ana.tries(createRoom, { input: aRoom() })
  expect(answer).toMatchObject({
    status: 429,
    code: 'TooManyRequests',
    headers: { 'retry-after': expect.any(String) },
  })
  expect(await db.$count(rooms)).toBe(50)
  expect((await (await person()).tries(createRoom, { input: aRoom() })).status).toBe(201)
  clock.advance(24 * 60 * 60_000)
  expect((await ana.tries(createRoom, { input: aRoom() })).status).toBe(201)
})

test('50 equal requests with one key create one room [R6 R7]', async () => {
  const { person, db } = await startTestApp()
  const ana = await person()
  const sent = { input: aRoom(), headers: { 'idempotency-key': 'one-room' } }
  const answers = await Promise.all(Array.from({ length: 50 }, () => ana.tries(createRoom, sent)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(answers.map(({ body }) => (body as Room).id)).size).toBe(1)
  expect([await db.$count(rooms), await db.$count(roomMembers)]).toEqual([1, 1])
})
