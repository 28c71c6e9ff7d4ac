import { eq } from 'drizzle-orm'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, getMe, login, logout, register } from '#contract/account/endpoints.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { Client, startTestApp } from '#server/testing/test-app.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { setPassword } from './accounts.ts'
import { createHashing } from './hashing.ts'
import { users } from './schema.ts'
import { actions, countSessions, stored } from './testing.ts'

const password = 'lamps and ink 9'
const email = 'ana@example.org'
const year = 365 * 24 * 60 * 60_000

/** An app with Ana in it, and people who come from addresses of the internet. */
async function start(config: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp(config)
  let addresses = 0
  /** A browser; without an address each of its requests comes from another one. */
  const browser = (remoteAddress?: string) =>
    new Client((options: InjectOptions) => {
      const n = ++addresses
      return t.app.inject({ ...options, remoteAddress: remoteAddress ?? `203.0.${n >> 8}.${n & 255}` })
    })
  const ana = browser('198.51.100.7')
  await ana.does(register, { input: { email, password } })
  const signIn = (client: Client, given = password, account = email) =>
    client.tries(login, { input: { email: account, password: given } })
  /** Failures from one address until it has to wait. */
  const wearOut = async (account = email, address = '203.0.113.9') => {
    const client = browser(address)
    const answers = []
    for (let i = 0; i < 6; i++) answers.push(await signIn(client, 'wrong', account))
    return answers
  }
  return { ...t, browser, ana, signIn, wearOut }
}

test('a hundred failures from many addresses lock strangers out for an hour, and the owner signs in with a known browser [S54 S12]', async () => {
  const { ana, browser, signIn, db } = await start()
  await ana.does(logout)
  const attacker = browser()
  for (let batch = 0; batch < 4; batch++)
    await Promise.all(Array.from({ length: 25 }, () => signIn(attacker, 'wrong')))
  const before = await actions(db)
  const stranger = await signIn(browser())
  expect(stranger).toMatchObject({ status: 429, code: 'SignInThrottled' })
  expect(Number(stranger.headers['retry-after'])).toBeGreaterThan(3500)
  expect(await actions(db)).toEqual(before)
  expect((await signIn(ana)).status).toBe(200)
  // The sign-in of the owner does not let strangers in.
  expect((await signIn(browser())).status).toBe(429)
}, 120_000)

test('malformed sign-ins do not count towards those of their address [S54 S47]', async () => {
  const { browser, signIn, request } = await start()
  const remoteAddress = '203.0.113.9'
  for (const payload of ['{}', '{broken', '[]', '{"email":"ana@example.org"}', '{"email":1,"password":2}'])
    for (let i = 0; i < 4; i++) {
      const headers = { 'content-type': 'application/json' }
      const answer = await request({ method: 'POST', url: '/api/login', payload, headers, remoteAddress })
      expect(answer.statusCode).toBe(400)
    }
  expect((await signIn(browser(remoteAddress))).status).toBe(200)
})

test('malformed sign-ins of one address are bounded like all of its changes [S47]', async () => {
  const { request } = await start()
  const ask = async () =>
    (await request({ method: 'POST', url: '/api/login', payload: {}, remoteAddress: '203.0.113.9' }))
      .statusCode
  for (let i = 0; i < 1200; i++) expect(await ask()).toBe(400)
  expect(await ask()).toBe(429)
})

test('ten sign-ins of an address lock strangers there out, and a person signs in with a known browser [S54 S47]', async () => {
  const { ana, browser, signIn, db } = await start()
  const address = '203.0.113.9'
  const attacker = browser(address)
  for (let i = 0; i < 10; i++) expect((await signIn(attacker, 'wrong', `a${i}@example.org`)).status).toBe(401)
  const before = await actions(db)
  for (const account of [email, 'nobody@example.org'])
    expect(await signIn(attacker, password, account)).toMatchObject({ status: 429, code: 'TooManyRequests' })
  expect(await actions(db)).toEqual(before)
  const owner = browser(address)
  owner.cookies.set('device', ana.cookies.get('device')!)
  // A device that one account knows is a stranger to another account.
  expect((await signIn(owner, password, 'nobody@example.org')).code).toBe('TooManyRequests')
  expect((await signIn(owner)).status).toBe(200)
  // The sign-in of the owner does not let strangers in.
  expect((await signIn(attacker)).code).toBe('TooManyRequests')
})

test('the known browsers of an account sign in ten times a minute together, also with new cookies [S54 S47]', async () => {
  const { ana, browser, signIn, clock } = await start()
  const device = ana.cookies.get('device')!
  const statuses = []
  for (let i = 0; i < 12; i++) {
    const known = browser()
    known.cookies.set('device', i % 2 === 0 ? device : ana.cookies.get('device')!)
    statuses.push((await signIn(i % 2 === 0 ? known : ana)).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
  clock.advance(60_000)
  expect((await signIn(ana)).status).toBe(200)
})

test('the cookie of a known device contains no name, lasts a year and stays after signing out [S54 S5 S21]', async () => {
  const { ana, db } = await start()
  const answer = await ana.tries(login, { input: { email, password } })
  const cookies = answer.headers['set-cookie'] as string[]
  expect(cookies[2]).toMatch(
    /^device=[\w-]{22}\.\d{10}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const { credentials, users: people } = await stored(db)
  for (const told of [email, people[0]!.id, people[0]!.username!, credentials[0]!.secret])
    expect(cookies[2]).not.toContain(told)
  const device = ana.cookies.get('device')
  await ana.does(logout)
  expect([...ana.cookies]).toEqual([['device', device]])
  expect((await ana.tries(getMe)).status).toBe(401)
})

test('over https the cookie of a known device is bound to the host and secure [S54 S21]', async () => {
  const { ana } = await start({ config: { publicOrigin: 'https://zimmer.example' } })
  const answer = await ana.tries(login, { input: { email, password } })
  const cookies = answer.headers['set-cookie'] as string[]
  expect(cookies[2]).toMatch(/^__Host-device=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
})

test('a thief with the cookie of a known device cannot guess: five failures are free, then each try waits [S54 S12]', async () => {
  const { ana, browser, signIn } = await start()
  const thief = browser()
  thief.cookies.set('device', ana.cookies.get('device')!)
  for (let i = 0; i < 6; i++) expect((await signIn(thief, 'wrong')).status).toBe(401)
  expect(await signIn(thief, 'wrong')).toMatchObject({ status: 429, code: 'SignInThrottled' })
})

test.each([
  ['is of another account', 'other'],
  ['was changed', 'changed'],
  ['is older than a year', 'expired'],
  ['was made before the password was changed', 'changed password'],
  ['was made before a command set the password', 'command'],
  ['is of an account that was deleted and made again', 'deleted'],
  ['is no such cookie', 'nonsense'],
])('a cookie that %s makes no known device [S54]', async (_what, how) => {
  const { ana, browser, signIn, wearOut, person, clock, db } = await start()
  const made = ana.cookies.get('device')!
  let device = made
  let given = password
  if (how === 'other') device = (await person()).cookies.get('device')!
  if (how === 'changed') device = `${made.slice(0, -1)}${made.endsWith('A') ? 'B' : 'A'}`
  if (how === 'expired') clock.advance(year + 60_000)
  if (how === 'changed password') {
    given = 'another pass 9'
    await ana.does(changePassword, { input: { newPassword: given } })
  }
  if (how === 'command') {
    given = 'another pass 9'
    const sources = { database: db, clock, random: systemRandom, events: new DomainEvents() }
    await setPassword(sources, createHashing(systemRandom), settings, { email, password: given })
  }
  if (how === 'deleted') {
    await ana.does(deleteAccount)
    await browser().does(register, { input: { email, password } })
  }
  if (how === 'nonsense') device = `~~.${'x'.repeat(3000)}.~a.b.c`
  await wearOut()
  const stranger = browser('203.0.113.9')
  stranger.cookies.set('device', device)
  expect(await signIn(stranger, given)).toMatchObject({ status: 429, code: 'SignInThrottled' })
})

const settings = { passwordMinLength: 6, refusesCommonPasswords: false }

test('a browser stays known after its owner changes the password, and several accounts can know it [S54]', async () => {
  const { ana, browser, signIn, wearOut } = await start()
  await ana.does(changePassword, { input: { newPassword: 'another pass 9' } })
  await ana.does(logout)
  await ana.does(register, { input: { email: 'other@example.org', password } })
  const other = 'other@example.org'
  for (const [account, given, address] of [
    [email, 'another pass 9', '203.0.113.8'],
    [other, password, '203.0.113.9'],
  ] as const) {
    await wearOut(account, address)
    const elsewhere = browser(address)
    expect((await signIn(elsewhere, given, account)).status).toBe(429)
    elsewhere.cookies.set('device', ana.cookies.get('device')!)
    expect((await signIn(elsewhere, given, account)).status).toBe(200)
  }
  expect(ana.cookies.get('device')!.split('~')).toHaveLength(2)
})

test('a browser is known for the last five accounts at most [S54]', async () => {
  const { ana, person } = await start({ config: { limitsRates: false } })
  for (let i = 0; i < 6; i++) {
    const { me } = await person()
    await ana.does(login, { input: { email: me.email!, password: 'secret pass 1' } })
  }
  expect(ana.cookies.get('device')!.split('~')).toHaveLength(5)
})

test('refusals and waits are the same for an account and for none, with and without a known device [S11 S54]', async () => {
  const { ana, browser, wearOut, signIn } = await start()
  const nobody = 'nobody@example.org'
  const shown = (answers: Awaited<ReturnType<typeof signIn>>[]) =>
    answers.map(({ status, body, headers }) => ({ status, body, names: Object.keys(headers).toSorted() }))
  const throttled = []
  for (const [account, address] of [
    [email, '203.0.113.9'],
    [nobody, '203.0.113.10'],
  ] as const) {
    const answers = await wearOut(account, address)
    throttled.push([...shown(answers), ...shown([await signIn(browser(address), password, account)])])
    expect(throttled.at(-1)!.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 429])
  }
  expect(throttled[0]).toEqual(throttled[1])
  // A known device of one account learns nothing about another address.
  const known = browser('203.0.113.10')
  for (const [name, value] of ana.cookies) known.cookies.set(name, value)
  expect(shown([await signIn(known, password, nobody)])).toEqual(throttled[1]!.slice(-1))
})

test('nobody can lock people out of the demo account, whose password is public [S18 S54]', async () => {
  const { browser, signIn } = await start({ config: { demoMode: true } })
  const attacker = browser()
  for (let batch = 0; batch < 4; batch++)
    await Promise.all(Array.from({ length: 25 }, () => signIn(attacker, 'wrong', demoAccount.email)))
  const answer = await signIn(browser(), demoAccount.password, demoAccount.email)
  expect(answer.status).toBe(200)
  expect((answer.headers['set-cookie'] as string[]).map((cookie) => cookie.split('=')[0])).toEqual([
    'sid',
    'signed-in',
  ])
}, 120_000)

test('a command sets the password of an admin who is locked out: sessions end, and the admin signs in at once [S54 S12 S13 S49]', async () => {
  const { ana, browser, signIn, wearOut, db, clock } = await start()
  await db
    .update(users)
    .set({ isAdmin: true })
    .where(eq(users.id, (await ana.does(getMe)).id))
  const address = '203.0.113.9'
  await wearOut(email, address)
  expect((await signIn(browser(address))).status).toBe(429)
  const sources = { database: db, clock, random: systemRandom, events: new DomainEvents() }
  const set = (given: string, to = email) =>
    setPassword(sources, createHashing(systemRandom), settings, { email: to, password: given })
  const before = await stored(db)
  await expect(set('elevenchars')).rejects.toThrow('at least 12 characters')
  await expect(set('Password12345')).rejects.toThrow('common')
  await expect(set('x'.repeat(129))).rejects.toThrow('at most 128')
  await expect(set('another pass 9', 'nobody@example.org')).rejects.toThrow('Nobody is registered')
  expect(await stored(db)).toEqual(before)
  expect((await ana.tries(getMe)).status).toBe(200)

  expect(await set('another pass 9', ' Ana@Example.org')).toContain('password')
  const { id } = before.users[0]!
  expect(await countSessions(db, id)).toBe(0)
  expect((await ana.tries(getMe)).status).toBe(401)
  expect(await actions(db)).toContain('password-change')
  expect((await signIn(browser(address), password)).status).toBe(401)
  expect((await signIn(browser(address), 'another pass 9')).status).toBe(200)
})

test('no command sets the password of the demo account [S18]', async () => {
  const { db, clock } = await start({ config: { demoMode: true } })
  const before = await stored(db)
  const sources = { database: db, clock, random: systemRandom, events: new DomainEvents() }
  const given = { email: demoAccount.email, password: 'another pass 9' }
  await expect(setPassword(sources, createHashing(systemRandom), settings, given)).rejects.toThrow('demo')
  expect(await stored(db)).toEqual(before)
})
