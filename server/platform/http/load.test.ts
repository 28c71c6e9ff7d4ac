import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp } from '#server/testing/test-app.ts'
import { watchLoad } from './overload.ts'

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

test('a reader that takes nothing is let go [R13]', async () => {
  const { app, open } = await startListening()
  app.server.timeout = 300
  const served = once(app.server, 'connection')
  const socket = await open()
  socket.pause()
  const [connection] = (await served) as [Socket]
  let unsent = 0
  connection.once('timeout', () => (unsent = connection.writableLength))
  // Answers that nobody takes, until no more fit into the connection.
  const question = 'GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'
  for (let i = 0; i < 300; i++) socket.write(question)
  await once(connection, 'close')
  expect(unsent).toBeGreaterThan(0)
})

test('with 500 requests in work new ones are put off, health and logout answer, and all is normal within 5 s [R14]', async () => {
  const { open, ask } = await startListening()
  const waiting = await Promise.all(Array.from({ length: 500 }, () => open(unfinishedPost)))
  await until(async () => (await ask('/api/feed/day/0')).status === 503)
  const refused = await ask('/api/feed/day/0')
  expect(refused.status).toBe(503)
  expect(['1', '2', '3', '4', '5']).toContain(refused.headers.get('retry-after'))
  expect((await ask('/health/live')).status).toBe(200)
  expect((await ask('/health/ready')).status).toBe(200)
  expect((await ask('/api/logout', { method: 'POST' })).status).toBeLessThan(300)
  for (const socket of waiting) socket.destroy()
  await until(async () => (await ask('/api/feed/day/0')).status === 200)
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
