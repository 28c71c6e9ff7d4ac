import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { errors } from '#contract/errors.ts'
import { until } from '#server/testing/stream-client.ts'
import { headOfPost, openCaller, type RawCaller } from '#server/testing/raw-callers.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { facts, listFacts, startPlatform } from '#server/testing/test-platform.ts'
import { handle } from '../endpoints/handle.ts'
import { answerHeaders } from '../headers.ts'
import { sameForAll } from '../endpoints/policy.ts'

/** Makes an app listen, and answers how to open connections to it. */
async function listen(app: Awaited<ReturnType<typeof startTestApp>>['app']) {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return (text?: string) => openCaller(url, text)
}

const postOf = (body: string) => headOfPost('/api/facts', body.length)
const get = (path: string, cookie = '') =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`
const body = '{"name":"a"}'
const closed = ({ socket }: { socket: Socket }) => until(() => socket.closed || undefined)

function expectUnavailable(said: string) {
  expect(said).toMatch(/^HTTP\/1\.1 503 /)
  expect(said).toMatch(/\r\nretry-after: [1-5]\r\n/i)
  expect(said).toMatch(/\r\nconnection: close\r\n/i)
  for (const [name, value] of Object.entries(
    answerHeaders({ publicOrigin: undefined, hstsSubdomains: false, searchEngines: true }),
  ))
    expect(said.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase())
  expect(said).toContain(JSON.stringify({ code: 'Unavailable', error: errors.Unavailable.error }))
}

test('a body that comes slower than 1 KiB a second for 5 s is refused with 408, its connection is closed, and nothing is stored [R25]', async () => {
  const { app, clock, stored } = await startPlatform()
  const open = await listen(app)
  const slow = await open(postOf('x'.repeat(60_000)))
  slow.socket.write('{')
  await until(() => {
    clock.advance(1000)
    return slow.socket.closed || undefined
  })
  expect(slow.said).toMatch(/^HTTP\/1\.1 408 /)
  expect(slow.said).toMatch(/\r\nconnection: close\r\n/i)
  expect(slow.said).toContain('RequestTimeout')
  expect(await stored()).toEqual([])
})

test('a body that comes fast enough and still takes over 30 s is refused with 408 [R13]', async () => {
  const { app, clock, stored } = await startPlatform()
  const open = await listen(app)
  const long = await open(postOf('x'.repeat(60_000)))
  await until(() => {
    clock.advance(200)
    long.socket.write('x'.repeat(40))
    return clock.monotonicMs() > 5000 || undefined
  })
  const isRefused = () => {
    clock.advance(200)
    if (!long.socket.closed) long.socket.write('x'.repeat(40))
    return long.socket.closed
  }
  await expect.poll(isRefused, { interval: 10, timeout: 50_000 }).toBe(true)
  expect(long.said).toMatch(/^HTTP\/1\.1 408 /)
  expect(await stored()).toEqual([])
}, 60_000)

test('of 200 unfinished bodies of one address the oldest are refused with 503, and a later caller is served [R25]', async () => {
  const { app, stored } = await startPlatform()
  const open = await listen(app)
  const slow: RawCaller[] = []
  for (let n = 0; n < 200; n++) slow.push(await open(`${postOf(body)}{`))
  const last = await open(postOf(body))
  last.socket.write(body)
  await until(() => last.said.startsWith('HTTP/1.1 201 ') || undefined)
  // Connections that were opened one right after the other may be read in another order.
  const refused = () => slow.filter(({ socket }) => socket.closed)
  await until(() => refused().length >= 72 || undefined)
  for (const { said } of refused()) expectUnavailable(said)
  expect(slow.slice(-100).every(({ said, socket }) => said === '' && !socket.closed)).toBe(true)
  expect(await stored()).toEqual(['a'])
})

test('a connection that carries many bodies keeps nothing of those that were read [R24 R25]', async () => {
  const { app } = await startPlatform()
  const accepted = once(app.server, 'connection') as Promise<[Socket]>
  const open = await listen(app)
  const caller = await open()
  const [connection] = await accepted
  let first: number | undefined
  for (const name of 'abcdefghijklmnopqrstuvwxyz') {
    const text = JSON.stringify({ name })
    const before = connection.bytesRead
    // In two parts, so that each body is still arriving when its headers are read.
    const wholes = caller.said.split('HTTP/1.1 201').length
    caller.socket.write(`${postOf(text)}{`)
    await until(() => connection.bytesRead > before + postOf(text).length || undefined)
    caller.socket.write(text.slice(1))
    await until(() => caller.said.split('HTTP/1.1 201').length > wholes || undefined)
    first ??= connection.listenerCount('close')
  }
  // A listener is removed a moment after its answer was sent.
  await expect.poll(() => connection.listenerCount('close')).toBeLessThanOrEqual(first!)
})

test('a caller that asks for a tunnel and breaks off, or stays, neither ends the server nor keeps its connection [R16 R13]', async () => {
  const { app, request } = await startPlatform()
  const open = await listen(app)
  const tunnel = 'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n'
  for (let n = 0; n < 5; n++) (await open(tunnel)).socket.resetAndDestroy()
  const staying = await Promise.all(Array.from({ length: 5 }, () => open(tunnel)))
  for (const caller of staying) {
    await until(() => caller.said.includes('MethodNotAllowed') || undefined)
    await closed(caller)
  }
  const count = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)))
  await until(async () => (await count()) === 0 || undefined)
  expect((await request({ url: '/health/live' })).statusCode).toBe(200)
})

test('800 callers that reset their connection within the headers or the body leave nothing in work [R14 R25]', async () => {
  const { app, request } = await startPlatform()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const callers = Array.from({ length: 800 }, () => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${postOf('x'.repeat(9000))}{`)
      socket.resetAndDestroy()
    })
    socket.on('error', () => {})
    return once(socket, 'close')
  })
  await Promise.all(callers)
  const count = () => new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)))
  await until(async () => (await count()) === 0 || undefined)
  expect((await request({ url: '/api/facts' })).statusCode).toBe(200)
})

test('600 callers that leave within their body or within their answer leave nothing in work [R14 R25]', async () => {
  const gate = Promise.withResolvers<void>()
  const { app, request } = await startPlatform([
    facts[0]!,
    handle(listFacts, sameForAll, async () => gate.promise.then(() => [])),
  ])
  const open = await listen(app)
  for (let n = 0; n < 600; n++) {
    const { socket } = await open(n % 2 === 0 ? `${postOf(body)}{` : get('/api/facts'))
    socket.destroy()
  }
  gate.resolve()
  const isServed = await until(
    async () => (await request({ url: '/api/facts' })).statusCode === 200 || undefined,
  )
  expect(isServed).toBe(true)
})

test('of 2000 requests at once on one connection 100 are handled, the rest are refused, and other people are served [R25]', async () => {
  const gate = Promise.withResolvers<void>()
  let worked = 0
  const { app, request } = await startPlatform([
    handle(listFacts, sameForAll, async () => {
      worked++
      await gate.promise
      return []
    }),
  ])
  const open = await listen(app)
  const caller = await open(get('/api/facts').repeat(2000))
  await until(() => worked >= 100 || undefined)
  expect((await request({ url: '/health/ready' })).statusCode).toBe(200)
  gate.resolve()
  await closed(caller)
  expect(worked).toBe(100)
})

async function startLongDiary() {
  const t = await startTestApp()
  const ana = await t.person()
  await t.db.execute(sql`
    insert into diary_entries (user_id, entry_date, content, size, updated_at)
    select ${ana.me.id}, date '2010-01-01' + n, convert_to(repeat('x', 100000), 'UTF8'), 100000, app_now()
    from generate_series(1, 300) n`)
  const open = await listen(t.app)
  const cookie = [...ana.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const read = async () => {
    const reader = await open(get('/api/diary', cookie))
    await until(() => reader.said !== '' || undefined)
    reader.socket.pause()
    return reader
  }
  return { ...t, read }
}

test('a person reads at most four long lists at a time, a fifth is refused with 429, and there is room again when one leaves [R25]', async () => {
  const { read } = await startLongDiary()
  const readers = await Promise.all(Array.from({ length: 4 }, read))
  expect(readers.map(({ said }) => said.slice(0, 13))).toEqual(Array(4).fill('HTTP/1.1 200 '))
  const fifth = await read()
  expect(fifth.said).toMatch(/^HTTP\/1\.1 429 /)
  expect(fifth.said).toMatch(/\r\nretry-after: 5\r\n/i)
  readers[0]!.socket.destroy()
  await until(async () => (await read()).said.startsWith('HTTP/1.1 200 ') || undefined)
})

test('a reader that takes nothing of a long list for 10 s is cut off [R11]', async () => {
  const { app, clock, read } = await startLongDiary()
  const served = once(app.server, 'connection')
  await read()
  const [connection] = (await served) as [Socket]
  await until(() => connection.writableLength > 0 || undefined)
  expect(connection.destroyed).toBe(false)
  await until(() => {
    clock.advance(1000)
    return connection.destroyed || undefined
  })
})

test('a closing server ends what has not arrived with 503, finishes work in progress, and is closed at once [R17]', async () => {
  const gate = Promise.withResolvers<void>()
  const { app, stored } = await startPlatform([
    facts[0]!,
    handle(listFacts, sameForAll, async () => gate.promise.then(() => [{ name: 'done' }])),
  ])
  const open = await listen(app)
  const unfinished = await open(`${postOf(body)}{`)
  const [silent, half, working] = [await open(), await open('GET /api/fa'), await open(get('/api/facts'))]
  const early = await open(`${postOf(body).replace('\r\n', '\r\nsec-fetch-site: cross-site\r\n')}{`)
  await until(() => early.said.startsWith('HTTP/1.1 403 ') || undefined)
  const isClosed = app.close()
  await Promise.all([unfinished, silent, half, early].map(closed))
  expectUnavailable(unfinished.said)
  expect([silent.said, half.said]).toEqual(['', ''])
  expect(working.said).toBe('')
  const from = performance.now()
  gate.resolve()
  await isClosed
  expect(performance.now() - from).toBeLessThan(1000)
  await closed(working)
  expect(working.said).toMatch(/^HTTP\/1\.1 200 /)
  expect(working.said).toMatch(/\r\nconnection: close\r\n/i)
  expect(working.said).toContain('[{"name":"done"}]')
  expect(await stored()).toEqual([])
})

test('a request that reaches a closing server is refused with 503, when to come back, and all headers [R17 S38]', async () => {
  const gate = Promise.withResolvers<void>()
  const { app, stored } = await startPlatform()
  app.addHook('preClose', () => gate.promise)
  const open = await listen(app)
  const isClosed = app.close()
  for (const text of [get('/api/facts'), get('/health/ready'), postOf(body) + body]) {
    const late = await open(text)
    await closed(late)
    expectUnavailable(late.said)
  }
  gate.resolve()
  await isClosed
  expect(await stored()).toEqual([])
})
