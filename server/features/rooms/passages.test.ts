import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import {
  createRoom,
  joinRoom,
  listRoomMembers,
  listPassages,
  sendPassage,
  announceWriting,
} from '#contract/rooms/endpoints.ts'
import { RoomPassage, type SentPassage } from '#contract/rooms/room.ts'
import { aRoom, asRead } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { passageBytes, storyMaxBytes } from './policy.ts'
import { addMember } from './queries.ts'
import { roomPassages, rooms } from './schema.ts'

async function startWithRoom(more: Parameters<typeof aRoom>[0] = {}) {
  const t = await startTestApp()
  const [ana, ben] = [await t.person(), await t.person()]
  const { id } = await ana.does(createRoom, { input: aRoom(more) })
  await addMember(t.db, { roomId: id, userId: ben.me.id, signsWithName: null })
  const params = { id }
  const send = async (who: Client, content: string) =>
    asRead(await who.does(sendPassage, { params, input: { content } }))
  return { ...t, ana, ben, params, send, count: () => t.db.$count(roomPassages) }
}

test('members write one after another, and everybody reads the passages in this order [API-29 API-32 RVIEW-02 RVIEW-11 PERM-17]', async () => {
  const { ana, ben, visitor, guest, person, admin, params, send, db } = await startWithRoom()
  const answer = await ana.tries(sendPassage, { params, input: { content: '  Once,\r\n\tthere was\n' } })
  expect([answer.status, RoomPassage.safeParse(answer.body).success]).toEqual([201, true])
  const first = asRead(answer.body as SentPassage)
  expect(first).toEqual({
    id: first.id,
    content: '  Once,\n\tthere was\n',
    userId: ana.me.id,
    authorName: null,
    isErased: false,
    folded: false,
    words: null,
    roomId: params.id,
    createdAt: expect.stringMatching(/^2025-06-10T12:0/),
    position: 1,
  })
  const story = [first, await send(ben, 'a lamp'), await send(ana, 'that would not go out.')]
  expect(story.map(({ position, userId }) => [position, userId])).toEqual([
    [1, ana.me.id],
    [2, ben.me.id],
    [3, ana.me.id],
  ])
  for (const reader of [visitor(), await guest(), await person(), await admin(), ben])
    expect(await reader.does(listPassages, { params })).toEqual(story)
  expect(await db.select({ passage: rooms.lastPosition, event: rooms.lastEvent }).from(rooms)).toEqual([
    { passage: 3, event: 4 },
  ])
  const members = await (await admin()).does(listRoomMembers, { params })
  expect(members).toMatchObject({ messageCount: 3, contributorCount: 2 })
})

test('only members read a private room, and an admin who is no member sees only its numbers [PERM-18 RLIST-39 S41]', async () => {
  const { ben, visitor, guest, person, admin, params, send, count } = await startWithRoom({ isPublic: false })
  const passage = await send(ben, 'Only for us')
  const boss = await admin()
  expect(await ben.does(listPassages, { params })).toEqual([passage])
  for (const [who, status, code] of [
    [visitor(), 401, 'SignInRequired'],
    [await guest(), 403, 'PrivateRoom'],
    [await person(), 403, 'PrivateRoom'],
    [boss, 403, 'PrivateRoom'],
  ] as const) {
    const answer = await who.tries(listPassages, { params })
    expect(answer).toMatchObject({ status, code })
    expect(JSON.stringify(answer)).not.toContain('Only for us')
  }
  expect((await boss.does(listRoomMembers, { params })).messageCount).toBe(1)
  const refused = await boss.tries(sendPassage, { params, input: { content: 'hello' } })
  expect([refused.code, await count()]).toEqual(['NotRoomMember', 1])
})

test('a person who is no member cannot write in a room, public or private, and does not learn whether it is open [ERR-19 S41]', async () => {
  const { person, admin, clock, params, count } = await startWithRoom()
  const missing = { id: '00000000-0000-7000-8000-000000000001' }
  const strangers = [await person(), await admin()]
  for (const forwardMs of [0, 31 * 60_000]) {
    clock.advance(forwardMs)
    for (const stranger of strangers) {
      for (const [call, input] of [
        [sendPassage, { content: 'hi' }],
        [announceWriting, undefined],
      ] as const) {
        expect(await stranger.tries(call, { params, ...(input && { input }) })).toMatchObject({
          status: 403,
          code: 'NotRoomMember',
          error: 'You must be a member of this room to send messages.',
        })
        expect(await stranger.tries(call, { params: missing, ...(input && { input }) })).toMatchObject({
          status: 404,
          code: 'RoomNotFound',
        })
      }
    }
  }
  expect(await count()).toBe(0)
})

test('after the end nobody writes, and the story can still be read [RLIST-28 S42]', async () => {
  const { ana, clock, params, send, visitor, db } = await startWithRoom({ duration: 15 })
  const passage = await send(ana, 'In time')
  clock.set('2025-06-10T12:15:10Z')
  const before = await db.select().from(rooms)
  const late = await ana.tries(sendPassage, { params, input: { content: 'Too late' } })
  expect(late).toMatchObject({ status: 403, code: 'RoomExpired' })
  expect(await ana.tries(announceWriting, { params })).toMatchObject({ status: 403, code: 'RoomExpired' })
  expect(await db.select().from(rooms)).toEqual(before)
  for (const later of ['2025-06-10T12:15:20Z', '2025-06-12T12:00:00Z']) {
    clock.set(later)
    expect(await visitor().does(listPassages, { params })).toEqual([passage])
  }
})

test.each([
  ['blank', ' \n\u200b'],
  ['longer than 5,000 characters', 'é'.repeat(5001)],
  ['with a character that cannot be stored', 'a\0b'],
  ['no text', 5],
])('a passage that is %s is refused and not stored [RVIEW-13 S28 S31]', async (_what, content) => {
  const { ana, params, count } = await startWithRoom()
  const answer = await ana.tries(sendPassage, { params, input: { content } })
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', fields: { content: expect.any(String) } })
  expect(await count()).toBe(0)
  expect((await ana.does(sendPassage, { params, input: { content: 'é'.repeat(5000) } })).position).toBe(1)
})

test('a passage carries the name of its author only while the author chooses so [RVIEW-12 S5]', async () => {
  const { person, params, send, visitor } = await startWithRoom()
  const named = await person({ firstName: 'Zoë', lastName: 'Král' })
  const unnamed = await person({ firstName: undefined, lastName: undefined, username: 'quiet.one' })
  for (const who of [named, unnamed]) await who.does(joinRoom, { params })
  const names = async () =>
    (await visitor().does(listPassages, { params })).map((passage) => passage.authorName)
  expect((await send(named, 'one')).authorName).toBeNull()
  await send(unnamed, 'two')
  expect(await names()).toEqual([null, null])
  for (const who of [named, unnamed]) await who.does(changeSettings, { input: { showName: true } })
  expect(await names()).toEqual(['Zoë Král', `User ${unnamed.me.id}`])
  expect((await send(named, 'three')).authorName).toBe('Zoë Král')
  await named.does(changeSettings, { input: { showName: false } })
  expect(await names()).toEqual([null, `User ${unnamed.me.id}`, null])
  await unnamed.does(deleteAccount)
  expect(
    (await visitor().does(listPassages, { params })).map(({ userId, authorName }) => [userId, authorName]),
  ).toEqual([
    [named.me.id, null],
    [null, null],
    [named.me.id, null],
  ])
})

test('a long story is read page by page from its end, each page in the order of the passages [S30]', async () => {
  const { ana, params, db, visitor } = await startWithRoom()
  await db.insert(roomPassages).values(
    Array.from({ length: 1201 }, (_, n) => ({
      roomId: params.id,
      position: n + 1,
      id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
      userId: ana.me.id,
      content: `Line ${n + 1}`,
      createdAt: '2025-06-10T12:00:00.000Z',
      event: n + 1,
    })),
  )
  const read = (query: { limit?: string; before?: string }) =>
    visitor().tries(listPassages, { params, query })
  const positions = ({ body }: { body: unknown }) => (body as RoomPassage[]).map(({ position }) => position)
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)
  const newest = await read({})
  expect([positions(newest), newest.headers['next-before']]).toEqual([range(702, 1201), '702'])
  const second = await read({ before: '702', limit: '9999' })
  expect([positions(second), second.headers['next-before']]).toEqual([range(202, 701), '202'])
  const last = await read({ before: '202' })
  expect([positions(last), last.headers['next-before']]).toEqual([range(1, 201), undefined])
  expect(positions(await read({ before: '3', limit: '2' }))).toEqual([1, 2])
  for (const before of ['0', '-1', 'x', '1.5', '9'.repeat(20)])
    expect(await read({ before })).toMatchObject({ status: 400, code: 'InvalidInput' })
})

test('a story accepts passages until it has reached its maximum of bytes [S42 R16]', async () => {
  const { ana, ben, params, send, db } = await startWithRoom()
  await send(ana, 'ein Bär')
  const stateOf = () => db.select().from(rooms)
  const [room] = await stateOf()
  expect(room?.storyBytes).toBe(8 + passageBytes)
  await db.update(rooms).set({ storyBytes: storyMaxBytes - passageBytes - 4 })
  const before = await stateOf()
  const answer = await ben.tries(sendPassage, { params, input: { content: '熊熊' } })
  expect(answer).toMatchObject({ status: 403, code: 'StoryFull' })
  expect(await stateOf()).toEqual(before)
  expect(await send(ben, 'Ende')).toMatchObject({ position: 2 })
  expect((await ana.tries(sendPassage, { params, input: { content: '.' } })).code).toBe('StoryFull')
  expect(await ana.does(listPassages, { params })).toHaveLength(2)
})

test('a person can write at most 60 passages a minute [S47]', async () => {
  const { ana, ben, params, send, clock, count } = await startWithRoom()
  for (let n = 0; n < 60; n++) await send(ana, `Line ${n}`)
  const refused = await ana.tries(sendPassage, { params, input: { content: 'one more' } })
  expect(refused).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await count()).toBe(60)
  await send(ben, 'mine')
  clock.advance(60_000)
  expect((await send(ana, 'one more')).position).toBe(62)
})

test('a person can write at most 1 MiB in two hours, so that nobody fills a story alone [S47 R16]', async () => {
  const { ana, ben, params, send, clock, count } = await startWithRoom({ duration: 120 })
  const long = '🌊'.repeat(5000)
  for (let n = 0; n < 52; n++) await send(ana, long)
  const answer = await ana.tries(sendPassage, { params, input: { content: long } })
  expect(answer).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect(await count()).toBe(52)
  await send(ana, 'A word goes.')
  await send(ben, long)
  clock.advance(60_000)
  expect((await ana.tries(sendPassage, { params, input: { content: long } })).status).toBe(429)
})

test('a person can announce every 3 seconds that they are writing, and nothing is stored', async () => {
  const { ana, ben, params, db, clock } = await startWithRoom()
  const before = await db.select().from(rooms)
  const first = await ana.tries(announceWriting, { params, headers: { 'idempotency-key': 'a-key' } })
  const repeated = await ana.tries(announceWriting, { params, headers: { 'idempotency-key': 'a-key' } })
  for (const { status, body } of [first, repeated]) expect([status, body]).toEqual([204, undefined])
  expect(await ana.tries(announceWriting, { params })).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect((await ben.tries(announceWriting, { params })).status).toBe(204)
  clock.advance(3_000)
  expect((await ana.tries(announceWriting, { params })).status).toBe(204)
  expect(await db.select().from(rooms)).toEqual(before)
})
