import { expect, test } from 'vitest'
import { loginAsGuest } from '#contract/account/endpoints.ts'
import { readConfig } from '#server/config.ts'
import { startTestApp } from '#server/testing/test-app.ts'

/** An instance behind a proxy with an allowance that ends in an hour, and how many of `count` calls from an address pass. */
async function start(allowance: string) {
  const { registrationAllowances } = readConfig({ NODE_ENV: 'test', REGISTRATION_ALLOWANCE: allowance })
  const t = await startTestApp({ config: { trustProxy: '127.0.0.1', registrationAllowances } })
  const passing = async (address: string, count: number, url: string, payload?: (n: number) => object) => {
    const headers = { 'x-forwarded-for': address }
    let passed = 0
    for (let n = 0; n < count; n++) {
      const call = payload ? { method: 'POST' as const, payload: payload(n) } : { method: 'GET' as const }
      const { statusCode } = await t.request({ url, headers, ...call })
      expect([200, 201, 429]).toContain(statusCode)
      if (statusCode < 300) passed++
    }
    return passed
  }
  const guests = (address: string, count: number) => passing(address, count, loginAsGuest.path, () => ({}))
  return { ...t, passing, guests }
}

const school = '198.51.100.7'

test('a class of 30 behind one address registers, signs in and reads with an allowance [S47]', async () => {
  const { passing } = await start(`${school} 30 2025-06-10T13:00Z`)
  const account = (n: number) => ({ email: `pupil${n}@example.org`, password: 'a secret 1' })
  expect(await passing(school, 31, '/api/register', account)).toBe(30)
  expect(await passing(school, 31, '/api/login', (n) => account(n % 30))).toBe(30)
  for (const path of ['/dashboard', '/api/config', '/api/feed/day/0', '/api/zimmer-rooms', '/api/litmag'])
    expect([path, await passing(school, 90, path)]).toEqual([path, 90])
})

test('an allowance holds for its network alone, IPv6 by /64, and ends by the clock of the server [S47]', async () => {
  const { guests, clock } = await start(
    '198.51.100.0/24 12 2025-06-10T13:00Z, 2001:db8:0:fe00::/56 14 2025-06-10T15:00+02:00',
  )
  expect(await guests(school, 13)).toBe(12)
  expect(await guests('198.51.100.8', 13)).toBe(12)
  expect(await guests('::ffff:198.51.100.9', 13)).toBe(12)
  expect(await guests('198.51.101.7', 13)).toBe(10)
  expect(await guests('2001:db8:0:feff::1', 14)).toBe(14)
  expect(await guests('2001:db8:0:feff::2', 1)).toBe(0)
  expect(await guests('2001:db8:0:ff00::1', 15)).toBe(10)
  expect(await guests('no address', 11)).toBe(10)
  clock.set('2025-06-10T13:00:00Z')
  for (const address of [school, '2001:db8:0:feff::1']) expect(await guests(address, 13)).toBe(10)
})

test('an allowance never lowers a limit [S47]', async () => {
  const { guests } = await start(`${school}/32 3 2025-06-10T13:00Z`)
  expect(await guests(school, 11)).toBe(10)
})

test.each([
  '198.51.100.7',
  '198.51.100.7 30',
  '198.51.100.7 30 tomorrow',
  '198.51.100.7 30 2025-06-10T13:00',
  '198.51.100.7 30 2025-13-10T13:00Z',
  '198.51.100.7 0 2025-06-10T13:00Z',
  '198.51.100.7 99999 2025-06-10T13:00Z',
  '198.51.100.0/33 30 2025-06-10T13:00Z',
  '2001:db8::/65 30 2025-06-10T13:00Z',
  'school 30 2025-06-10T13:00Z',
  '198.51.100.7 30 2025-06-10T13:00Z,',
])('a start with the allowance %j is refused with one sentence', (text) => {
  expect(() => readConfig({ REGISTRATION_ALLOWANCE: text })).toThrow(
    /^The setting REGISTRATION_ALLOWANCE is not usable: a network, .*commas\.$/,
  )
})

test.each([
  ['192.0.2.77/24', '192.0.2.0/24'],
  ['10.255.0.0/9', '10.128.0.0/9'],
  ['198.51.100.7/31', '198.51.100.6/31'],
  ['2001:db8:1:2::5/48', '2001:db8:1::/48'],
  ['2001:DB8:0:feff::/56', '2001:db8:0:fe00::/56'],
])(
  'a start with an allowance for %s, which is within a network, names the network %s [S47]',
  (given, network) => {
    const start = (of: string) => readConfig({ REGISTRATION_ALLOWANCE: `${of} 30 2025-06-10T13:00Z` })
    expect(() => start(given)).toThrow(`${given} is an address within the network ${network}`)
    expect(start(network).registrationAllowances).toHaveLength(1)
  },
)
