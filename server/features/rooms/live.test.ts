import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { logout } from '#contract/account/endpoints.ts'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import {
  createRoom,
  deleteRoom,
  joinRoom,
  listPassages,
  sendPassage,
  announceWriting,
} from '#contract/rooms/endpoints.ts'
import { openStream, type StreamClient, until } from '#server/testing/stream-client.ts'
import { messengers, startTwoApps } from '#server/testing/messengers.ts'
import { aRoom } from '#server/testing/rooms.ts'

const contentsOf = (reader: StreamClient) => reader.all('room.message').map(({ content }) => content)

test.for(messengers)(
  'over %s everybody in a room receives each passage and joining of all processes once and in order, the author too [RVIEW-18 R9]',
  async (messenger, context) => {
    const { app, other, atOther, person, visitor } = await startTwoApps(messenger, context)
    const [ana, ben] = [await person(), await person()]
    const { id } = await ana.does(createRoom, { input: aRoom() })
    const readers = [
      await openStream(app, ana, { rooms: [id] }),
      await openStream(other, ben, { rooms: [id] }),
      await openStream(other, visitor(), { rooms: [id] }),
    ]
    await atOther(ben).does(joinRoom, { params: { id } })
    const send = (client: typeof ana, content: string) =>
      client.does(sendPassage, { params: { id }, input: { content } })
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? send(ana, `${n}`) : send(atOther(ben), `${n}`))),
    )
    const written = await ana.does(listPassages, { params: { id } })
    expect(written).toHaveLength(20)
    for (const reader of readers) {
      await reader.receives('room.message', ({ position }) => position === 20)
      expect(reader.all('room.message')).toEqual(written)
      expect(reader.all('room.joined')).toEqual([{ roomId: id, memberCount: 2 }])
    }
  },
)

test.for(messengers)(
  'over %s people see how many others are in a room and who is writing, except those who switched that off [RVIEW-18 R8]',
  async (messenger, context) => {
    const { app, other, atOther, person, guest } = await startTwoApps(messenger, context)
    const [ana, ben, shy] = [await person(), await person(), await person()]
    await shy.does(changeSettings, { input: { presence: false } })
    const { id } = await ana.does(createRoom, { input: aRoom() })
    for (const client of [ben, shy]) await client.does(joinRoom, { params: { id } })
    const here = await openStream(app, ana, { rooms: [id] })
    const isCount = (wanted: number) => (data: { count: number }) => data.count === wanted
    expect(await here.receives('room.presence')).toEqual({ roomId: id, count: 1 })
    await openStream(other, shy, { rooms: [id] })
    await openStream(other, await guest(), { rooms: [id] })
    const twice = [await openStream(other, ben, { rooms: [id] }), await openStream(app, ben, { rooms: [id] })]
    await here.receives('room.presence', isCount(2))
    for (const reader of twice) await reader.receives('room.presence', isCount(2))
    // A process may not be connected to the bus yet, so the announcement is repeated.
    const announce = (client: typeof ana) => atOther(client).does(announceWriting, { params: { id } })
    await until(async () => {
      await announce(shy)
      await announce(ben)
      return here.all('room.writing').length > 0 || undefined
    })
    expect(new Set(here.all('room.writing').map(({ userId }) => userId))).toEqual(new Set([ben.me.id]))
    await twice[0]!.receives('room.writing')
    // A person with two windows is counted until both are closed. A person who switches it off is not counted.
    twice[0]!.close()
    await shy.does(changeSettings, { input: { presence: true } })
    await here.receives('room.presence', isCount(3))
    await shy.does(changeSettings, { input: { presence: false } })
    await until(() => here.all('room.presence').at(-1)?.count === 2 || undefined)
    twice[1]!.close()
    await until(() => here.all('room.presence').at(-1)?.count === 1 || undefined)
    expect(here.all('room.presence').map(({ count }) => count)).not.toContain(4)
  },
)

test.for(messengers)(
  'over %s the stream of a person who signs out at another process ends, and receives no more private passages [S23 S41 R10]',
  async (messenger, context) => {
    const { app, other, atOther, person } = await startTwoApps(messenger, context)
    const [ana, ben] = [await person(), await person()]
    const { id } = await ana.does(createRoom, { input: aRoom({ isPublic: false }) })
    const stays = await openStream(app, ana, { rooms: [id] })
    const [away, stranger] = [
      await openStream(other, ana, { rooms: [id] }),
      await openStream(other, ben, { rooms: [id] }),
    ]
    const elsewhere = atOther(ana)
    elsewhere.cookies.clear()
    await elsewhere.request({
      method: 'POST',
      url: '/api/login',
      payload: { email: ana.me.email, password: 'secret pass 1' },
    })
    await atOther(ana).does(logout)
    await Promise.all([stays.ended, away.ended])
    await elsewhere.does(sendPassage, { params: { id }, input: { content: 'alone' } })
    expect([stays, away, stranger].flatMap(contentsOf)).toEqual([])
    expect(stranger.all('ready')).toEqual([{ rooms: [] }])
  },
)

test.for(messengers)(
  'over %s the end of a room is sent once, after its last passage, and its deletion is the last event [RVIEW-18 S42]',
  async (messenger, context) => {
    const { app, other, atOther, person, admin, clock, db } = await startTwoApps(messenger, context)
    const [ana, boss] = [await person(), await admin()]
    const { id } = await ana.does(createRoom, { input: aRoom() })
    const readers = [
      await openStream(app, ana, { rooms: [id] }),
      await openStream(other, ana, { rooms: [id] }),
    ]
    await ana.does(sendPassage, { params: { id }, input: { content: 'the last' } })
    clock.advance(30 * 60_000)
    for (const reader of readers) await reader.receives('room.expired')
    await atOther(boss).does(deleteRoom, { params: { id } })
    for (const reader of readers) {
      expect(await reader.receives('room.deleted')).toEqual({ roomId: id })
      const names = reader.received.map(({ name }) => name).filter((name) => name !== 'room.presence')
      expect(names).toEqual(['ready', 'room.message', 'room.expired', 'room.deleted'])
    }
    expect(await db.execute(sql`select 1 from rooms`)).toMatchObject({ rowCount: 0 })
  },
)
