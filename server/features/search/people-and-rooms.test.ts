import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount } from '#contract/account/endpoints.ts'
import type { TokenScope } from '#contract/account/tokens/scopes.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { blockPerson, unblockPerson } from '#contract/friends/endpoints.ts'
import { createRoom, deleteRoom } from '#contract/rooms/endpoints.ts'
import { addMissingRoomWords } from '#server/features/rooms/index.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client } from '#server/testing/test-app.ts'
import { startLibrary } from '#server/testing/library.ts'
import { newToken, programWith } from '#server/testing/programs.ts'

const minuteMs = 60_000

test('two people of whom one has blocked the other find neither page nor signed posts of each other, but posts under pen names [LOOP-15]', async () => {
  const { ana, ben, publish, find, lines } = await startLibrary()
  await publish('A signed marigold')
  await publish('A secret marigold', 'Night Owl')
  const seenBy = async (who?: Client) => [
    (await lines('marigold', {}, who)).toSorted(),
    (await find('Ana', {}, who)).people.found.length,
  ]
  const all = [['A secret marigold', 'A signed marigold'], 1]
  expect(await seenBy(ben)).toEqual(all)
  await ben.does(blockPerson, { input: { userId: ana.me.id } })
  expect(await seenBy(ben)).toEqual([['A secret marigold'], 0])
  expect(await seenBy()).toEqual(all)
  await ben.does(unblockPerson, { params: { userId: ana.me.id } })
  await ana.does(blockPerson, { input: { userId: ben.me.id } })
  expect(await seenBy(ben)).toEqual([['A secret marigold'], 0])
})

test('a reader finds a person by the beginning of a name while the page is on, and never by username or email address [LOOP-13 LOOP-15]', async () => {
  const { ana, publish, find } = await startLibrary()
  const people = async (q: string) => (await find(q)).people.found
  expect(await people('Ana')).toEqual([])
  await publish('A poem')
  expect(await people('an')).toEqual([
    { id: ana.me.id, name: { text: 'Ana Lima', marks: [{ from: 0, to: 3 }] }, introduction: '' },
  ])
  expect(await people('ána lim')).toHaveLength(1)
  expect(await people('lima')).toHaveLength(1)
  for (const q of [ana.me.username!, ana.me.email!, 'example.org'])
    expect([q, await people(q)]).toEqual([q, []])
  await ana.does(changeSettings, { input: { hasPage: false } })
  expect(await people('Ana')).toEqual([])
})

test('a name of a deleted account is found no more, and neither is its name as an author [LOOP-15]', async () => {
  const { ana, publish, find, lines, db } = await startLibrary()
  await publish('A last marigold')
  expect(await lines('marigold', { author: 'Ana Lima' })).toHaveLength(1)
  await ana.does(deleteAccount)
  expect((await find('Ana')).people.found).toEqual([])
  expect(await lines('marigold', { author: 'Ana Lima' })).toEqual([])
  expect(await lines('marigold')).toEqual(['A last marigold'])
  const { rows } = await db.execute(sql`select 1 from post_words where words::text ilike '%lima%'`)
  expect(rows).toEqual([])
})

test('a reader finds open rooms and finished stories; those of a private room are found by its members alone, by a program with the scope for rooms [LOOP-13 LOOP-15 INST-11]', async () => {
  const { ana, ben, boss, find, clock, request } = await startLibrary()
  const open = await ana.does(createRoom, {
    input: aRoom({ name: 'The Señora waits', description: 'One carriage,\none night train.', duration: 60 }),
  })
  await ana.does(createRoom, { input: aRoom({ name: 'A secret train', isPublic: false, duration: 60 }) })
  const seenBy = async (who?: Client) => {
    const { rooms, stories } = await find('train', {}, who)
    return [
      rooms.found.map(({ name }) => name.text).toSorted(),
      stories.found.map(({ name }) => name.text).toSorted(),
    ]
  }
  expect(await seenBy()).toEqual([['The Señora waits'], []])
  expect(await seenBy(ben)).toEqual([['The Señora waits'], []])
  expect(await seenBy(ana)).toEqual([['A secret train', 'The Señora waits'], []])
  const programOf = async (...scopes: TokenScope[]) =>
    programWith(request, (await newToken(ana, ...scopes)).token)
  expect(await seenBy(await programOf('rooms'))).toEqual(await seenBy(ana))
  expect(await seenBy(await programOf('posts:read', 'diary'))).toEqual(await seenBy())
  expect((await find('senor')).rooms.found).toEqual([
    {
      id: open.id,
      name: { text: 'The Señora waits', marks: [{ from: 4, to: 10 }] },
      line: { text: 'One carriage,', marks: [] },
      isPublic: true,
      expiresAt: open.expiresAt,
    },
  ])
  clock.advance(61 * minuteMs)
  expect(await seenBy(ben)).toEqual([[], ['The Señora waits']])
  expect(await seenBy(ana)).toEqual([[], ['A secret train', 'The Señora waits']])
  await boss.does(deleteRoom, { params: { id: open.id } })
  expect(await seenBy()).toEqual([[], []])
})

test('a reader asks for one kind alone, and filters of posts leave all other kinds out [LOOP-14]', async () => {
  const { ana, publish, find } = await startLibrary()
  await publish('Ana writes')
  await ana.does(createRoom, { input: aRoom({ name: 'Ana and the others' }) })
  const counts = async (more: object) => {
    const { posts, people, rooms, stories } = await find('ana', more)
    return [posts, people, rooms, stories].map(({ found }) => found.length)
  }
  expect(await counts({})).toEqual([1, 1, 1, 0])
  expect(await counts({ kind: 'people' })).toEqual([0, 1, 0, 0])
  expect(await counts({ kind: 'rooms' })).toEqual([0, 0, 1, 0])
  expect(await counts({ form: 'prose' })).toEqual([1, 0, 0, 0])
})

test.each(['rank', 'time'] as const)(
  'a reader goes on behind the newest 200 rooms, by %s, and reads each of 201 rooms once [LOOP-14]',
  async (order) => {
    const { ana, find, db } = await startLibrary()
    await ana.does(createRoom, { input: aRoom({ name: 'Train', duration: 60 }) })
    await db.execute(sql`
      insert into rooms select (jsonb_populate_record(rooms, jsonb_build_object('id', '00000000-0000-7000-8000-' || lpad(n::text, 12, '0')))).*
      from rooms, generate_series(1, 200) n`)
    await addMissingRoomWords(db, new AbortController().signal)
    const seen: string[] = []
    let before: string | undefined
    do {
      const { rooms } = await find('train', { kind: 'rooms', order, limit: '20', before })
      seen.push(...rooms.found.map(({ id }) => id))
      before = rooms.nextBefore ?? undefined
    } while (before !== undefined)
    expect([seen.length, new Set(seen).size]).toEqual([201, 201])
  },
)

test('a reader goes through rooms page by page and misses none [LOOP-14]', async () => {
  const { ana, find } = await startLibrary()
  for (let n = 0; n < 5; n++) await ana.does(createRoom, { input: aRoom({ name: `Train ${n}` }) })
  const seen: string[] = []
  let before: string | undefined
  do {
    const { rooms } = await find('train', { kind: 'rooms', limit: '2', before })
    seen.push(...rooms.found.map(({ id }) => id))
    before = rooms.nextBefore ?? undefined
  } while (before !== undefined)
  expect([seen.length, new Set(seen).size]).toEqual([5, 5])
})
