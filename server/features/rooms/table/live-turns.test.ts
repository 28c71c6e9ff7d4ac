import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { getTurn, passTurn, renewLease } from '#contract/rooms/table/endpoints.ts'
import { holdLocks } from '#server/testing/lock-waits.ts'
import { messengers, startTwoApps } from '#server/testing/messengers.ts'
import { planOf } from '#server/testing/plan.ts'
import { addDueTables, aRoom } from '#server/testing/rooms.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { listDueRooms } from './turn-clock.ts'

test.for(messengers)(
  'over %s everybody in a room learns whose turn it is, at once and after each change, from all processes and without a tail [TURN-04 TURN-14 TURN-16]',
  async (messenger, context) => {
    const { app, other, atOther, person, visitor } = await startTwoApps(messenger, context)
    const [ana, ben] = [await person(), await person()]
    const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round', isFolded: true }) })
    const params = { id }
    await ben.does(joinRoom, { params })
    const readers = [
      await openStream(app, ana, { rooms: [id] }),
      await openStream(other, ben, { rooms: [id] }),
      await openStream(other, visitor(), { rooms: [id] }),
    ]
    for (const reader of readers) expect((await reader.receives('room.turn')).holderId).toBe(ana.me.id)
    await ana.does(sendPassage, { params, input: { content: 'The first line', turn: 1 } })
    await atOther(ben).does(passTurn, { params, input: { number: 2 } })
    const { now: _now, placeInLine: _place, tail: _tail, ...turn } = await ana.does(getTurn, { params })
    expect(turn).toMatchObject({ number: 3, holderId: ana.me.id })
    for (const reader of readers) {
      expect(await reader.receives('room.turn', ({ number }) => number === 3)).toEqual(turn)
      const revisions = reader.all('room.turn').map(({ revision }) => revision)
      expect(revisions).toEqual([...new Set(revisions)].toSorted((a, b) => a - b))
    }
    // The renewal of a lease changes nothing that readers see.
    await ana.does(renewLease, { params, input: { number: 3 } })
    const back = await openStream(other, ben, { rooms: [id], after: readers[1]!.lastId })
    expect(await back.receives('room.turn')).toEqual(turn)
  },
)

test('members alone learn whose turn it is in a private room, and a free room has no turn [TURN-01 TURN-14]', async () => {
  const { app, person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'baton', isPublic: false }) })
  const { id: free } = await ana.does(createRoom, { input: aRoom() })
  expect(await ben.tries(getTurn, { params: { id } })).toMatchObject({ status: 403, code: 'PrivateRoom' })
  expect(await ana.tries(getTurn, { params: { id: free } })).toMatchObject({ status: 400, code: 'NoTurns' })
  const [inside, outside] = [
    await openStream(app, ana, { rooms: [id, free] }),
    await openStream(app, ben, { rooms: [id, free] }),
  ]
  await inside.receives('room.turn')
  await outside.receives('room.presence')
  await ana.does(passTurn, { params: { id }, input: { number: 1 } })
  await inside.receives('room.turn', ({ number }) => number === 2)
  expect(inside.all('room.turn').every(({ roomId }) => roomId === id)).toBe(true)
  expect(outside.all('room.turn')).toEqual([])
})

test('a lapsed turn passes on once, although two processes look for it and people read it [TURN-05 TURN-14]', async (context) => {
  const { app, other, atOther, person, clock } = await startTwoApps('NOTIFY', context)
  const [ana, ben, cleo] = [await person(), await person(), await person()]
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
  const params = { id }
  for (const each of [ben, cleo]) await each.does(joinRoom, { params })
  const readers = [await openStream(app, ana, { rooms: [id] }), await openStream(other, ben, { rooms: [id] })]
  for (const reader of readers) await reader.receives('room.turn')
  clock.advance(21_000)
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? ana : atOther(ana)).does(getTurn, { params })),
  )
  for (const reader of readers)
    expect(await reader.receives('room.turn', ({ number }) => number === 2)).toMatchObject({
      holderId: ben.me.id,
    })
  for (const { number } of asked) expect([1, 2]).toContain(number)
  expect(await ana.does(getTurn, { params })).toMatchObject({ number: 2, holderId: ben.me.id })
})

test('without a reader a lapsed turn passes on within seconds, but not while the process has just started [TURN-14]', async () => {
  const { person, clock, db } = await startTestApp()
  const ana = await person()
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
  const params = { id }
  // The database is ahead of the monotonic time of the process, as after a restart.
  clock.step({ database: 60_000 })
  expect(await ana.does(getTurn, { params })).toMatchObject({ number: 1, holderId: ana.me.id })
  expect((await ana.tries(renewLease, { params, input: { number: 1 } })).status).toBe(200)
  clock.advance(30_000)
  const turn = () => db.execute(sql`select turn from rooms`).then(({ rows }) => rows[0]!.turn)
  await expect.poll(turn).toBe(2)
})

test('a reading of a lapsed turn does not wait for a change of the table, and a later one passes the turn on [TURN-14]', async () => {
  const { person, clock, db } = await startTestApp()
  const ana = await person()
  const { id } = await ana.does(createRoom, { input: aRoom({ turns: 'round' }) })
  const release = await holdLocks(db, sql`select 1 from rooms for no key update`)
  clock.advance(21_000)
  expect(await ana.does(getTurn, { params: { id } })).toMatchObject({ number: 1 })
  await release()
  await expect.poll(() => ana.does(getTurn, { params: { id } })).toMatchObject({ number: 2 })
})

test('lapsed turns among 10,000 rooms are found by their index [TURN-14]', async () => {
  const { db } = await startTestApp()
  await addDueTables(db, 'turn_due_at')
  const plan = await planOf(db, listDueRooms(db))
  expect(plan).toContain('rooms_by_due_turn')
})
