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

test('the shelf of visitors is read once within five seconds, and a change by another process shows after them [R16]', async () => {
  const { db, clock, shelf, story } = await startWithShelf()
  expect(await shelf()).toEqual(['Ended'])
  await db.update(rooms).set({ name: 'Renamed' }).where(eq(rooms.id, story.id))
  expect(await shelf()).toEqual(['Ended'])
  // Another length, a search and a later page are not kept.
  expect(await shelf({ limit: '1' })).toEqual(['Renamed'])
  expect(await shelf({ q: 'renamed' })).toEqual(['Renamed'])
  clock.advance(5001)
  expect(await shelf()).toEqual(['Renamed'])
})

test('a room that ends stands on the shelf of visitors at once [RLIST-28]', async () => {
  const { clock, shelf } = await startWithShelf()
  clock.advance(29 * minuteMs - 2000)
  expect(await shelf()).toEqual(['Ended'])
  clock.advance(2000)
  expect(await shelf()).toEqual(['Still open', 'Ended'])
})

test('a story that is deleted, and a person who leaves, are gone from the shelf of visitors at once [S15]', async () => {
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

test('a page of the visitors says where the next one begins, as that of a reader with a session does [S30]', async () => {
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

test('many readers of the shelf leave the other connections of the database free [R16 R24]', async () => {
  const { db, ana, ben } = await startWithShelf()
  const { reading, others } = await db.transaction(async (tx) => {
    await tx.execute('lock table rooms in access exclusive mode')
    // More than the pool has connections.
    const reading = Array.from({ length: 30 }, () => ana.tries(listFinishedRooms))
    const others = await Promise.all(Array.from({ length: 5 }, () => ben.tries(getMe)))
    return { reading, others }
  })
  expect(others.map(({ status }) => status)).toEqual(Array(5).fill(200))
  for (const { status } of await Promise.all(reading)) expect(status).toBe(200)
})
