import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  createRoom,
  listFeedRooms,
  listFinishedRooms,
  listOpenRooms,
  listRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { FeedRoom, ListedRoom } from '#contract/rooms/room.ts'
import { testClock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { aRoom, ofFreeRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { roomMembers, rooms } from './schema.ts'

let rows = 0
const roomId = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

/** Stores a room as `createRoom` does. */
async function addRoom(
  db: Db,
  { createdAt, members = [], ...more }: { createdAt: string; members?: string[] } & Partial<FeedRoom>,
) {
  const id = roomId(++rows)
  const { name = 'The long night', isPublic = true, duration = 30, createdBy = members[0] ?? null } = more
  const expiresAt = new Date(Date.parse(createdAt) + duration * 60_000).toISOString()
  const description = 'A story that nobody knows the end of'
  await db
    .insert(rooms)
    .values({ id, name, description, isPublic, duration, expiresAt, createdAt, createdByUserId: createdBy })
  for (const userId of members)
    await db.insert(roomMembers).values({ roomId: id, userId, joinedAt: createdAt })
  return id
}

test('everybody sees the rooms of today, newest first, each with its creator and members [API-12 RLIST-05 RLIST-12 SRCH-06]', async () => {
  const { visitor, guest, person, admin, db } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const early = await addRoom(db, {
    createdAt: '2025-06-10T06:00:00.000Z',
    name: 'Early',
    members: [ana.me.id],
  })
  const late = await addRoom(db, {
    createdAt: '2025-06-10T11:45:00.000Z',
    name: 'Late',
    isPublic: false,
    duration: 60,
    members: [ben.me.id, ana.me.id],
  })
  const list = await visitor().does(listFeedRooms)
  expect(list).toEqual([
    {
      id: late,
      name: 'Late',
      description: 'A story that nobody knows the end of',
      memberCount: 2,
      isActive: true,
      isPublic: false,
      duration: 60,
      expiresAt: '2025-06-10T12:45:00.000Z',
      createdAt: '2025-06-10T11:45:00.000Z',
      createdBy: ben.me.id,
      ...ofFreeRoom,
      isMember: false,
    },
    expect.objectContaining({
      id: early,
      name: 'Early',
      memberCount: 1,
      isActive: false,
      createdBy: ana.me.id,
    }),
  ])
  expect(list.map((room) => FeedRoom.safeParse(room).success)).toEqual([true, true])
  const memberships = async (reader: ReturnType<typeof visitor>) =>
    (await reader.does(listFeedRooms)).map(({ isMember }) => isMember)
  expect(await memberships(ana)).toEqual([true, true])
  expect(await memberships(ben)).toEqual([true, false])
  expect(await memberships(await guest())).toEqual([false, false])
  expect(await memberships(await admin())).toEqual([false, false])
})

test('a room ends by the clock of the server and stays in the list for its day [RLIST-12 RLIST-28]', async () => {
  const clock = testClock('2025-06-10T12:00:00Z')
  const { visitor, db } = await startTestApp({ clock })
  await addRoom(db, { createdAt: '2025-06-10T12:00:00.000Z', duration: 15 })
  const seen = async () => (await visitor().does(listFeedRooms)).map(({ isActive }) => isActive)
  expect(await seen()).toEqual([true])
  clock.set('2025-06-10T12:14:50Z')
  expect(await seen()).toEqual([true])
  clock.set('2025-06-10T12:15:00Z')
  expect(await seen()).toEqual([false])
  // Before and after midnight in Berlin. The server knows the time of the database to a few milliseconds.
  clock.set('2025-06-10T21:59:50Z')
  expect(await seen()).toEqual([false])
  clock.set('2025-06-10T22:00:01Z')
  expect(await seen()).toEqual([])
})

test('the list has the rooms of the day in the time zone of the application, also of a day of 23 hours [RLIST-12 FEED-14]', async () => {
  const { visitor, db } = await startTestApp({ clock: testClock('2025-03-30T12:00:00Z') })
  for (const [name, createdAt] of [
    ['the day before', '2025-03-29T22:59:59.999Z'],
    ['first', '2025-03-29T23:00:00.000Z'],
    ['last', '2025-03-30T21:59:59.999Z'],
    ['the day after', '2025-03-30T22:00:00.000Z'],
  ] as const)
    await addRoom(db, { name, createdAt })
  expect((await visitor().does(listFeedRooms)).map(({ name }) => name)).toEqual(['last', 'first'])
})

test('only the browser of the reader caches the list, and asks each time whether it changed [API-12 S38]', async () => {
  const { visitor, person, db, clock } = await startTestApp()
  const ana = await person()
  const createdAt = clock.now().toISOString()
  await addRoom(db, { createdAt, members: [ana.me.id] })
  const first = await ana.tries(listFeedRooms)
  expect(first.headers).toMatchObject({
    'cache-control': 'private, no-cache',
    etag: expect.stringMatching(/^W\//),
  })
  const etag = String(first.headers['etag'])
  const headers = { 'if-none-match': etag }
  expect((await ana.request({ url: '/api/zimmer-rooms', headers })).statusCode).toBe(304)
  // Another reader has another list.
  expect((await visitor().request({ url: '/api/zimmer-rooms', headers })).statusCode).toBe(200)
  clock.advance(31 * 60_000)
  const ended = await ana.request({ url: '/api/zimmer-rooms', headers })
  expect([ended.statusCode, ended.json()]).toMatchObject([200, [{ isActive: false }]])
})

test('many rooms are read page by page, each once [S30]', async () => {
  const { visitor, db } = await startTestApp()
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, expires_at, created_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Room ' || n, 'd', true, 30,
      at + interval '30 minutes', at
    from generate_series(1, 450) n, lateral (select timestamptz '2025-06-10 08:00Z' + n / 20 * interval '1 ms' as at) t`)
  const reader = visitor()
  for (const limit of [undefined, '150', '5000']) {
    const found: string[] = []
    let before: string | undefined
    do {
      const answer = await reader.tries(listFeedRooms, {
        query: { ...(limit && { limit }), ...(before && { before }) },
      })
      found.push(...(answer.body as FeedRoom[]).map(({ id }) => id))
      before = answer.headers['next-before'] as string | undefined
    } while (before !== undefined)
    expect(found).toEqual(Array.from({ length: 450 }, (_, i) => roomId(450 - i)))
  }
  const bad = await reader.tries(listFeedRooms, { query: { before: '2025-02-30T00:00:00.000Z_x' } })
  expect(bad).toMatchObject({ status: 400, code: 'InvalidInput' })
})

test('the list of rooms and the feed return the same rooms, each with its own name for the field of the creator [API-27 RLIST-04 RLIST-05 RLIST-07]', async () => {
  const { person, visitor, db } = await startTestApp()
  const ana = await person()
  const members = [ana.me.id]
  await addRoom(db, { createdAt: '2025-06-10T11:00:00.000Z', members })
  await addRoom(db, { createdAt: '2025-06-10T11:50:00.000Z', members, isPublic: false })
  await addRoom(db, { createdAt: '2025-06-09T11:50:00.000Z', members })
  for (const reader of [ana, visitor()]) {
    const answer = await reader.tries(listRooms)
    const list = answer.body as ListedRoom[]
    expect(list.map((room) => ListedRoom.safeParse(room).success)).toEqual([true, true])
    expect(list.map((room) => Object.keys(room).length)).toEqual([19, 19])
    const asFeed = list.map(({ createdByUserId, newestPassage: _newestPassage, ...room }) => ({
      ...room,
      createdBy: createdByUserId,
    }))
    expect(await reader.does(listFeedRooms)).toEqual(asFeed)
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^W\//),
    })
  }
})

test('a room of yesterday that has not ended is in the list of open rooms until its end, and not among the rooms of today [RLIST-57 RLIST-12]', async () => {
  // Berlin: ten to midnight.
  const clock = testClock('2025-06-10T21:50:00Z')
  const { person, visitor } = await startTestApp({ clock })
  const ana = await person()
  const names = async () => [
    (await visitor().does(listRooms)).map(({ name }) => name),
    (await visitor().does(listOpenRooms)).map(({ name }) => name),
  ]
  await ana.does(createRoom, { input: aRoom({ name: 'Short', duration: 15 }) })
  await ana.does(createRoom, { input: aRoom({ name: 'Long', duration: 60 }) })
  expect(await names()).toEqual([['Long', 'Short'], []])
  clock.set('2025-06-10T22:01:00Z')
  await ana.does(createRoom, { input: aRoom({ name: 'New', isPublic: false }) })
  expect(await names()).toEqual([['New'], ['Long', 'Short']])
  clock.set('2025-06-10T22:06:00Z')
  expect(await names()).toEqual([['New'], ['Long']])
  expect(await ana.does(listOpenRooms, { query: { limit: '1' } })).toMatchObject([
    { name: 'Long', isActive: true, isMember: true, createdByUserId: ana.me.id },
  ])
  clock.set('2025-06-10T22:51:00Z')
  expect(await names()).toEqual([['New'], []])
})

test('no list contains a passage of a private room [S41]', async () => {
  const { person, visitor, clock } = await startTestApp()
  const ana = await person()
  const { id } = await ana.does(createRoom, { input: aRoom({ isPublic: false }) })
  await ana.does(sendPassage, { params: { id }, input: { content: 'A whispered passage' } })
  clock.advance(1000)
  for (const list of [listRooms, listFeedRooms, listOpenRooms, listFinishedRooms])
    for (const reader of [visitor(), ana])
      expect(JSON.stringify((await reader.tries(list)).body)).not.toContain('whispered')
})

test('the list shows the beginning of the newest passage of a room, and none of a private room [S41 RLIST-15]', async () => {
  const { person, visitor } = await startTestApp()
  const ana = await person()
  const send = async (name: string, isPublic: boolean, contents: string[]) => {
    const { id } = await ana.does(createRoom, { input: aRoom({ name, isPublic }) })
    for (const content of contents) await ana.does(sendPassage, { params: { id }, input: { content } })
  }
  await send('Silent', true, [])
  await send('Open', true, ['The first.', `${'x'.repeat(200)} the newest`])
  await send('Closed', false, ['A secret.'])
  const newestFor = async (who: typeof ana) =>
    Object.fromEntries((await who.does(listRooms)).map(({ name, newestPassage }) => [name, newestPassage]))
  for (const who of [ana, visitor()])
    expect(await newestFor(who)).toEqual({ Silent: null, Open: 'x'.repeat(160), Closed: null })
})
