import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { logout } from '#contract/account/endpoints.ts'
import { errors } from '#contract/errors.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { listFacts, startPlatform } from '#server/testing/test-platform.ts'
import { handle } from './handle.ts'
import { watchLoad } from './overload.ts'
import { everyone, sameForAll } from './policy.ts'

/** A server that is reached over the network, byte by byte. */
async function startListening() {
  const t = await startTestApp({ config: { limitsRates: false } })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as AddressInfo
  const open = async (text = '') => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(text)
    return socket
  }
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { connection: 'close' },
    })
    await answer.arrayBuffer()
    return answer
  }
  return { ...t, open, ask }
}

const done = Promise.resolve([])

const unfinishedPost =
  'POST /api/pending-posts HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'

/** What the server says before it hangs up. */
async function lastWords(socket: Socket) {
  let said = ''
  socket.on('data', (chunk) => (said += chunk.toString()))
  await once(socket, 'close')
  return said
}

test('a connection has 10 s for its headers, 30 s for its request, and 5 s to stand idle [R13]', async () => {
  const { app } = await startListening()
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections, timeout } = app.server
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, maxConnections, timeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5000,
    maxConnections: 10_000,
    timeout: 30_000,
  })
})

test('who sends its headers or its text too slowly is told so and let go, and may try again [R13]', async () => {
  const { app, open, ask } = await startListening()
  app.server.headersTimeout = 100
  app.server.requestTimeout = 200
  const slow = [await open(), await open('GET /api/feed HTTP/1.1\r\nhost: local'), await open(unfinishedPost)]
  const words = await Promise.all(slow.map(lastWords))
  expect(words[0]).toMatch(/^$|^HTTP\/1\.1 408 /)
  for (const said of words.slice(1)) {
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(said).toMatch(/\r\nconnection: close\r\n/i)
  }
  expect((await ask('/api/feed/day/0')).status).toBe(200)
})

test('an idle connection is closed by the server [R13]', async () => {
  const { app, open } = await startListening()
  app.server.keepAliveTimeout = 100
  expect(await lastWords(await open('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n'))).toContain(
    ' 200 OK',
  )
})

test('with 500 requests in work new ones are put off, health and logout answer, and all is normal afterwards [R14]', async () => {
  const gate = Promise.withResolvers<[]>()
  const { request } = await startPlatform([
    handle(listFacts, sameForAll, ({ query }) => (query.limit ? gate.promise : done)),
    handle(logout, everyone, async () => ({ ok: true as const })),
  ])
  const waiting = Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      request({ url: '/api/facts?limit=1', remoteAddress: `203.0.113.${n % 2}` }),
    ),
  )
  await until(async () => (await request({ url: '/api/facts' })).statusCode === 503)
  const refused = await request({ url: '/api/facts' })
  expect(refused.json()).toEqual({ code: 'Unavailable', error: errors.Unavailable.error })
  expect(['1', '2', '3', '4', '5']).toContain(refused.headers['retry-after'])
  expect((await request({ url: '/health/live' })).statusCode).toBe(200)
  expect((await request({ url: '/health/ready' })).statusCode).toBe(200)
  expect((await request({ method: 'POST', url: '/api/logout' })).statusCode).toBe(200)
  gate.resolve([])
  expect(new Set((await waiting).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect((await request({ url: '/api/facts' })).statusCode).toBe(200)
})

test('one address has at most 400 requests in work, and one person 100; others are served [R25]', async () => {
  const gate = Promise.withResolvers<[]>()
  const { request } = await startPlatform([
    handle(listFacts, everyone, ({ query }) => (query.limit ? gate.promise : done)),
  ])
  const begin = (count: number, cookie: string, remoteAddress: string) =>
    Array.from({ length: count }, () =>
      request({ url: '/api/facts?limit=1', headers: { cookie }, remoteAddress }),
    )
  const ofPerson = begin(101, 'sid=ana', '127.0.0.1')
  expect(await Promise.race(ofPerson)).toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } })
  const ofAddress = begin(301, '', '127.0.0.1')
  expect(await Promise.race(ofAddress)).toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } })
  expect((await request({ url: '/api/facts', remoteAddress: '203.0.113.9' })).statusCode).toBe(200)
  gate.resolve([])
  const statuses = (await Promise.all([...ofPerson, ...ofAddress])).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status !== 200)).toEqual([429, 429])
  expect((await request({ url: '/api/facts' })).statusCode).toBe(200)
})

test.each([
  ['one long block', [500], false],
  ['two in a row', [900, 201], false],
  ['a pause between', [900, 900, 200, 900, 900], false],
  ['three in a row', [201, 900, 500], true],
  ['a first quiet half second', [900, 900, 900, 900, 10], false],
])(
  'after %s of the event loop new requests are put off only while it stays over 200 ms [R14]',
  (_name, means, isOverloaded) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const delay = { mean: 0, enable: () => true, disable: () => true, reset: () => {} }
    const load = watchLoad(delay)
    onTestFinished(load.stop)
    for (const mean of means) {
      delay.mean = mean * 1e6
      vi.advanceTimersByTime(500)
    }
    expect(load.isOverloaded).toBe(isOverloaded)
  },
)

async function until(isSo: () => Promise<boolean>) {
  for (const deadline = Date.now() + 5000; !(await isSo()); await delay(20)) {
    if (Date.now() > deadline) throw new Error('It did not come about within 5 s.')
  }
}
