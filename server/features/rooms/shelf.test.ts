import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount, getMe, login } from '#contract/account/endpoints.ts'
import { createRoom, deleteRoom, joinRoom, listFinishedRooms } from '#contract/rooms/endpoints.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { rooms } from './schema.ts'

const minuteMs = 60_000

/** A story of Ana and Ben that has ended, and a room that ends half an hour later. */
async function startWithShelf() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, ben] = [await t.person(), await t.person()]
  const story = await ana.does(createRoom, { input: aRoom({ name: 'Ended', duration: 30 }) })
  await ben.does(joinRoom, { params: { id: story.id } })
  await ana.does(createRoom, { input: aRoom({ name: 'Still open', duration: 60 }) })
  t.clock.advance(31 * minuteMs)
  const shelf = async (query = {}) =>
    (await t.visitor().does(listFinishedRooms, { query })).map(({ name }) => name)
  return { ...t, ana, ben, story, shelf }
}

test('the page for visitors is read at most once in five seconds, and a change by another process is visible after that [R16]', async () => {
  const { db, clock, shelf, story } = await startWithShelf()
  expect(await shelf()).toEqual(['Ended'])
  await db.update(rooms).set({ name: 'Renamed' }).where(eq(rooms.id, story.id))
  expect(await shelf()).toEqual(['Ended'])
  // Pages of another length and searches are not kept.
  expect(await shelf({ limit: '1' })).toEqual(['Renamed'])
  expect(await shelf({ q: 'renamed' })).toEqual(['Renamed'])
  clock.advance(5001)
  expect(await shelf()).toEqual(['Renamed'])
})

test('visitors see a finished story as soon as its room has ended [RLIST-28]', async () => {
  const { clock, shelf } = await startWithShelf()
  clock.advance(29 * minuteMs - 2000)
  expect(await shelf()).toEqual(['Ended'])
  clock.advance(2000)
  expect(await shelf()).toEqual(['Still open', 'Ended'])
})

test('visitors no longer see a deleted story or a deleted account in the list, from that moment on [S15]', async () => {
  const { ana, ben, admin, visitor, shelf, story } = await startWithShelf()
  const boss = await admin()
  const [before] = await visitor().does(listFinishedRooms)
  expect([before!.createdByUserId, before!.memberCount]).toEqual([ana.me.id, 2])
  for (const who of [ana, ben]) {
    await who.does(login, { input: { email: who.me.email!, password: 'secret pass 1' } })
    await who.does(deleteAccount)
  }
  const [after] = await visitor().does(listFinishedRooms)
  expect([after!.createdByUserId, after!.memberCount]).toEqual([null, 0])
  await boss.does(deleteRoom, { params: { id: story.id } })
  expect(await shelf()).toEqual([])
})

test('visitors get the same page with the same cursor as a person with a session [S30]', async () => {
  const { clock, visitor, person } = await startWithShelf()
  clock.advance(60 * minuteMs)
  const ofReader = await (await person()).tries(listFinishedRooms, { query: { limit: '1' } })
  const ofVisitor = await visitor().tries(listFinishedRooms, { query: { limit: '1' } })
  expect(ofVisitor.body).toEqual(ofReader.body)
  expect(ofVisitor.headers['next-before']).toBe(ofReader.headers['next-before'])
  const rest = await visitor().tries(listFinishedRooms, {
    query: { before: String(ofVisitor.headers['next-before']) },
  })
  expect(rest.body).toMatchObject([{ name: 'Ended' }])
  expect(rest.headers['next-before']).toBeUndefined()
})

test('many requests for finished stories leave connections of the database free for others [R16 R24]', async () => {
  const { db, person, ana } = await startWithShelf()
  const readers = [await person(), await person(), await person()]
  const { reading, others } = await db.transaction(async (tx) => {
    await tx.execute('lock table rooms in access exclusive mode')
    // More than the pool has connections.
    const reading = readers.flatMap((who) => Array.from({ length: 10 }, () => who.tries(listFinishedRooms)))
    const others = await Promise.all(Array.from({ length: 5 }, () => ana.tries(getMe)))
    return { reading, others }
  })
  expect(others.map(({ status }) => status)).toEqual(Array(5).fill(200))
  for (const { status } of await Promise.all(reading)) expect(status).toBe(200)
})

test('a person who requests 30 pages of finished stories at once is refused most of them, and another person gets a page [R24]', async () => {
  const { db, ana, ben } = await startWithShelf()
  const { flood, other } = await db.transaction(async (tx) => {
    await tx.execute('lock table rooms in access exclusive mode')
    const flood = Array.from({ length: 30 }, () => ana.tries(listFinishedRooms))
    // Nineteen of them are refused at once. The other eleven wait for the table.
    let refused = 0
    for (const answer of flood) void answer.then(({ status }) => (refused += status === 503 ? 1 : 0))
    await expect.poll(() => refused).toBe(19)
    return { flood, other: ben.tries(listFinishedRooms) }
  })
  expect((await other).status).toBe(200)
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(11)
})
