import { expect, type TestContext, test, vi } from 'vitest'
import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { login, loginAsGuest, register } from '#contract/account/endpoints.ts'
import { addAllowance, endAllowance, listAllowances } from '#contract/allowances/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { readConfig } from '#server/config.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTwoApps } from '#server/testing/messengers.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { allowances } from './schema.ts'

const school = '198.51.100.7'
const inAnHour = '2025-06-10T13:00:00.000Z'
const unknownId = '00000000-0000-7000-8000-000000000000'

/** How many of `count` calls from an address pass. */
const passing =
  (request: (options: object) => Promise<{ statusCode: number }>) =>
  async (address: string, count: number, url: string, payload?: (n: number) => object) => {
    const headers = { 'x-forwarded-for': address }
    let passed = 0
    for (let n = 0; n < count; n++) {
      const call = payload ? { method: 'POST', payload: payload(n) } : { method: 'GET' }
      const { statusCode } = await request({ url, headers, ...call })
      expect([200, 201, 400, 401, 403, 429]).toContain(statusCode)
      if (statusCode < 300) passed++
    }
    return passed
  }

/** An instance behind a proxy, with an admin. */
async function start(environment?: string) {
  const registrationAllowances =
    environment &&
    readConfig({ NODE_ENV: 'test', REGISTRATION_ALLOWANCE: environment }).registrationAllowances
  const t = await startTestApp({
    config: { trustProxy: '127.0.0.1', ...(registrationAllowances && { registrationAllowances }) },
  })
  const boss = await t.admin()
  const pass = passing((options) => t.request(options))
  const guests = (address: string, count: number) => pass(address, count, loginAsGuest.path, () => ({}))
  return { ...t, boss, pass, guests, ...callsOf(boss) }
}

const callsOf = (boss: Client) => ({
  allow: (network: string | null, factor: number, until = inAnHour) =>
    boss.does(addAllowance, { input: { network, factor, until } }),
  tryToAllow: (input: object) =>
    boss.tries(addAllowance, { input: { network: school, factor: 3, until: inAnHour, ...input } }),
})

test('a class behind one address registers, signs in, submits and reads with an allowance of an admin [INST-16]', async () => {
  const { allow, pass } = await start()
  await allow('198.51.100.0/24', 2)
  const account = (n: number) => ({ email: `pupil${n}@example.org`, password: 'a secret 1' })
  expect(await pass(school, 21, register.path, account)).toBe(20)
  expect(await pass(school, 21, login.path, (n) => account(n % 20))).toBe(20)
  const post = (n: number) => ({ content: `Line ${n}`, authorName: 'Nia' })
  expect(await pass(school, 11, submitPost.path, post)).toBe(10)
  // A prepared answer is counted before the framework reads the request.
  expect(await pass(school, 601, '/api/feed/day/0')).toBe(601)
  // Another address has the usual limits.
  expect(await pass('203.0.113.1', 11, login.path, (n) => account(n % 20))).toBe(10)
})

test.each<[string | null, string, string[], string[]]>([
  ['198.51.100.7', school, ['::ffff:198.51.100.7'], ['198.51.100.8']],
  ['198.51.100.0/24', '198.51.100.254', [], ['198.51.101.7']],
  ['2001:DB8:0:fe00::/56', '2001:db8:0:feff::1', ['2001:db8:0:feff::2'], ['2001:db8:0:ff00::1']],
  ['2001:db8:0:fe00::7', '2001:db8:0:fe00::9', [], ['2001:db8:0:fe01::7']],
  [null, 'no address', [], []],
])(
  'an allowance for %s holds there, and nowhere else [INST-16 S47]',
  async (network, inside, sameCounter, outside) => {
    const { allow, guests } = await start()
    await allow(network, 2)
    expect(await guests(inside, 21)).toBe(20)
    for (const address of sameCounter) expect(await guests(address, 1)).toBe(0)
    for (const address of outside) expect(await guests(address, 11)).toBe(10)
  },
)

test('an allowance ends by the clock, or as soon as an admin ends it [INST-16]', async () => {
  const { allow, guests, boss, clock } = await start()
  const { id } = await allow(null, 2)
  await allow(school, 3, '2025-06-10T12:05:00.000Z')
  expect(await guests(school, 25)).toBe(25)
  // Within the window of the limit.
  clock.set('2025-06-10T12:05:00Z')
  expect(await guests(school, 1)).toBe(0)
  expect((await boss.does(listAllowances)).map((each) => each.id)).toEqual([id])
  await boss.does(endAllowance, { params: { id } })
  expect(await guests('203.0.113.1', 11)).toBe(10)
  expect(await boss.does(listAllowances)).toEqual([])
})

test('of several allowances for an address the largest holds, those of the environment included [INST-16 S47]', async () => {
  const { allow, guests } = await start(`${school} 30 2025-06-10T13:00Z, 203.0.113.1 12 2025-06-10T13:00Z`)
  await allow(null, 2)
  await allow('198.51.100.0/24', 4)
  await allow(school, 3)
  expect(await guests(school, 41)).toBe(40)
  expect(await guests('203.0.113.1', 21)).toBe(20)
})

test('an allowance of the environment that is larger than the one of an admin holds [INST-16 S47]', async () => {
  const { allow, guests } = await start(`${school} 30 2025-06-10T13:00Z`)
  await allow(school, 2)
  expect(await guests(school, 31)).toBe(30)
})

test('no allowance lets anybody guess the password of an account faster [INST-16 S12]', async () => {
  const { allow, person, pass } = await start()
  await allow(null, 20)
  const ana = await person()
  const guess = (n: number) => ({ email: ana.me.email!, password: `wrong ${n}` })
  await pass(school, 6, login.path, guess)
  const right = { email: ana.me.email!, password: 'secret pass 1' }
  expect(await pass(school, 1, login.path, () => right)).toBe(0)
})

test('the limits of persons stay [INST-16 S47]', async () => {
  const { allow, person } = await start()
  await allow(null, 20)
  const [ana, ben] = [await person(), await person()]
  const input = { kind: 'person', targetId: ben.me.id, reason: 'Unkind.' } as const
  for (let n = 0; n < 20; n++) await ana.does(reportAbuse, { input })
  expect(await ana.tries(reportAbuse, { input })).toMatchObject({ status: 429 })
})

test.each([
  ['factor', { factor: 1 }],
  ['factor', { factor: 21 }],
  ['factor', { factor: 2.5 }],
  ['until', { until: '2025-06-10T12:00:00.000Z' }],
  ['until', { until: '2025-09-08T13:00:00.000Z' }],
  ['until', { until: '2025-02-30T12:00:00.000Z' }],
  ['network', { network: 'school' }],
  ['network', { network: '198.51.100.0/33' }],
  ['network', { network: '10.0.0.0/7' }],
  ['network', { network: '2001:db8::/65' }],
  ['network', { network: '::/16' }],
  ['network', { network: '0::/16' }],
  ['network', { network: '0:0:0:0::/64' }],
  ['network', { network: '' }],
  ['network', { network: `${'1'.repeat(51)}` }],
  ['network', { network: '198.51.100.7/24' }],
])('an allowance with a wrong %s is refused: %j, and nothing changes [INST-16 S31]', async (field, wrong) => {
  const { db, tryToAllow } = await start()
  const before = await contentOf(db)
  const answer = await tryToAllow(wrong)
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(Object.keys(answer.fields!)).toEqual([field])
  expect(await contentOf(db)).toEqual(before)
})

test('a row that names no network ends no other allowance [INST-16 R28]', async () => {
  const { db, allow, guests } = await start()
  await db.insert(allowances).values({
    id: unknownId,
    network: '::/16',
    factor: 2,
    until: inAnHour,
  })
  await allow(null, 2)
  expect(await guests('198.51.100.7', 21)).toBe(20)
})

test('an admin who names an address within a network reads which network it is [INST-16]', async () => {
  const { tryToAllow } = await start()
  expect((await tryToAllow({ network: '198.51.100.7/24' })).fields).toEqual({
    network: 'This is an address within a network. The network is 198.51.100.0/24.',
  })
})

test('an allowance lasts up to 90 days, and 20 hold at once, also when they are added at once [INST-16 R6]', async () => {
  const { db, allow, tryToAllow, clock, boss, admin } = await start()
  await allow(null, 2, '2025-09-08T11:00:00.000Z')
  // The calls of one admin wait for each other, those of several do not.
  const admins = [boss, await admin(), await admin(), await admin(), await admin()]
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, n) => callsOf(admins[n % admins.length]!).tryToAllow({})),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(19)
  const before = await contentOf(db)
  expect(await tryToAllow({})).toMatchObject({ status: 400, code: 'TooManyAllowances' })
  expect(await contentOf(db)).toEqual(before)
  clock.set(inAnHour)
  expect(await boss.does(listAllowances)).toHaveLength(1)
  expect(await tryToAllow({ until: '2025-06-10T14:00:00.000Z' })).toMatchObject({ status: 201 })
})

test('the audit log has who has added and who has ended an allowance [INST-16 S49]', async () => {
  const { db, allow, boss } = await start()
  const { id } = await allow(' 2001:DB8:0:feff::1 ', 5)
  await boss.does(endAllowance, { params: { id } })
  for (const other of [id, unknownId])
    expect(await boss.tries(endAllowance, { params: { id: other } })).toMatchObject({
      status: 404,
      code: 'AllowanceNotFound',
    })
  const lines = (await contentOf(db))['audit_log']!.filter((line) => line.includes('allowance-'))
  expect(lines).toHaveLength(2)
  for (const line of lines)
    for (const part of [boss.me.id, id, '2001:db8:0:feff::/64', '5 times', inAnHour])
      expect(line).toContain(part)
})

test('another process follows within two seconds when an allowance is added and when it is ended [INST-16]', async (context: TestContext) => {
  const t = await startTwoApps('Redis', context, { trustProxy: '127.0.0.1' })
  const boss = await t.admin()
  const pass = passing((options) => t.atOther(t.visitor()).request(options))
  const guests = (count: number) => pass(school, count, loginAsGuest.path, () => ({}))
  expect(await guests(11)).toBe(10)
  const { id } = await callsOf(boss).allow(null, 20)
  const within = { timeout: 2000, interval: 50 }
  await vi.waitFor(async () => expect(await guests(1)).toBe(1), within)
  await boss.does(endAllowance, { params: { id } })
  await vi.waitFor(async () => expect(await guests(1)).toBe(0), within)
})
