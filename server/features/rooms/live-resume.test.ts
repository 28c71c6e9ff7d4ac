import { expect, test } from 'vitest'
import { createRoom, deleteRoom, joinRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import type { Bus } from '#server/platform/live/bus.ts'
import { openStream, type StreamClient, until } from '#server/testing/stream-client.ts'
import { addLongPassages, aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'

const positionsOf = (reader: StreamClient) => reader.all('room.message').map(({ position }) => position)
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

async function startRoom() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const ana = await t.person()
  const { id } = await ana.does(createRoom, { input: aRoom() })
  const send = (roomId = id) => ana.does(sendPassage, { params: { id: roomId }, input: { content: 'on' } })
  return { ...t, ana, id, send }
}

test.each(['the header', 'the address'])(
  'a client that reconnects with the id in %s receives every later event once and in order, while others write [R9]',
  async (way) => {
    const { app, ana, id, send, person } = await startRoom()
    const { id: second } = await ana.does(createRoom, { input: aRoom() })
    const rooms = [id, second]
    const first = await openStream(app, ana, { rooms })
    for (let i = 0; i < 3; i++) await send()
    await first.receives('room.message', ({ position }) => position === 3)
    const last = first.lastId
    first.close()
    const ben = await person()
    await ben.does(joinRoom, { params: { id } })
    for (let i = 0; i < 40; i++) await send()
    await send(second)
    const goesOn = Promise.all(Array.from({ length: 20 }, () => send()))
    const headers = { 'last-event-id': last }
    // A browser that reconnects by itself still uses its first address.
    const asked = way === 'the header' ? { rooms, headers, after: '1' } : { rooms, after: last }
    const back = await openStream(app, ana, asked)
    await goesOn
    await back.receives('room.message', ({ position }) => position === 63)
    await back.receives('room.message', ({ roomId }) => roomId === second)
    const here = back.all('room.message').filter(({ roomId }) => roomId === id)
    expect(here.map(({ position }) => position)).toEqual(upTo(63).slice(3))
    expect(back.all('room.message')).toHaveLength(61)
    expect(back.all('room.joined')).toEqual([{ roomId: id, memberCount: 2 }])
    expect(back.all('reset')).toEqual([])
    // Each event is a cursor to resume from.
    const middle = back.received.find(({ data }) => (data as { position?: number }).position === 50)!
    const again = await openStream(app, ana, { rooms, after: middle.id })
    await again.receives('room.message', ({ position }) => position === 63)
    const rest = again.all('room.message').filter(({ roomId }) => roomId === id)
    expect(rest.map(({ position }) => position)).toEqual(upTo(63).slice(50))
  },
)

test('a client that is 1000 long passages behind receives them all, and one that is 1001 behind gets a reset [R9 R11]', async () => {
  const { app, db, ana, id, send } = await startRoom()
  const first = await openStream(app, ana, { rooms: [id] })
  await send()
  await first.receives('room.message')
  const [beforePassage, afterPassage] = [first.received[0]!.id, first.lastId]
  first.close()
  await addLongPassages(db, id, ana.me.id, 1000)
  const all = await openStream(app, ana, { rooms: [id], after: afterPassage })
  await until(() => positionsOf(all).length >= 1000 || undefined)
  expect(positionsOf(all)).toEqual(upTo(1001).slice(1))
  const anew = await openStream(app, ana, { rooms: [id], after: beforePassage })
  await anew.receives('reset')
  await send()
  await anew.receives('room.message')
  expect(positionsOf(anew)).toEqual([1002])
  expect(all.all('reset')).toEqual([])
  // A client whose stream broke before the reset gets the reset again.
  const lost = await openStream(app, ana, { rooms: [id], after: anew.received[0]!.id })
  await lost.receives('reset')
})

test.each([
  ['not made by a server', 'yesterday'],
  ['an empty list of cursors', '1'],
  ['half a cursor', '1.AbCdEfGh'],
  ['a cursor that is no number', '1.AbCdEfGh.-5'],
  ['a script', '1.<script>.1'],
  ['another version', '2.AbCdEfGh.1'],
  ['a very long text', 'x'.repeat(1200)],
])('a client with an id that is %s gets a reset and then new events [R9]', async (_what, after) => {
  const { app, ana, id, send } = await startRoom()
  const reader = await openStream(app, ana, { rooms: [id], after })
  await reader.receives('reset')
  await send()
  await reader.receives('room.message')
  expect(reader.received.map(({ name }) => name)).toEqual(['ready', 'reset', 'room.presence', 'room.message'])
})

test('a client gets a reset for a cursor in the future, and for a room without a cursor [R9]', async () => {
  const { app, ana, id, send } = await startRoom()
  const reader = await openStream(app, ana, { rooms: [id] })
  await send()
  await reader.receives('room.message')
  const future = await openStream(app, ana, { rooms: [id], after: reader.lastId.replace(/1$/, '2') })
  await future.receives('reset')
  const { id: another } = await ana.does(createRoom, { input: aRoom() })
  const more = await openStream(app, ana, { rooms: [id, another], after: reader.lastId })
  await more.receives('reset')
  expect(more.all('ready')).toEqual([{ rooms: [id, another] }])
})

test('a client that reconnects receives once which rooms were deleted or ended meanwhile [R9 RVIEW-18]', async () => {
  const { app, ana, id, send, admin, clock } = await startRoom()
  const { id: ends } = await ana.does(createRoom, { input: aRoom({ duration: 15 }) })
  const rooms = [id, ends]
  const first = await openStream(app, ana, { rooms })
  await send()
  await first.receives('room.message')
  const after = first.lastId
  first.close()
  await (await admin()).does(deleteRoom, { params: { id } })
  clock.advance(15 * 60_000)
  const back = await openStream(app, ana, { rooms, after })
  expect(await back.receives('room.deleted')).toEqual({ roomId: id })
  expect(await back.receives('room.expired')).toEqual({ roomId: ends })
  expect(back.all('ready')).toEqual([{ rooms: [ends] }])
  const again = await openStream(app, ana, { rooms, after: back.lastId })
  await again.receives('room.presence')
  await back.receives('room.presence')
  expect(again.all('room.deleted')).toEqual([])
  // The end of a room is sent only to clients that have not received it.
  const third = await openStream(app, ana, { rooms: [ends] })
  await third.receives('room.expired')
  expect(again.all('room.expired')).toEqual([])
})

test('when the bus loses every message, streams still receive each event [R8 R9]', async () => {
  const brokenBus: Bus = { publish() {}, subscribe: () => () => {}, close: async () => {} }
  const { app, person, admin, clock } = await startTestApp({ busFor: () => brokenBus })
  const ana = await person()
  const { id } = await ana.does(createRoom, { input: aRoom() })
  const reader = await openStream(app, ana, { rooms: [id] })
  await ana.does(sendPassage, { params: { id }, input: { content: 'received anyway' } })
  const passage = await reader.receives('room.message')
  expect([passage]).toEqual(await ana.does(listPassages, { params: { id } }))
  clock.advance(30 * 60_000)
  await reader.receives('room.expired')
  await (await admin()).does(deleteRoom, { params: { id } })
  await reader.receives('room.deleted')
})
