import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  createRoom,
  joinRoom,
  listFeedRooms,
  listOpenRooms,
  listRooms,
  listSlowRooms,
  sendPassage,
} from '#contract/rooms/endpoints.ts'
import { SlowRoom } from '#contract/rooms/room.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { planOf } from '#server/testing/plan.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { selectSlowRooms } from './slow-list.ts'

const day = 24 * 60 * 60 * 1000
const aSlowTable = (name: string, more: Parameters<typeof aRoom>[0] = {}) =>
  aRoom({ name, turns: 'round', turnSeconds: 86_400, duration: 4320, ...more })

const names = async (who: Client, list: typeof listSlowRooms | typeof listRooms | typeof listOpenRooms) =>
  (await who.does(list)).map(({ name }) => name)

test('slow tables are listed apart until they end, newest first and in pages, also those of earlier days [TURN-21 RLIST-12]', async () => {
  const { person, visitor, clock } = await startTestApp()
  const ana = await person()
  await ana.does(createRoom, { input: aSlowTable('First') })
  await ana.does(createRoom, { input: aRoom({ name: 'Of minutes', turns: 'round' }) })
  await ana.does(createRoom, { input: aSlowTable('Second', { duration: 10_080 }) })
  const reader = visitor()
  expect(await names(reader, listSlowRooms)).toEqual(['Second', 'First'])
  expect(await names(reader, listRooms)).toEqual(['Of minutes'])
  expect((await reader.does(listFeedRooms)).map(({ name }) => name)).toContain('Second')
  const first = await reader.tries(listSlowRooms, { query: { limit: '1' } })
  const [newest] = first.body as SlowRoom[]
  expect(newest).toMatchObject({ name: 'Second' })
  const before = first.headers['next-before'] as string
  expect(
    (await reader.does(listSlowRooms, { query: { limit: '1', before } })).map(({ name }) => name),
  ).toEqual(['First'])
  clock.advance(day)
  expect(await names(reader, listSlowRooms)).toEqual(['Second', 'First'])
  expect([await names(reader, listRooms), await names(reader, listOpenRooms)]).toEqual([[], []])
  clock.advance(2 * day)
  expect(await names(reader, listSlowRooms)).toEqual(['Second'])
})

test('a private slow table is listed for its members alone, and a member alone reads whose turn it is [TURN-21 S41]', async () => {
  const { person, visitor } = await startTestApp()
  const [ana, ben] = [await person({ firstName: 'Ana', lastName: 'Lima' }), await person()]
  await ana.does(createRoom, { input: aSlowTable('Hidden', { isPublic: false }) })
  const { id } = await ana.does(createRoom, { input: aSlowTable('Shown') })
  for (const reader of [visitor(), ben]) {
    const listed = await reader.does(listSlowRooms)
    expect(listed).toMatchObject([{ id, turn: null }])
    expect(SlowRoom.safeParse(listed[0]).success).toBe(true)
  }
  const turn = { holderId: ana.me.id, holderName: null, endsAt: expect.stringMatching(/^2025-06-11T12:00:/) }
  expect(await ana.does(listSlowRooms)).toMatchObject([
    { name: 'Shown', turn },
    { name: 'Hidden', turn },
  ])
  await ben.does(joinRoom, { params: { id } })
  await ana.does(changeSettings, { input: { showName: true } })
  expect(await ben.does(listSlowRooms)).toMatchObject([{ id, turn: { ...turn, holderName: 'Ana Lima' } }])
})

test('the list has no text of a folded slow table, also for its author [TURN-15 TURN-21]', async () => {
  const { person, visitor } = await startTestApp()
  const ana = await person()
  const { id } = await ana.does(createRoom, { input: aSlowTable('Folded', { isFolded: true }) })
  await ana.does(sendPassage, { params: { id }, input: { content: 'A whispered line', turn: 1 } })
  for (const reader of [ana, visitor()])
    expect(await reader.does(listSlowRooms)).toMatchObject([{ id, newestPassage: null }])
})

test('slow tables among 10,000 rooms are found by their index [TURN-21]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at, turns, turn_seconds)
    select gen_random_uuid(), 'Z', '', true, 30, app_now() - n * interval '1 minute', app_now() + interval '20 days',
      case when n <= 100 then 'round' else 'free' end, case when n <= 100 then 86400 end
    from generate_series(1, 10000) n`)
  await db.execute(sql`analyze rooms`)
  expect(await planOf(db, selectSlowRooms(db, null, { limit: 20 }))).toContain('rooms_slow_by_creation')
})
