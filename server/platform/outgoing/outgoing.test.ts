import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createOutgoing } from './outgoing.ts'
import { isPublicAddress } from './public-addresses.ts'

/** A real server on this machine, with the bodies that it has received. */
async function startReceiver(
  answer: RequestListener = (_request, response) => response.writeHead(204).end(),
) {
  const received: { method: string; url: string; host: string; body: string }[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    received.push({ method, url, host: headers.host ?? '', body: await text(request) })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, port: (server.address() as AddressInfo).port }
}

/** Calls this machine too, which only tests do. */
const anywhere = createOutgoing({ mayCall: () => true })
const call = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'Good news' }
const notPublic = 'The host is not in the public internet.'

test('a call reaches its host with its body and headers, and its status is returned [S59]', async () => {
  const { received, port } = await startReceiver()
  expect(await anywhere({ ...call, url: `http://127.0.0.1:${port}/hook?a=1` })).toMatchObject({ status: 204 })
  expect(received).toEqual([
    { method: 'POST', url: '/hook?a=1', host: `127.0.0.1:${port}`, body: 'Good news' },
  ])
})

test.each([
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '2852039166',
  '172.31.255.255',
  '192.168.0.1',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[ff02::1]',
  'localhost',
  'LOCALHOST',
])('a call to http://%s is refused and reaches nobody [S59]', async (host) => {
  const { received, port } = await startReceiver()
  await expect(createOutgoing()({ ...call, url: `http://${host}:${port}/` })).rejects.toThrow(notPublic)
  expect(received).toEqual([])
})

test.each(['8.8.8.8', '172.32.0.1', '100.63.255.255', '2606:4700::1111', '2a00:1450:4001::1'])(
  'the address %s is public [S59]',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test('a name with one private address among public ones is refused [S59]', async () => {
  const { received, port } = await startReceiver()
  const callOut = createOutgoing({ resolve: async () => ['8.8.8.8', '127.0.0.1'] })
  await expect(callOut({ ...call, url: `http://example.org:${port}/` })).rejects.toThrow(notPublic)
  expect(received).toEqual([])
})

test('a name is resolved once, and the connection goes to the address that was checked [S59]', async () => {
  const { received, port } = await startReceiver()
  const answers = [['127.0.0.1'], ['127.0.0.2']]
  const checked: string[] = []
  const callOut = createOutgoing({
    resolve: async () => answers.shift() ?? [],
    mayCall: (address) => checked.push(address) > 0,
  })
  expect(await callOut({ ...call, url: `http://changing.invalid:${port}/` })).toMatchObject({ status: 204 })
  expect(received).toMatchObject([{ host: `changing.invalid:${port}` }])
  expect(checked).toEqual(['127.0.0.1'])
  expect(answers).toHaveLength(1)
})

test('only a host that the operator has named may be in the own network [S59]', async () => {
  const { received, port } = await startReceiver()
  const callOut = createOutgoing()
  const url = `http://localhost:${port}/`
  expect(await callOut({ ...call, url, isHostOfOperator: true })).toMatchObject({ status: 204 })
  await expect(callOut({ ...call, url })).rejects.toThrow(notPublic)
  expect(received).toHaveLength(1)
})

test('a redirect is an answer, and is not followed [S59]', async () => {
  const { received: reached, port: inside } = await startReceiver()
  const { port } = await startReceiver((_request, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${inside}/` }).end(),
  )
  expect(await anywhere({ ...call, url: `http://127.0.0.1:${port}/` })).toMatchObject({ status: 307 })
  expect(reached).toEqual([])
})

test('an answer without an end, and one that decompresses to much, are read up to 64 KiB [S59 R24]', async () => {
  let written = 0
  const chunk = Buffer.alloc(16 * 1024, 'a')
  const { port } = await startReceiver((_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length
    }
    response.writeHead(200).on('drain', write)
    write()
  })
  const begun = performance.now()
  expect(await anywhere({ ...call, url: `http://127.0.0.1:${port}/` })).toMatchObject({ status: 200 })
  expect(performance.now() - begun).toBeLessThan(4000)
  // What the buffers of both sides hold is sent too.
  expect(written).toBeLessThan(32 * 1024 * 1024)

  const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024))
  const { port: ofBomb } = await startReceiver((_request, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
  )
  const before = process.memoryUsage().rss
  expect(await anywhere({ ...call, url: `http://127.0.0.1:${ofBomb}/` })).toMatchObject({ status: 200 })
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024)
})

test('the beginning of an answer is read, with its type, and the caller learns whether it was cut [S59]', async () => {
  const read = createOutgoing()
  const { port, received } = await startReceiver((request, response) => {
    const body = Buffer.alloc(request.url === '/long' ? 64 * 1024 + 1 : 64 * 1024, 'a')
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  const get = { method: 'GET', headers: {}, body: '', isHostOfOperator: true }
  const whole = await read({ ...get, url: `http://127.0.0.1:${port}/` })
  expect(whole).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' }, isCut: false })
  expect(whole.body).toHaveLength(64 * 1024)
  const cut = await read({ ...get, url: `http://127.0.0.1:${port}/long` })
  expect([cut.isCut, cut.body.length]).toEqual([true, 64 * 1024])
  expect(received.map(({ method }) => method)).toEqual(['GET', 'GET'])
})

test.each<[string, RequestListener]>([
  ['never answers', () => {}],
  [
    'answers a byte at a time',
    (_request, response) => {
      const timer = setInterval(() => response.write('a'), 200)
      response.writeHead(200).on('close', () => clearInterval(timer))
    },
  ],
])('a host that %s is given up after five seconds [S59]', async (_what, answer) => {
  const { port } = await startReceiver(answer)
  const begun = performance.now()
  await expect(anywhere({ ...call, url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  expect(performance.now() - begun).toBeGreaterThan(4900)
  expect(performance.now() - begun).toBeLessThan(9000)
})

test('a name that is never resolved is given up after five seconds, and an abort ends a call at once [S59]', async () => {
  const callOut = createOutgoing({ resolve: () => new Promise(() => {}) })
  await expect(callOut({ ...call, url: 'http://slow.invalid/' })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  const { port } = await startReceiver(() => {})
  const stopping = new AbortController()
  const answer = anywhere({ ...call, url: `http://127.0.0.1:${port}/`, signal: stopping.signal })
  stopping.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})

test('a host that closes the connection, or answers what is not HTTP, fails the call [S59]', async () => {
  const closed = /socket hang up|Parse Error|closed without an answer/
  for (const answer of [
    ((request) => request.socket.destroy()) satisfies RequestListener,
    ((request) => request.socket.end('SSH-2.0\r\n')) satisfies RequestListener,
    ((request) =>
      request.socket.end(
        'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
      )) satisfies RequestListener,
  ]) {
    const { port } = await startReceiver(answer)
    await expect(anywhere({ ...call, url: `http://127.0.0.1:${port}/` })).rejects.toThrow(closed)
  }
})
