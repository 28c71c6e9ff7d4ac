import type { IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { facts, startPlatform } from '#server/testing/test-platform.ts'
import { clientAddress, isLoopback, isThisMachine } from './origin.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['203.0.113.9:5678', '203.0.113.9'],
  ['[2001:db8:1:2::6]:443', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::6]', '2001:db8:1:2::/64'],
  ['[::ffff:203.0.113.9]:443', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['::FFFF:203.0.113.9', '203.0.113.9'],
  ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
  ['0000:0000:0000:0000:0000:ffff:203.0.113.9', '203.0.113.9'],
  ['64:ff9b::203.0.113.9', '64:ff9b:0:0::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['::', '0:0:0:0::/64'],
  [' 203.0.113.9 ', '203.0.113.9'],
  [undefined, 'unknown'],
  ['', 'unknown'],
  ['unknown', 'unknown'],
  ['_hidden', 'unknown'],
  ['300.0.113.9', 'unknown'],
  ['203.0.113.9:x', 'unknown'],
  ['1:2:3', 'unknown'],
  ['1::2::3', 'unknown'],
  ['[2001:db8::1', 'unknown'],
  ['x'.repeat(10_000), 'unknown'],
])('a limit counts %s as %s [S47]', (ip, client) => {
  expect(clientAddress(ip)).toBe(client)
})

test.each([
  ['127.0.0.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['2001:db8::1', false],
])('%s is this machine: %s [S47]', (ip, expected) => {
  expect(isLoopback(ip)).toBe(expected)
})

test.each([
  ['localhost', true],
  ['LocalHost', true],
  ['127.0.0.53', true],
  ['::1', true],
  ['[::1]', true],
  ['localhost.example.org', false],
  ['127.example.org', false],
  ['[2001:db8::1]', false],
  ['0.0.0.0', false],
  ['', false],
])('an address with the host %j leads to this machine: %s [S47]', (host, expected) => {
  expect(isThisMachine(host)).toBe(expected)
})

test.each([
  ['x-forwarded-for', '203.0.113.9'],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-host', 'zimmer.example'],
  ['x-forwarded-proto', 'https'],
  ['forwarded', 'for=203.0.113.9'],
  ['x-real-ip', '203.0.113.9'],
  ['via', '1.1 proxy'],
  ['cf-connecting-ip', '203.0.113.9'],
  ['true-client-ip', '203.0.113.9'],
])(
  'a request that a neighbour forwards with %s: %s is not local, with or without TRUST_PROXY [S53 R21]',
  async (name, value) => {
    for (const trustProxy of [undefined, '127.0.0.1']) {
      const { request } = await startPlatform(facts, { trustProxy })
      expect((await request({ url: '/metrics' })).statusCode).toBe(200)
      expect((await request({ url: '/metrics', headers: { [name]: value } })).statusCode).toBe(404)
    }
  },
)

test('the callers of a proxy that is not trusted share the limits of its address, and direct ones have none [S47 S53]', async () => {
  const { request } = await startPlatform()
  const ask = (forwarded: string) => request({ url: '/api/facts', headers: { 'x-forwarded-for': forwarded } })
  for (let i = 0; i < 600; i++) await ask(`198.51.100.${i % 250}`)
  expect((await ask('203.0.113.9')).statusCode).toBe(429)
  expect((await request({ url: '/api/facts' })).statusCode).toBe(200)
})

test('the callers of a trusted proxy have limits of their own, and what they forge to the left of their address changes nothing [S47]', async () => {
  const { request } = await startPlatform(facts, { trustProxy: '127.0.0.1' })
  const ask = (forwarded: string) => request({ url: '/api/facts', headers: { 'x-forwarded-for': forwarded } })
  for (let i = 0; i < 600; i++) await ask(`198.51.100.${i % 250}, 203.0.113.9`)
  expect((await ask('198.51.100.251, 203.0.113.9')).statusCode).toBe(429)
  expect((await ask('203.0.113.9, 198.51.100.1')).statusCode).toBe(200)
})

test.each([
  ['a port', (i: number) => `203.0.113.9:${1024 + i}`],
  ['text that is no address', (i: number) => `caller-${i}`],
])(
  'a caller of a trusted proxy that names %s too has the limits of one address [S47]',
  async (_what, name) => {
    const { request } = await startPlatform(facts, { trustProxy: '127.0.0.1' })
    const ask = (i: number) => request({ url: '/api/facts', headers: { 'x-forwarded-for': name(i) } })
    for (let i = 0; i < 600; i++) expect((await ask(i)).statusCode).toBe(200)
    expect((await ask(600)).statusCode).toBe(429)
  },
)

test.each([undefined, '127.0.0.1'])(
  'a request whose connection is reset already is answered without a fault, with TRUST_PROXY %s [S47]',
  async (trustProxy) => {
    const { app } = await startPlatform(facts, { trustProxy })
    app.server.prependListener('request', (incoming: IncomingMessage) => incoming.socket.destroy())
    let fault: Error | undefined
    app.addHook('onError', async (_request, _reply, error) => void (fault = error))
    const answered = new Promise((resolve) => app.server.once('test-answered', resolve))
    app.addHook('onSend', async () => void app.server.emit('test-answered'))
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    await fetch(`${address}/api/facts`).catch(() => undefined)
    await answered
    // A refusal with a sentence, not an unexpected error.
    expect(fault).toMatchObject({ code: 'Unavailable' })
  },
)

test.each([
  ['localhost', 200],
  ['localhost:3000', 200],
  ['LOCALHOST', 200],
  ['127.0.0.1:3000', 200],
  ['127.8.9.10', 200],
  ['[::1]:3000', 200],
  ['zimmer.example', 404],
  ['zimmer.example:3000', 404],
  ['localhost.zimmer.example', 404],
  ['127.0.0.1.zimmer.example', 404],
  ['203.0.113.9', 404],
  ['[2001:db8::1]', 404],
])(
  'a request of this machine that asks the host %s gets %i for the metrics [S53 R21]',
  async (host, status) => {
    const { request } = await startPlatform(facts, { publicOrigin: 'https://zimmer.example' })
    expect((await request({ url: '/metrics', headers: { host } })).statusCode).toBe(status)
  },
)

test('a request of HTTP/1.0 that names no host is not local [S53 R21]', async () => {
  const { app } = await startPlatform()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ask = async (head: string) => {
    const socket = connect(port, '127.0.0.1').end(`GET /metrics HTTP/1.0\r\n${head}\r\n`)
    return (await text(socket)).split('\r\n')[0]
  }
  expect(await ask('Host: localhost\r\n')).toBe('HTTP/1.1 200 OK')
  expect(await ask('')).toBe('HTTP/1.1 404 Not Found')
})

test('callers of a proxy that passes their host on and forwards nothing else share the limits of one address [S47 S53]', async () => {
  const { request } = await startPlatform()
  const ask = () => request({ url: '/api/facts', headers: { host: 'zimmer.example' } })
  for (let i = 0; i < 600; i++) expect((await ask()).statusCode).toBe(200)
  expect((await ask()).statusCode).toBe(429)
  expect((await request({ url: '/api/facts' })).statusCode).toBe(200)
})

test('a proxy that TRUST_PROXY does not name is logged once, and a trusted one never [S53]', async () => {
  for (const [trustProxy, count] of [
    [undefined, 1],
    ['10.0.0.7', 1],
    ['127.0.0.1', 0],
  ] as const) {
    const lines: string[] = []
    const logger = createLog('warn', { write: (line) => void lines.push(line) })
    const { request } = await startTestApp({ logger, config: { trustProxy } })
    for (let i = 0; i < 3; i++)
      await request({ url: '/api/config', headers: { 'x-forwarded-for': '203.0.113.9' } })
    await request({ url: '/api/config' })
    const said = lines.filter((line) => line.includes('TRUST_PROXY'))
    expect(said).toHaveLength(count)
  }
})
