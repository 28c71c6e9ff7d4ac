import { expect, test } from 'vitest'
import { getMe, login, loginAsGuest, logout } from '#contract/account/endpoints.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { createMemoizedHashing } from '#server/testing/hashing.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { createTestDatabase } from '#server/testing/test-database.ts'
import { setPassword } from './accounts.ts'
import { sessions } from './schema.ts'
import { actions, countSessions, stored } from './testing.ts'

const minute = 60_000
const day = 24 * 60 * minute

test('a person signs in with the right password, and the next call has the session [API-02 S20 S21]', async () => {
  const { person, visitor, db } = await startTestApp()
  const { me } = await person({ email: 'ana@example.org', password: 'right pass' })
  const browser = visitor()
  const answer = await browser.tries(login, { input: { email: ' Ana@Example.org', password: 'right pass' } })
  expect(answer).toMatchObject({ status: 200, body: me })
  const cookies = answer.headers['set-cookie'] as string[]
  expect(cookies[0]).toMatch(/^sid=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
  expect(cookies[1]).toMatch(/^signed-in=1; Max-Age=2592000; Path=\/; SameSite=Strict$/)
  expect(await browser.does(getMe)).toEqual(me)
  const token = browser.cookies.get('sid')!
  expect(JSON.stringify(await db.select().from(sessions))).not.toContain(token)
})

test('over https the cookies are bound to the host and secure [S21]', async () => {
  const { visitor } = await startTestApp({ config: { publicOrigin: 'https://zimmer.example' } })
  const answer = await visitor().tries(loginAsGuest)
  const cookies = answer.headers['set-cookie'] as string[]
  expect(cookies[0]).toMatch(/^__Host-sid=.*; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  expect(cookies[1]).toMatch(/^signed-in=1;.*; Secure; SameSite=Strict$/)
})

test.each([
  ['an unknown email', { email: 'nobody@example.org', password: 'right pass' }],
  ['a wrong password', { email: 'ana@example.org', password: 'wrong pass' }],
  ['a short passcode', { email: 'ana@example.org', password: 'abc' }],
  ['the demo defaults', demoAccount],
])('signing in with %s gets the same refusal [API-02 S11 S18 ONB-33 ONB-34]', async (_what, input) => {
  const { person, visitor, db } = await startTestApp()
  const { me } = await person({ email: 'ana@example.org', password: 'right pass' })
  const answer = await visitor().tries(login, { input })
  expect(answer).toMatchObject({
    status: 401,
    code: 'WrongCredentials',
    error: 'Email or passcode is not right.',
  })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(await countSessions(db, me.id)).toBe(1)
  expect(await actions(db)).toEqual(['sign-in-refused'])
})

test.each([
  ['short', 'elevenchars'],
  ['common', 'Password12345'],
])(
  'an admin with a passcode that is too %s is not signed in, and reads which command helps, after the right passcode alone [S11 S13 S60]',
  async (_what, password) => {
    const { admin, visitor, db, clock, config } = await startTestApp()
    const email = 'boss@example.org'
    const { me } = await admin({ email, password })
    const before = await stored(db)
    const refused = await visitor().tries(login, { input: { email, password } })
    expect(refused).toMatchObject({
      status: 403,
      code: 'AdminPasswordWeak',
      error: expect.stringContaining('"npm run zimmer -- password EMAIL"'),
    })
    expect(refused.headers['set-cookie']).toBeUndefined()
    expect(await countSessions(db, me.id)).toBe(1)
    expect(await stored(db)).toEqual(before)
    expect(await actions(db)).toEqual(['weak-password-refused'])
    const wrong = await visitor().tries(login, { input: { email, password: 'another one' } })
    expect([wrong.status, wrong.code]).toEqual([401, 'WrongCredentials'])

    const sources = { database: db, clock, random: systemRandom, events: new DomainEvents() }
    const given = { email, password: 'a lamp of my own' }
    await setPassword(sources, createMemoizedHashing(), config, given)
    expect((await visitor().does(login, { input: given })).isAdmin).toBe(true)
  },
)

test('an admin whose passcode is shorter than the operator demands is not signed in [S13 S60]', async () => {
  const place = await createTestDatabase()
  const before = await startTestApp({ place })
  const input = { email: 'boss@example.org', password: 'fifteen letters' }
  await before.admin(input)
  expect((await before.visitor().tries(login, { input })).status).toBe(200)
  const since = await startTestApp({ place, config: { passwordMinLength: 16 } })
  expect(await since.visitor().tries(login, { input })).toMatchObject({ code: 'AdminPasswordWeak' })
})

test('a person who is no admin signs in with a short and common passcode [S13]', async () => {
  const { person, visitor } = await startTestApp()
  const input = { email: 'ana@example.org', password: 'abcdef' }
  await person(input)
  expect((await visitor().tries(login, { input })).status).toBe(200)
})

test.each([
  [{ email: '', password: 'x' }],
  [{ email: 'ana@example.org', password: '' }],
  [{ email: 'ana@example.org', password: 'a'.repeat(129) }],
  [{ email: ['ana@example.org'], password: 'abcdef' }],
  [{}],
])(
  'a sign-in with too few or too many fields is refused before any work: %j [S10 S18 S27]',
  async (input) => {
    const { visitor, db } = await startTestApp()
    expect(await visitor().tries(login, { input })).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(await actions(db)).toEqual([])
  },
)

test('an attacker who guesses waits for each account and address, and a right password ends the wait [S12]', async () => {
  const { person, visitor, clock } = await startTestApp()
  await person({ email: 'ana@example.org', password: 'right pass' })
  const tryWith = (password: string) =>
    visitor().tries(login, { input: { email: 'ana@example.org', password } })
  for (let i = 0; i < 6; i++) expect((await tryWith('wrong')).status).toBe(401)
  const slowed = await tryWith('right pass')
  expect(slowed).toMatchObject({ status: 429, code: 'SignInThrottled' })
  expect(slowed.headers['retry-after']).toBe('1')
  clock.advance(1000)
  expect((await tryWith('wrong')).status).toBe(401)
  clock.advance(1000)
  expect((await tryWith('right pass')).status).toBe(429)
  clock.advance(1000)
  expect((await tryWith('right pass')).status).toBe(200)
  expect((await tryWith('wrong')).status).toBe(401)
  expect((await tryWith('right pass')).status).toBe(200)
})

test('a token that a client brings is never adopted, and the old one ends at sign-in [S20 S23]', async () => {
  const { person } = await startTestApp()
  const browser = await person({ email: 'ana@example.org', password: 'right pass' })
  const old = browser.cookies.get('sid')!
  await browser.does(login, { input: { email: 'ana@example.org', password: 'right pass' } })
  const renewed = browser.cookies.get('sid')!
  expect(renewed).not.toBe(old)
  browser.cookies.set('sid', old)
  expect((await browser.tries(getMe)).status).toBe(401)
  browser.cookies.set('sid', 'a'.repeat(43))
  await browser.does(login, { input: { email: 'ana@example.org', password: 'right pass' } })
  expect(browser.cookies.get('sid')).not.toBe('a'.repeat(43))
})

test('the twenty-first session ends the oldest [S20]', async () => {
  const { person, visitor, clock, db } = await startTestApp({ config: { limitsRates: false } })
  const first = await person({ email: 'ana@example.org', password: 'right pass' })
  for (let i = 0; i < 20; i++) {
    clock.advance(1000)
    await visitor().does(login, { input: { email: 'ana@example.org', password: 'right pass' } })
  }
  expect(await countSessions(db, first.me.id)).toBe(20)
  expect((await first.tries(getMe)).status).toBe(401)
})

test('a session ends without use, and after its whole life in any case [S22]', async () => {
  const { person, guest, admin, clock } = await startTestApp()
  const [user, visiting, boss] = [await person(), await guest(), await admin()]
  const isIn = async (client: Client) => (await client.tries(getMe)).status === 200
  clock.advance(day / 2 - minute)
  expect(await isIn(boss)).toBe(true)
  clock.advance(day / 2 + minute)
  expect([await isIn(boss), await isIn(user), await isIn(visiting)]).toEqual([false, true, true])
  clock.advance(14 * day + minute)
  expect([await isIn(user), await isIn(visiting)]).toEqual([false, true])
  for (let i = 0; i < 4; i++) {
    clock.advance(18 * day)
    expect(await isIn(visiting)).toBe(true)
  }
  clock.advance(18 * day)
  expect(await isIn(visiting)).toBe(false)
})

test('a session in use does not outlive 30 days [S22]', async () => {
  const { person, clock } = await startTestApp()
  const user = await person()
  for (let i = 0; i < 3; i++) {
    clock.advance(9 * day)
    expect((await user.tries(getMe)).status).toBe(200)
  }
  clock.advance(4 * day)
  expect((await user.tries(getMe)).status).toBe(401)
})

test('signing out ends the session at once, also a second time and without one [API-05 S23]', async () => {
  const { person } = await startTestApp()
  const browser = await person()
  const token = browser.cookies.get('sid')!
  const answer = await browser.tries(logout)
  expect(answer).toMatchObject({ status: 200, body: { ok: true } })
  expect([...browser.cookies.keys()]).toEqual(['device'])
  browser.cookies.set('sid', token)
  expect((await browser.tries(getMe)).status).toBe(401)
  expect((await browser.tries(logout)).status).toBe(200)
})

const navigation = {
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

test.each([
  ['a navigation of our page', navigation],
  ['an address typed by the person', { ...navigation, 'sec-fetch-site': 'none' }],
  ['an old browser without these headers', {}],
  ['an old browser on our page', { referer: 'http://localhost:80/settings' }],
])('GET /api/logout by %s ends the session [ACC-21 ACC-22 S25]', async (_what, headers) => {
  const { person } = await startTestApp()
  const browser = await person()
  const answer = await browser.request({ url: '/api/logout', headers })
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/?onboarding=true'])
  expect(answer.headers['cache-control']).toBe('no-store')
  expect((await browser.tries(getMe)).status).toBe(401)
})

test.each([
  ['a foreign page', { ...navigation, 'sec-fetch-site': 'cross-site' }],
  ['an image', { ...navigation, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }],
  ['a frame', { ...navigation, 'sec-fetch-dest': 'iframe' }],
  ['a prefetch', { ...navigation, 'sec-purpose': 'prefetch' }],
  ['a prerender', { ...navigation, 'sec-purpose': 'prefetch;prerender' }],
  ['a prefetch of an old Chrome', { purpose: 'prefetch' }],
  ['a prefetch of an old Firefox', { 'x-moz': 'prefetch' }],
  ['a preview of an old Safari', { 'x-purpose': 'preview' }],
  ['an old browser on a foreign page', { referer: 'https://evil.example/' }],
  ['a program that asks for the headers alone', {}, 'HEAD' as const],
  ['a page of ours that asks for the headers alone', navigation, 'HEAD' as const],
])(
  'GET /api/logout by %s changes nothing [S25 S55]',
  async (_what, headers, method: 'GET' | 'HEAD' = 'GET') => {
    const { person } = await startTestApp()
    const browser = await person()
    const answer = await browser.request({
      method,
      url: '/api/logout',
      headers: headers as Record<string, string>,
    })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect((await browser.tries(getMe)).status).toBe(200)
  },
)
