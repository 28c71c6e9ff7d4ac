import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { livePath } from '#contract/live/events.ts'
import { createRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { createLog } from '#server/log.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { addressOf, openStream, until } from '#server/testing/stream-client.ts'
import { addLongPassages, aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { roomMembers } from './schema.ts'

async function startPrivateRoom(more: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ config: { limitsRates: false }, ...more })
  const ana = await t.person()
  const { id } = await ana.does(createRoom, { input: aRoom({ isPublic: false }) })
  const member = async () => {
    const client = await t.person()
    const joinedAt = t.clock.now().toISOString()
    await t.db.insert(roomMembers).values({ roomId: id, userId: client.me.id, joinedAt })
    return client
  }
  const leave = (userId: string) => t.db.delete(roomMembers).where(eq(roomMembers.userId, userId))
  const send = () => ana.does(sendPassage, { params: { id }, input: { content: 'on' } })
  return { ...t, ana, id, member, leave, send }
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

test('a person who opens a private room while others write receives each passage once [R9 S41]', async () => {
  const { app, ana, id, send } = await startPrivateRoom()
  const first = await openStream(app, ana, { rooms: [id] })
  const after = first.lastId
  const readers = [first]
  const all = Promise.all(
    upTo(4).map(async () => {
      for (let i = 0; i < 50; i++) await send()
    }),
  )
  for (let i = 0; i < 30; i++) readers.push(await openStream(app, ana, { rooms: [id], after }))
  await all
  for (const reader of readers) {
    await reader.receives('room.message', ({ position }) => position === 200)
    expect(reader.all('room.message').map(({ position }) => position)).toEqual(upTo(200))
  }
})

test('a slow client that has missed many passages receives all of them, and is not disconnected [R9 R11]', async () => {
  const { app, db, ana, id, send } = await startPrivateRoom()
  const quick = await openStream(app, ana, { rooms: [id] })
  const { lastId } = quick
  await addLongPassages(db, id, ana.me.id, 999)
  const slow = await openSlowly(app, ana, id, lastId)
  await until(() => slow.connection.writableLength > 0 || undefined)
  // Other clients receive events meanwhile, and no more bytes are buffered for the slow client.
  await send()
  await quick.receives('room.message', ({ position }) => position === 1000)
  expect(slow.connection.writableLength).toBeLessThanOrEqual(256 * 1024)
  const positions = await slow.takes(1000)
  expect(positions).toEqual(upTo(1000))
})

test('a person who loses the membership while the stream catches up receives no more events [S41 R10]', async () => {
  const { app, db, ana, id, member, leave } = await startPrivateRoom()
  const ben = await member()
  const { lastId } = await openStream(app, ben, { rooms: [id] })
  await addLongPassages(db, id, ana.me.id, 1000)
  const slow = await openSlowly(app, ben, id, lastId)
  await until(() => slow.connection.writableLength > 0 || undefined)
  await leave(ben.me.id)
  const positions = await slow.takes(1000)
  expect(positions.length).toBeLessThan(1000)
  expect(positions).toEqual(upTo(positions.length))
})

test('a former member is no longer counted as present, even when nobody writes [S41 R10]', async () => {
  const { app, ana, id, member, leave } = await startPrivateRoom()
  const ben = await member()
  const reader = await openStream(app, ana, { rooms: [id] })
  const his = await openStream(app, ben, { rooms: [id] })
  for (const each of [reader, his]) await each.receives('room.presence', ({ count }) => count === 2)
  await leave(ben.me.id)
  await until(() => reader.all('room.presence').at(-1)?.count === 1 || undefined)
  expect(his.all('room.presence').at(-1)?.count).toBe(2)
})

test('a person who leaves while the database is unavailable is no longer counted when it is available again [RVIEW-18 R15]', async () => {
  const failures: string[] = []
  const logger = createLog('error', { write: (line: string) => void failures.push(line) })
  const { app, db, ana, id, member } = await startPrivateRoom({ logger })
  const reader = await openStream(app, ana, { rooms: [id] })
  const his = await openStream(app, await member(), { rooms: [id] })
  await reader.receives('room.presence', ({ count }) => count === 2)
  await db.execute(sql`alter table room_members rename to away`)
  his.close()
  await until(() => failures.find((line) => line.includes('a live topic failed')), 'the failure')
  expect(reader.all('room.presence').at(-1)).toEqual({ roomId: id, count: 2 })
  await db.execute(sql`alter table away rename to room_members`)
  const count = reader.received.length
  await until(() => reader.received[count])
  expect(reader.all('room.presence').at(-1)).toEqual({ roomId: id, count: 1 })
})

test('a passage that is committed just after the end is sent before the event of the end [RVIEW-18 S42]', async () => {
  const { app, db, clock, ana, id } = await startPrivateRoom()
  const reader = await openStream(app, ana, { rooms: [id] })
  await db.transaction(async (tx) => {
    await addLongPassages(tx, id, ana.me.id, 1)
    clock.advance(30 * 60_000)
    await untilLockWaits(db)
    expect(reader.all('room.expired')).toEqual([])
  })
  await reader.receives('room.expired')
  const names = reader.received.map(({ name }) => name).filter((name) => name !== 'room.presence')
  expect(names).toEqual(['ready', 'room.message', 'room.expired'])
})

type Started = Awaited<ReturnType<typeof startPrivateRoom>>

/** Opens a stream whose client receives nothing until the test calls `takes`. */
async function openSlowly(app: Started['app'], client: Started['ana'], room: string, after: string) {
  const address = await addressOf(app)
  const served = once(app.server, 'connection')
  const asking = request(`${address}${livePath}?rooms=${room}&after=${after}`, {
    agent: false,
    headers: { cookie: `sid=${client.cookies.get('sid')}` },
  })
  onTestFinished(() => void asking.destroy())
  asking.on('error', () => {}).end()
  const [[connection], [answer]] = (await Promise.all([served, once(asking, 'response')])) as [
    [Socket],
    [IncomingMessage],
  ]
  /** Receives passages until there are so many, or no more arrive, and returns their positions. */
  const takes = async (count: number) => {
    const positions: number[] = []
    let rest = ''
    answer.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      for (const line of lines)
        positions.push(...[...line.matchAll(/"position":(\d+)/g)].map(([, n]) => Number(n)))
    })
    let [seen, quiet] = [-1, 0]
    await until(() => {
      quiet = positions.length === seen ? quiet + 1 : 0
      seen = positions.length
      return positions.length >= count || quiet > 100 || undefined
    })
    return positions
  }
  return { connection, takes }
}
