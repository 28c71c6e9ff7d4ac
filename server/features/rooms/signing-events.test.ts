import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { changeRoomMembership, createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { openStream, type StreamClient, until } from '#server/testing/stream-client.ts'
import { messengers, startTwoApps } from '#server/testing/messengers.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { roomMembers, rooms } from './schema.ts'

/** Ana writes in some rooms, and Zoë has joined them, the newest first. The rooms are in the order of their ids. */
async function startWithRooms(count: number, more: Parameters<typeof aRoom>[0] = {}) {
  const t = await startTestApp({ config: { limitsRates: false } })
  const [ana, zoe] = [await t.person(), await t.person({ firstName: 'Zoë', lastName: 'Král' })]
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push((await ana.does(createRoom, { input: aRoom(more) })).id)
  const joinedAt = t.clock.now().toISOString()
  // Also into private rooms.
  for (const roomId of ids.toReversed())
    await t.db.insert(roomMembers).values({ roomId, userId: zoe.me.id, joinedAt })
  const stored = () => t.db.select().from(rooms).orderBy(rooms.id)
  return { ...t, ana, zoe, ids: ids.toSorted(), stored }
}

const signs = (client: Client, id: string, signsWithName: boolean) =>
  client.does(changeRoomMembership, { params: { id }, input: { signsWithName } })
const shows = (client: Client, showName: boolean) => client.does(changeSettings, { input: { showName } })
const send = (client: Client, id: string) =>
  client.does(sendPassage, { params: { id }, input: { content: 'It rains.' } })
/** The rooms of all events about signatures that a client has received. */
const signedIn = (reader: StreamClient) => reader.all('room.signed').map(({ roomId }) => roomId)

test.for(messengers)(
  'over %s the members of a room and the other devices of a member receive one event when the member signs differently [RVIEW-12 RVIEW-18 R8]',
  async (messenger, context) => {
    const { app, other, atOther, person, visitor } = await startTwoApps(messenger, context)
    const [ana, zoe] = [await person(), await person({ firstName: 'Zoë', lastName: 'Král' })]
    const { id } = await ana.does(createRoom, { input: aRoom() })
    await zoe.does(joinRoom, { params: { id } })
    const readers = [
      await openStream(app, ana, { rooms: [id] }),
      await openStream(other, zoe, { rooms: [id] }),
      await openStream(other, visitor(), { rooms: [id] }),
    ]
    await signs(zoe, id, true)
    for (const reader of readers) expect(await reader.receives('room.signed')).toEqual({ roomId: id })
    // A second joining with another choice is a change, too.
    await atOther(zoe).does(joinRoom, { params: { id }, input: { signsWithName: false } })
    await until(() => readers.every((reader) => signedIn(reader).length === 2) || undefined)
    await send(ana, id)
    for (const reader of readers) {
      await reader.receives('room.message')
      expect(signedIn(reader)).toEqual([id, id])
    }
  },
)

test('a client that reconnects receives once that a member signs differently, and in order with the passages [RVIEW-12 R9]', async () => {
  const { app, ana, zoe, ids } = await startWithRooms(1)
  const [id] = ids as [string]
  const first = await openStream(app, ana, { rooms: ids })
  await send(ana, id)
  await first.receives('room.message')
  const after = first.lastId
  first.close()
  await signs(zoe, id, true)
  await send(zoe, id)
  const back = await openStream(app, ana, { rooms: ids, after })
  await back.receives('room.message', ({ position }) => position === 2)
  const names = back.received.map(({ name }) => name).filter((name) => name !== 'room.presence')
  expect(names).toEqual(['ready', 'room.signed', 'room.message'])
  const signed = back.received.find(({ name }) => name === 'room.signed')!
  const again = await openStream(app, ana, { rooms: ids, after: signed.id })
  await again.receives('room.message')
  expect(signedIn(again)).toEqual([])
  const afterAgain = again.lastId
  // Of several changes of one member the newest is enough.
  for (const withName of [false, true, false]) await signs(zoe, id, withName)
  await send(zoe, id)
  const last = await openStream(app, ana, { rooms: ids, after: afterAgain })
  await last.receives('room.message')
  expect(signedIn(last)).toEqual([id])
})

test('a stranger to a private room receives no event when a member signs differently, and cannot cause one [RVIEW-12 S41]', async () => {
  const { app, ana, zoe, person, ids, stored } = await startWithRooms(1, { isPublic: false })
  const [id] = ids as [string]
  const eve = await person()
  const before = await stored()
  const change = { params: { id }, input: { signsWithName: true } }
  expect(await eve.tries(changeRoomMembership, change)).toMatchObject({ status: 403, code: 'NotRoomMember' })
  expect(await stored()).toEqual(before)
  const [hers, member] = [
    await openStream(app, eve, { rooms: ids }),
    await openStream(app, ana, { rooms: ids }),
  ]
  await signs(zoe, id, true)
  await member.receives('room.signed')
  // The server sends an event of another room after this one.
  const { id: own } = await eve.does(createRoom, { input: aRoom() })
  const later = await openStream(app, eve, { rooms: [id, own] })
  await signs(eve, own, true)
  expect(await later.receives('room.signed')).toEqual({ roomId: own })
  expect([signedIn(hers), signedIn(later)]).toEqual([[], [own]])
})

test('a member who chooses the present signature again, or signs an ended story differently, causes no event [RVIEW-12]', async () => {
  const { zoe, ids, stored, clock } = await startWithRooms(1)
  const [id] = ids as [string]
  const before = await stored()
  await signs(zoe, id, false)
  expect(await stored()).toEqual(before)
  await signs(zoe, id, true)
  await signs(zoe, id, true)
  await zoe.does(joinRoom, { params: { id }, input: { signsWithName: true } })
  await zoe.does(joinRoom, { params: { id } })
  expect((await stored()).map(({ lastEvent }) => lastEvent)).toEqual([1])
  clock.advance(30 * 60_000)
  await signs(zoe, id, false)
  expect((await stored()).map(({ lastEvent }) => lastEvent)).toEqual([1])
})

test('a person who changes the setting for the name causes one event in each open room in which it changes the signature [RVIEW-12]', async () => {
  const { app, ana, zoe, ids, stored, clock } = await startWithRooms(4)
  const [ended, named, unnamed, open] = ids as [string, string, string, string]
  await signs(zoe, named, true)
  await signs(zoe, unnamed, false)
  clock.advance(29 * 60_000)
  const { id: later } = await ana.does(createRoom, { input: aRoom() })
  await zoe.does(joinRoom, { params: { id: later } })
  const reader = await openStream(app, ana, { rooms: [...ids, later] })
  const events = async () => Object.fromEntries((await stored()).map(({ id, lastEvent }) => [id, lastEvent]))
  await shows(zoe, false)
  await reader.receives('room.signed')
  // Only the room with the choice to show the name had shown it.
  expect(await events()).toEqual({ [ended]: 0, [named]: 2, [unnamed]: 0, [open]: 0, [later]: 1 })
  await zoe.does(changeSettings, { input: { presence: false } })
  await shows(zoe, true)
  await shows(zoe, true)
  expect(await events()).toEqual({ [ended]: 1, [named]: 2, [unnamed]: 0, [open]: 1, [later]: 2 })
  await until(() => signedIn(reader).length === 4 || undefined)
  expect(signedIn(reader).toSorted()).toEqual([named, ended, open, later].toSorted())
  clock.advance(60_000)
  await shows(zoe, false)
  await reader.receives('room.signed', ({ roomId }) => roomId === later)
  expect(await events()).toEqual({ [ended]: 1, [named]: 2, [unnamed]: 0, [open]: 1, [later]: 3 })
})

test('a change in many rooms locks the rooms in the order of their ids before the memberships, so that two changes do not wait for each other [RVIEW-12]', async () => {
  const { db, ana, zoe, ids } = await startWithRooms(12)
  const [lowest] = ids as [string]
  // Without an order the database now reads the first room last: its row moved behind those of the others.
  await send(ana, lowest)
  await db.execute(sql`analyze rooms, room_members`)
  const changing = await db.transaction(async (tx) => {
    await tx.select().from(rooms).where(eq(rooms.id, lowest)).for('update')
    const change = shows(zoe, true)
    await untilLockWaits(db)
    const { rowCount: free } = await db.execute(sql`select 1 from rooms for update skip locked`)
    const { rowCount: members } = await db.execute(sql`select 1 from room_members for update skip locked`)
    expect([free, members]).toEqual([ids.length - 1, 2 * ids.length])
    return { change }
  })
  await changing.change
})

test('two members of the same rooms change their signatures again and again while they write, and every change succeeds [RVIEW-12]', async () => {
  const { app, ana, zoe, ids, stored } = await startWithRooms(8)
  const reader = await openStream(app, ana, { rooms: ids })
  const rounds = Array.from({ length: 5 }, (_, n) => n)
  for (const round of rounds) {
    await Promise.all([
      ...[ana, zoe].map((client) => shows(client, round % 2 === 0)),
      ...ids.flatMap((id) => [send(ana, id), send(zoe, id)]),
      signs(ana, ids[round]!, false),
      signs(zoe, ids[7 - round]!, true),
    ])
  }
  const events = (await stored()).reduce((sum, { lastEvent }) => sum + lastEvent, 0)
  const passages = rounds.length * ids.length * 2
  await until(() => reader.all('room.message').length === passages || undefined)
  expect(events).toBeGreaterThan(passages)
  await until(() => signedIn(reader).length > 0 || undefined)
})
