import { expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { facts, startPlatform } from '#server/testing/test-platform.ts'
import { clientAddress, isLoopback } from './origin.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
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
