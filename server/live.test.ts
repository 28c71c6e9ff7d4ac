import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { eq, sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { deleteAccount, login } from '#contract/account/endpoints.ts'
import { livePath } from '#contract/live/events.ts'
import { createRoom, joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { users } from './features/account/index.ts'
import { roomMembers } from './features/rooms/index.ts'
import { expectSound } from './testing/calls.ts'
import { addressOf, openStream, tryToOpenStream, until } from './testing/stream-client.ts'
import { aRoom } from './testing/rooms.ts'
import { startTestApp } from './testing/test-app.ts'

test('a stream begins with `ready`, which lists the rooms that the caller may read, and has the security headers of every answer [R8 R10 S38 S41]', async () => {
  const { app, person, admin, visitor, guest } = await startTestApp()
  const ana = await person()
  const { id: open } = await ana.does(createRoom, { input: aRoom() })
  const { id: closed } = await ana.does(createRoom, { input: aRoom({ isPublic: false }) })
  const unknown = '01970000-0000-7000-8000-000000000001'
  const rooms = [closed, unknown, open, open]
  const ready = async (client: typeof ana) => {
    const reader = await openStream(app, client, { rooms })
    expect(reader.text).toMatch(/^retry: [1-5]\d{3}\n\nid: [\w.~-]+\nevent: ready\n/)
    expectSound({ statusCode: reader.status, headers: Object.fromEntries(reader.headers), body: '' } as never)
    expect(Object.fromEntries(reader.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    })
    return reader.all('ready')
  }
  expect(await ready(ana)).toEqual([{ rooms: [closed, open] }])
  for (const who of [visitor(), await guest(), await person(), await admin()])
    expect(await ready(who)).toEqual([{ rooms: [open] }])
  const none = await openStream(app, visitor())
  expect(none.all('ready')).toEqual([{}])
})

test.each([
  ['an id in another form', 'rooms=01970000-0000-7000-8000-00000000000A'],
  ['no id', 'rooms='],
  ['an id and an empty id', 'rooms=01970000-0000-7000-8000-000000000001,'],
  [
    'a repeated parameter',
    'rooms=01970000-0000-7000-8000-000000000001&rooms=01970000-0000-7000-8000-000000000002',
  ],
  ['two cursors', 'after=1&after=1'],
  [
    '21 rooms',
    `rooms=${Array.from({ length: 21 }, (_, i) => `01970000-0000-7000-8000-0000000000${10 + i}`).join(',')}`,
  ],
])('a request for a stream with %s is refused [S27]', async (_wrong, query) => {
  const { request } = await startTestApp()
  const answer = await request({ url: `${livePath}?${query}` })
  expectSound(answer)
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'InvalidInput' }])
})

test('a refused query parameter without a sentence of its own is named [S27]', async () => {
  const { request } = await startTestApp()
  for (const [query, name] of [
    ['rooms=a', 'rooms'],
    ['isAway=yes', 'isAway'],
  ])
    expect((await request({ url: `${livePath}?${query}` })).json()).toEqual({
      code: 'InvalidInput',
      error: `Please check ${name}.`,
    })
})

test('a page of another site opens no stream [S24]', async () => {
  const { app, person, request } = await startTestApp()
  const ana = await person()
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
  ]) {
    const answer = await request({ url: livePath, headers, cookies: Object.fromEntries(ana.cookies) })
    expectSound(answer)
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'ForeignRequest' }])
  }
  await openStream(app, ana, { headers: { 'sec-fetch-site': 'same-origin' } })
})

test('a HEAD request opens no stream, and other methods are refused [S8]', async () => {
  const { request } = await startTestApp()
  const head = await request({ method: 'HEAD', url: livePath })
  expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([200, '', 'text/event-stream'])
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
    const answer = await request({ method, url: livePath })
    expectSound(answer)
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
  }
  expect(await openStreams(request)).toBe(0)
})

test('a person may have six streams and an address fifty, and closed streams are not counted [R12]', async () => {
  const { app, person, visitor } = await startTestApp({ config: { trustProxy: '127.0.0.1' } })
  const ana = await person()
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  const hers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => openStream(app, ana, from(`203.0.113.${i}`))),
  )
  const seventh = await tryToOpenStream(app, ana, from('203.0.113.7'))
  await seventh.ended
  expect([seventh.status, JSON.parse(seventh.text)]).toMatchObject([429, { code: 'TooManyRequests' }])
  expect(seventh.headers.get('retry-after')).toBe('5')
  hers[0]!.close()
  await until(async () => (await tryToOpenStream(app, ana, from('203.0.113.7'))).status === 200 || undefined)
  const ben = await person()
  const [his] = await Promise.all(
    [ben, ...Array.from({ length: 49 }, visitor)].map((who) => openStream(app, who, from('2001:db8:1:2::1'))),
  )
  const neighbour = () => tryToOpenStream(app, visitor(), from('2001:db8:1:2:ffff::9'))
  expect((await neighbour()).status).toBe(429)
  his!.close()
  await until(async () => (await neighbour()).status === 200 || undefined)
  expect((await tryToOpenStream(app, visitor(), from('2001:db8:1:3::1'))).status).toBe(200)
  // The address of this machine has no limit.
  await Promise.all(Array.from({ length: 51 }, () => openStream(app, visitor())))
})

test('a caller who disconnects before the stream has opened is not counted [R12]', async () => {
  const { app, db, person } = await startTestApp()
  const ana = await person()
  const address = await addressOf(app)
  const left: Promise<unknown>[] = []
  const came = new Promise<void>((resolve) => {
    app.server.on('request', (_asked, answer: ServerResponse) => {
      left.push(once(answer, 'close'))
      if (left.length === 6) resolve()
    })
  })
  await db.transaction(async (tx) => {
    await tx.execute(sql`lock table sessions in access exclusive mode`)
    const headers = { cookie: `sid=${ana.cookies.get('sid')}` }
    const asking = Array.from({ length: 6 }, () =>
      request(`${address}${livePath}`, { agent: false, headers }),
    )
    for (const each of asking) each.on('error', () => {}).end()
    await came
    for (const each of asking) each.destroy()
    await Promise.all(left)
  })
  const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(app, ana)))
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
})

test('without rate limits a person may have any number of streams [R12]', async () => {
  const { app, person, request } = await startTestApp({ config: { limitsRates: false } })
  const ana = await person()
  await Promise.all(Array.from({ length: 8 }, () => openStream(app, ana)))
  expect(await openStreams(request)).toBe(8)
})

test('open streams do not count as requests in progress, their connections have no timeout, and they end when their clients disconnect [R13 R14 R21]', async () => {
  const { app, visitor, request } = await startTestApp({ config: { limitsRates: false } })
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket) => sockets.add(socket))
  const readers = await Promise.all(Array.from({ length: 520 }, () => openStream(app, visitor())))
  expect((await request({ url: '/api/config' })).statusCode).toBe(200)
  expect(await openStreams(request)).toBe(520)
  expect([...sockets].map(({ timeout }) => timeout)).toEqual(readers.map(() => 0))
  for (const reader of readers) reader.close()
  await until(async () => (await openStreams(request)) === 0 || undefined)
  expect((await request({ url: '/api/config' })).statusCode).toBe(200)
})

test('a stream sends a heartbeat every 15 s [R8]', async () => {
  const { app, visitor, clock } = await startTestApp()
  const reader = await openStream(app, visitor())
  const beats = () => reader.text.split(': still here\n\n').length - 1
  clock.advance(15_000)
  await until(() => beats() === 1 || undefined)
  clock.advance(15_000)
  await until(() => beats() === 2 || undefined)
  expect(reader.received.map(({ name }) => name)).toEqual(['ready'])
})

test('heartbeats of streams are due at different times, so that thousands are not sent at once [R8]', async () => {
  const { app, visitor, clock } = await startTestApp()
  const first = await openStream(app, visitor())
  clock.advance(7000)
  const second = await openStream(app, visitor())
  const beats = ({ text }: typeof first) => text.split(': still here\n\n').length - 1
  clock.advance(8000)
  await until(() => beats(first) === 1 || undefined)
  const later = await openStream(app, visitor())
  later.close()
  expect(beats(second)).toBe(0)
  clock.advance(7000)
  await until(() => beats(second) === 1 || undefined)
  expect(beats(first)).toBe(1)
})

test('a closing server sends its clients a time to reconnect, ends their streams and opens no new ones [R17]', async () => {
  const { app, visitor } = await startTestApp()
  const readers = await Promise.all(Array.from({ length: 5 }, () => openStream(app, visitor())))
  const stuck = request(`${await addressOf(app)}${livePath}`, { headers: { connection: 'keep-alive' } })
  onTestFinished(() => void stuck.destroy())
  stuck.on('error', () => {}).end()
  const [answer] = (await once(stuck, 'response')) as [IncomingMessage]
  answer.on('error', () => {}).pause()
  await app.close()
  await Promise.all(readers.map(({ ended }) => ended))
  for (const { text } of readers) expect(text).toMatch(/\n\nretry: [1-5]\d{3}\n\n$/)
})

test('a person whose rights change or whose account is deleted loses the stream [S23 R10]', async () => {
  const { app, db, person, admin, guest, request } = await startTestApp()
  const [boss, ana, gus] = [await admin(), await person(), await guest()]
  const streams = await Promise.all([boss, ana, gus].map((client) => openStream(app, client)))
  await db.update(users).set({ isAdmin: false }).where(eq(users.id, boss.me.id))
  await streams[0]!.ended
  await ana.does(deleteAccount)
  await streams[1]!.ended
  await gus.request({ method: 'DELETE', url: '/api/delete-account' })
  await streams[2]!.ended
  expect(await openStreams(request)).toBe(0)
})

test('a former member receives nothing more of a private room, and still receives events of other rooms [S41 R10]', async () => {
  const { app, db, person } = await startTestApp()
  const [ana, ben] = [await person(), await person()]
  const { id: closed } = await ana.does(createRoom, { input: aRoom({ isPublic: false }) })
  const { id: open } = await ana.does(createRoom, { input: aRoom() })
  await db
    .insert(roomMembers)
    .values({ roomId: closed, userId: ben.me.id, joinedAt: new Date().toISOString() })
  const [hers, his] = [
    await openStream(app, ana, { rooms: [closed, open] }),
    await openStream(app, ben, { rooms: [closed, open] }),
  ]
  const send = async (roomId: string, content: string) => {
    await ana.does(sendPassage, { params: { id: roomId }, input: { content } })
    await hers.receives('room.message', (passage) => passage.content === content)
  }
  await send(closed, 'for both')
  await his.receives('room.message')
  await db.delete(roomMembers).where(eq(roomMembers.userId, ben.me.id))
  await send(closed, 'for her alone')
  await ben.does(joinRoom, { params: { id: open } })
  await send(open, 'for all')
  await his.receives('room.message', ({ content }) => content === 'for all')
  expect(his.all('room.message').map(({ content }) => content)).toEqual(['for both', 'for all'])
  await hers.receives('room.presence', ({ roomId, count }) => roomId === closed && count === 1)
})

test('after another sign-in the stream has the rights of the new person [S20 R10]', async () => {
  const { app, person, visitor } = await startTestApp()
  const ana = await person({ email: 'ana@example.org', password: 'right pass' })
  const { id } = await ana.does(createRoom, { input: aRoom({ isPublic: false }) })
  const browser = visitor()
  expect((await openStream(app, browser, { rooms: [id] })).all('ready')).toEqual([{ rooms: [] }])
  await browser.does(login, { input: { email: 'ana@example.org', password: 'right pass' } })
  expect((await openStream(app, browser, { rooms: [id] })).all('ready')).toEqual([{ rooms: [id] }])
})

async function openStreams(ask: Awaited<ReturnType<typeof startTestApp>>['request']): Promise<number> {
  const { body } = await ask({ url: '/metrics' })
  return Number(/^zimmer_live_streams (\d+)$/m.exec(body)?.[1])
}
