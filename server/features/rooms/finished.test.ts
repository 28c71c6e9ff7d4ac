import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  createRoom,
  joinRoom,
  listFinishedRooms,
  listPassages,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { FinishedRoom } from '#contract/rooms/room.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { planOf } from '#server/testing/plan.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { listFinishedRooms as finishedRooms, selectRoomsOfDay } from './queries.ts'

const minuteMs = 60_000
const shelfOf = async (
  who: Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['person']>>,
  q?: string,
) => (await who.does(listFinishedRooms, q === undefined ? {} : { query: { q } })).map(({ name }) => name)

test('a room that has ended is listed as a finished story, the latest end first [RLIST-28 S30]', async () => {
  const { person, visitor, clock } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const long = await ana.does(createRoom, { input: aRoom({ name: 'Long', duration: 60 }) })
  const short = await ana.does(createRoom, { input: aRoom({ name: 'Short', duration: 15 }) })
  await ben.does(joinRoom, { params: { id: short.id } })
  for (const [who, content] of [
    [ana, 'one'],
    [ben, 'two'],
    [ana, 'three'],
  ] as const)
    await who.does(sendPassage, { params: { id: short.id }, input: { content } })
  expect(await shelfOf(visitor())).toEqual([])
  clock.advance(16 * minuteMs)
  const [story, ...others] = await visitor().does(listFinishedRooms)
  expect(others).toEqual([])
  expect(FinishedRoom.safeParse(story).success).toBe(true)
  expect(story).toEqual({
    ...short,
    memberCount: 2,
    isActive: false,
    isMember: false,
    endedAt: short.expiresAt,
    lineCount: 3,
    contributorCount: 2,
  })
  clock.advance(60 * minuteMs)
  expect(await shelfOf(ben)).toEqual(['Long', 'Short'])
  expect((await ana.does(listFinishedRooms))[0]).toMatchObject({
    id: long.id,
    isMember: true,
    lineCount: 0,
    contributorCount: 0,
  })
})

test('only members see a private story in the list, and nobody else finds it by its words [RLIST-02 S41]', async () => {
  const { person, guest, visitor, admin, clock } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const secret = await ana.does(createRoom, { input: aRoom({ name: 'Among us', isPublic: false }) })
  await ana.does(sendPassage, { params: { id: secret.id }, input: { content: 'A whispered passage' } })
  await ben.does(createRoom, { input: aRoom({ name: 'For all' }) })
  clock.advance(31 * minuteMs)
  expect(await shelfOf(ana)).toEqual(['For all', 'Among us'])
  expect(await shelfOf(ana, 'among')).toEqual(['Among us'])
  for (const stranger of [visitor(), await guest(), ben, await admin()]) {
    expect(await shelfOf(stranger)).toEqual(['For all'])
    expect(await shelfOf(stranger, 'among')).toEqual([])
    expect(await shelfOf(stranger, 'whispered')).toEqual([])
  }
  expect((await ben.tries(listPassages, { params: { id: secret.id } })).status).toBe(403)
})

test.each([
  ['light', ['Lighthouse']],
  ['LIGHTH', ['Lighthouse']],
  ['house', []],
  ['tower light', ['Lighthouse']],
  ['light sea tow', ['Lighthouse']],
  ['light moon', []],
  ['jose', []],
  ['josé', ['José’s cup']],
  ['über', ['Über die Brücke']],
  ['BRÜ', ['Über die Brücke']],
  ["o'neill", ['O’Neill & 7 sons']],
  ['neill 7', ['O’Neill & 7 sons']],
  ['月', ['月の庭']],
  ["light') | ('x':*", []],
  ["' & ! | : * ( ) \\ <->", ['月の庭', 'O’Neill & 7 sons', 'Über die Brücke', 'José’s cup', 'Lighthouse']],
  ['', ['月の庭', 'O’Neill & 7 sons', 'Über die Brücke', 'José’s cup', 'Lighthouse']],
])('a search of finished stories for “%s” finds those with words that begin so [S32]', async (q, names) => {
  const { person, visitor, clock } = await startTestApp()
  const ana = await person()
  for (const [name, description] of [
    ['Lighthouse', 'A tower above the sea'],
    ['José’s cup', 'Still warm'],
    // In NFD a letter and its mark are two characters.
    ['Über die Brücke'.normalize('NFD'), 'Ein Weg'],
    ['O’Neill & 7 sons', 'All at once'],
    ['月の庭', '庭'],
  ] as const) {
    await ana.does(createRoom, { input: aRoom({ name, description, duration: 15 }) })
    clock.advance(1000)
  }
  clock.advance(16 * minuteMs)
  expect((await shelfOf(visitor(), q)).map((name) => name.normalize())).toEqual(names)
})

test('a search with more than 64 characters or a zero byte is refused [S31]', async () => {
  const { visitor } = await startTestApp()
  for (const q of ['a'.repeat(65), '\0'])
    expect(await visitor().tries(listFinishedRooms, { query: { q } })).toMatchObject({
      status: 400,
      code: 'InvalidInput',
    })
})

/** 12,000 stories, a twelfth of them private, with Ana as a member of some, and 200 rooms of today. */
async function fill(db: Db, anaId: string) {
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at, last_position, last_event)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Story ' || n, 'About word' || n % 500, n % 12 > 0, 30,
      ends - interval '30 minutes', ends, 4, 4
    from generate_series(1, 12000) n,
      lateral (select timestamptz '2025-06-09 12:00Z' - n / 20 * interval '10 minutes' as ends) t`)
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at)
    select ('00000000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, 'Open ' || n, 'd', true, 120,
      timestamptz '2025-06-10 11:00Z' + n * interval '1 second', timestamptz '2025-06-10 13:00Z' + n * interval '1 second'
    from generate_series(1, 200) n`)
  await db.execute(sql`
    insert into users (id, username, created_at) select 'm' || lpad(n::text, 9, '0'), 'm' || n, '2025-01-01' from generate_series(1, 60) n`)
  await db.execute(sql`
    insert into room_members (room_id, user_id, joined_at)
    select id, 'm' || lpad((1 + (right(id::text, 5)::int + n) % 60)::text, 9, '0'), created_at from rooms, generate_series(1, 5) n
    union all select id, ${anaId}, created_at from rooms where right(id::text, 5)::int % 24 = 0`)
  await db.execute(sql`
    insert into room_messages (room_id, position, id, user_id, content, created_at, event)
    select rooms.id, n, gen_random_uuid(), ${anaId}, 'A passage', created_at, n from rooms, generate_series(1, 4) n where expires_at < '2025-06-10'`)
  await db.execute(sql`analyze`)
}

test('among 12,000 stories the finished ones and the rooms of the day are read by index, page by page [S30]', async () => {
  const { person, visitor, db } = await startTestApp()
  const ana = await person()
  await fill(db, ana.me.id)
  const before = { createdAt: '2025-06-07T12:00:00.000Z', id: '00000000-0000-7000-8000-000000000001' }
  const day = { start: new Date('2025-06-09T22:00:00Z'), end: new Date('2025-06-10T22:00:00Z'), limit: 201 }
  const plans = await Promise.all([
    planOf(db, finishedRooms(db, ana.me.id, { words: [], limit: 25 })),
    planOf(db, finishedRooms(db, ana.me.id, { words: [], limit: 25, before })),
    planOf(db, finishedRooms(db, null, { words: [], limit: 1001 })),
    planOf(db, finishedRooms(db, null, { words: ['word77'], limit: 25 })),
    planOf(db, selectRoomsOfDay(db, ana.me.id, day)),
  ])
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on (?!suspensions|blocks)/)
  for (const plan of plans.slice(0, 3)) {
    expect(plan).toContain('rooms_public_by_end')
    expect(plan).toMatch(/rooms_public_by_end[^\n]*\n\s*Index Cond: [^\n]*expires_at <= app_now\(\)/)
  }
  for (const plan of plans.slice(0, 2)) expect(plan).toContain('rooms_of_member')
  expect(plans[3]).toContain('rooms_words')
  // Each count updates the row of its room. With `fastupdate` a list of pending words would slow down every search.
  const { rows: words } = await db.execute(sql`select reloptions from pg_class where relname = 'rooms_words'`)
  expect(words).toEqual([{ reloptions: ['fastupdate=off'] }])
  expect(plans[4]).toContain('rooms_by_creation')

  const found: FinishedRoom[] = []
  let next: string | undefined
  do {
    const answer = await ana.tries(listFinishedRooms, { query: { ...(next && { before: next }) } })
    found.push(...(answer.body as FinishedRoom[]))
    next = answer.headers['next-before'] as string | undefined
  } while (next !== undefined)
  expect(found).toHaveLength(11_500)
  expect(found.filter(({ isPublic }) => !isPublic)).toHaveLength(500)
  expect(found.every(({ isPublic, isMember }) => isPublic || isMember)).toBe(true)
  const cursors = found.map(({ endedAt, id }) => `${endedAt} ${id}`)
  expect(cursors).toEqual(cursors.toSorted().toReversed())
  expect(new Set(cursors).size).toBe(11_500)
  expect(found.every(({ lineCount, contributorCount }) => lineCount === 4 && contributorCount === 1)).toBe(
    true,
  )
  expect(await visitor().does(listFinishedRooms, { query: { limit: '24', q: 'WORD76' } })).toHaveLength(16)
})

test('only the browser of the reader caches the finished stories, and asks each time whether they changed [S38]', async () => {
  const { person, visitor, clock } = await startTestApp()
  await (await person()).does(createRoom, { input: aRoom() })
  const first = await visitor().tries(listFinishedRooms)
  expect(first.headers).toMatchObject({
    'cache-control': 'private, no-cache',
    etag: expect.stringMatching(/^W\//),
  })
  const ask = () =>
    visitor().request({
      url: '/api/zimmers/finished',
      headers: { 'if-none-match': String(first.headers['etag']) },
    })
  expect((await ask()).statusCode).toBe(304)
  clock.advance(31 * minuteMs)
  expect((await ask()).statusCode).toBe(200)
})
