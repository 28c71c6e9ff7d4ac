import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { sql } from 'drizzle-orm'
import { finishedRoomsMax, listFinishedRooms, listRooms, roomsMax } from '#contract/rooms/endpoints.ts'
import { listFinishedRooms as finishedRooms, selectRoomsOfDay } from '#server/features/rooms/queries.ts'
import { countRoomsThatEnded } from '#server/features/rooms/index.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { loadFromOtherCore, withInstance } from './instance.ts'
import { addPeople, type Person, withDatabase } from './rows.ts'
import { atMost, type Figure, fact, planOf, printTable, quantile } from './table.ts'

const people = 200
const openRooms = 200
const stories = 10_000
/** Passages of each story. */
const passages = 200
const visitors = 40
/** Stories of a page of the shelf. */
const pageSize = 24
const readsEach = 300

loadFromOtherCore()
await withInstance(async ({ url, dataDir }) => {
  const readers = await withDatabase(dataDir, async (db) => {
    const all = await addPeople(db, people)
    await fill(db, all)
    await countRoomsThatEnded(db, new AbortController().signal)
    return all
  })
  const figures: Figure[] = []
  for (const { name, path, count, limit } of [
    { name: 'list of today', path: listRooms.path, count: openRooms, limit: 15 },
    {
      name: 'shelf, a page',
      path: `${listFinishedRooms.path}?limit=${pageSize}`,
      count: pageSize,
      limit: 15,
    },
    {
      name: 'shelf, a page found by words',
      path: `${listFinishedRooms.path}?limit=${pageSize}&q=tal+77`,
      count: pageSize,
      limit: 15,
    },
    { name: 'shelf, the longest page', path: listFinishedRooms.path, count: finishedRoomsMax },
  ]) {
    const { times, bytes } = await readByAll(`${url}${path}`, readers, count)
    const p95 = quantile(times, 0.95)
    figures.push(
      limit === undefined
        ? fact(`${name}: p95`, `${p95.toFixed(1)} ms`)
        : atMost(`${name}: p95`, p95, limit, 'ms'),
      fact(
        `${name}: median, rooms and bytes`,
        `${quantile(times, 0.5).toFixed(1)} ms, ${count} and ${bytes}`,
      ),
    )
  }
  const together = await readTogether(`${url}${listFinishedRooms.path}`)
  figures.push(
    fact(`shelf, the longest page, ${visitors} visitors at once: answers/s`, together.rate.toFixed(0)),
    fact('the same: p95, and answers 503', `${together.p95.toFixed(0)} ms, ${together.refused}`),
  )
  await withDatabase(dataDir, async (db) => {
    for (const [name, query] of Object.entries(queriesOf(db, readers[0]!)))
      figures.push({ name: `plan of the ${name}`, ...(await planOf(db, query.getSQL())) })
  })
  printTable(
    `${openRooms} rooms of today and ${stories.toLocaleString('en')} finished stories, with ${passages} passages, each read by somebody else`,
    figures,
  )
})

/** Adds open rooms with ten members, and ended rooms with five members and passages. Every tenth is private. */
async function fill(db: Database, all: Person[]) {
  const ids = sql`${sql.param(all.map(({ id }) => id))}::text[]`
  // Ids of the version that the server makes.
  const newIds = sql`overlay(overlay(gen_random_uuid()::text placing '7' from 15) placing 'a' from 20)::uuid`
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at, created_by_user_id, last_position, last_event)
    select ${newIds}, 'Room ' || n, 'A story of today', n % 10 > 0, 120, app_now(), app_now() + interval '2 hours',
      (${ids})[n % ${people} + 1], 0, 0
    from generate_series(1, ${openRooms}::int) n`)
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at, created_by_user_id, last_position, last_event)
    select ${newIds}, 'Tale ' || n, 'A story of house ' || n % 100, n % 10 > 0, 30,
      at - interval '30 minutes', at, (${ids})[n % ${people} + 1], ${passages}, ${passages}
    from generate_series(1, ${stories}::int) n, lateral (select app_now() - interval '1 day' - n * interval '17 minutes' as at) ended`)
  await db.execute(sql`
    insert into room_members (room_id, user_id, joined_at)
    select id, (${ids})[(number * 7 + m) % ${people} + 1], created_at
    from (select *, row_number() over (order by id) as number from rooms) numbered,
      lateral generate_series(1, case when last_position > 0 then 5 else 10 end) m`)
  await db.execute(sql`
    insert into room_messages (room_id, position, id, user_id, content, created_at, event)
    select id, p, ${newIds}, (${ids})[(number * 7 + p % 5 + 1) % ${people} + 1],
      repeat('A line of a story that goes on for a while. ', 3), created_at, p
    from (select *, row_number() over (order by id) as number from rooms) numbered,
      lateral generate_series(1, last_position) p`)
  await db.execute(sql`vacuum analyze rooms, room_members, room_messages`)
}

/** Sends one request after the other, each as the next person, on one connection, and reads the whole answers. */
async function readByAll(address: string, readers: Person[], count: number) {
  const times: number[] = []
  let bytes = 0
  for (let n = 0; n < readsEach; n++) {
    const start = performance.now()
    const headers = { cookie: readers[n % readers.length]!.cookie }
    const [response] = (await once(get(address, { headers }), 'response')) as [IncomingMessage]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    times.push(performance.now() - start)
    const body = Buffer.concat(chunks)
    bytes = body.length
    const found = (JSON.parse(body.toString()) as unknown[]).length
    if (found !== count) throw new Error(`${address} has ${found} rooms.`)
  }
  // The first requests warm the server up.
  return { times: times.slice(20), bytes }
}

/** Visitors who read the page repeatedly for ten seconds. */
async function readTogether(address: string) {
  const times: number[] = []
  let refused = 0
  const start = performance.now()
  const end = start + 10_000
  await Promise.all(
    Array.from({ length: visitors }, async () => {
      while (performance.now() < end) {
        const before = performance.now()
        const answer = await fetch(address)
        await answer.arrayBuffer()
        if (answer.ok) times.push(performance.now() - before)
        else refused++
      }
    }),
  )
  return { rate: times.length / ((performance.now() - start) / 1000), p95: quantile(times, 0.95), refused }
}

function queriesOf(db: Database, { id }: Person) {
  const page = { words: [], limit: pageSize + 1 }
  const start = new Date(Date.now() - 12 * 3_600_000)
  const end = new Date(Date.now() + 12 * 3_600_000)
  return {
    'list of today': selectRoomsOfDay(db, id, { start, end, limit: roomsMax + 1 }),
    'page of the shelf': finishedRooms(db, id, page),
    'page found by words': finishedRooms(db, id, { ...page, words: ['tal', '77'] }),
  }
}
