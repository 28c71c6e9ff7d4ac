import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  changePassword,
  deleteAccount,
  getMe,
  login,
  loginAsGuest,
  logout,
  register,
  registerByOnboarding,
} from '#contract/account/endpoints.ts'
import { demoAccount } from '#contract/account/fields.ts'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { posts } from '#server/features/feed/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { auditLog } from '#server/platform/schema.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { credentials, emails, sessions, users } from './schema.ts'

const minute = 60_000
const day = 24 * 60 * minute
const ana = {
  name: 'Ana María Ruiz',
  email: 'Ana@Example.org ',
  passcode: 'abc123',
  writingSample: 'I write at night.',
}
const anyDigest = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

/** Everything an account consists of, to see that a refusal changed nothing. */
const stored = async (db: Db) => ({
  users: await db.select().from(users).orderBy(users.id),
  emails: await db.select().from(emails).orderBy(emails.address),
  credentials: await db.select().from(credentials).orderBy(credentials.userId),
})
const actions = async (db: Db) =>
  (await db.select().from(auditLog).orderBy(auditLog.id)).map(({ action }) => action)
const countSessions = async (db: Db, userId: string) =>
  (await db.select().from(sessions).where(eq(sessions.userId, userId))).length

test('who signs up by onboarding is registered, signed in and known by name [API-07 API-01 ACC-01 ACC-08 ONB-10 S9]', async () => {
  const { visitor, db } = await startTestApp()
  const browser = visitor()
  const { user } = await browser.does(registerByOnboarding, { input: ana })
  expect(user).toEqual({
    id: expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{10}$/),
    email: 'ana@example.org',
    firstName: 'Ana',
    lastName: 'María Ruiz',
    username: 'anamariaruiz',
    isAnonymous: false,
    anonymousId: null,
    isAdmin: false,
    createdAt: expect.stringMatching(/^2025-06-10T12:00:.*Z$/),
  })
  expect(await browser.does(getMe)).toEqual(user)
  const [row] = await db.select().from(users)
  expect(row?.writingSample).toBe(ana.writingSample)
  const [secret] = await db.select().from(credentials)
  expect(secret?.secret).toMatch(anyDigest)
})

test('two people of one name get usernames of their own [ACC-08 S9]', async () => {
  const { visitor } = await startTestApp()
  const first = await visitor().does(registerByOnboarding, { input: ana })
  const second = await visitor().does(registerByOnboarding, { input: { ...ana, email: 'other@example.org' } })
  expect(first.user.username).toBe('anamariaruiz')
  expect(second.user.username).toMatch(/^anamariaruiz\d+$/)
})

test.each([
  ['no name', { name: undefined }, 'Please enter your name and email'],
  ['a short name', { name: 'A' }, 'Please enter your name and email'],
  ['a name of 51 characters', { name: 'a'.repeat(51) }, 'Please enter your name and email'],
  ['an invisible name', { name: '\u200b\u200b\u200b' }, 'Please enter your name and email'],
  ['a name that turns its direction', { name: 'Ana\u202eanA' }, 'Please enter your name and email'],
  ['no email', { email: undefined }, 'Please enter your name and email'],
  ['an email without a domain', { email: 'ana@' }, 'Please enter your name and email'],
  ['two addresses', { email: 'a@example.org,b@example.org' }, 'Please enter your name and email'],
  [
    'an email of 101 characters',
    { email: `${'a'.repeat(89)}@example.org` },
    'Please enter your name and email',
  ],
  ['an email beyond ASCII', { email: 'änä@example.org' }, 'Please enter your name and email'],
  ['a short passcode', { passcode: 'abc12' }, 'Passcode must be at least 6 characters'],
  [
    'a passcode with a sign',
    { passcode: 'abc-123' },
    'Passcode must be at least 6 characters. Use letters and digits only',
  ],
  ['a passcode of 129 characters', { passcode: 'a'.repeat(129) }, 'Please use at most 128 characters.'],
  [
    'a short writing sample',
    { writingSample: 'too short' },
    'Please write at least a few words about yourself',
  ],
  ['a long writing sample', { writingSample: 'a'.repeat(5001) }, 'Please write at most 5000 characters.'],
  ['a number for a name', { name: 12345 }, 'Please enter your name and email'],
])(
  'onboarding with %s is refused and stores nothing [ONB-14 S9 S10 S13 S27 S31]',
  async (_what, change, sentence) => {
    const { visitor, db } = await startTestApp()
    const answer = await visitor().tries(registerByOnboarding, { input: { ...ana, ...change } })
    expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', error: sentence })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await stored(db)).toEqual({ users: [], emails: [], credentials: [] })
  },
)

test('a taken email is refused whatever its case, and nothing changes [API-03 API-04 S9]', async () => {
  const { person, visitor, db } = await startTestApp()
  await person({ email: 'ana@example.org' })
  const before = await stored(db)
  const again = await visitor().tries(register, {
    input: { email: 'ANA@example.org', password: 'another pass' },
  })
  expect(again).toMatchObject({ status: 400, code: 'EmailTaken', fields: { email: expect.any(String) } })
  expect(again.headers['set-cookie']).toBeUndefined()
  expect(await stored(db)).toEqual(before)
})

test('a wished username is kept, and refused when taken [API-04]', async () => {
  const { visitor, db } = await startTestApp()
  const first = await visitor().does(register, {
    input: { email: 'a@example.org', password: 'abcdef', username: 'ink' },
  })
  expect(first.username).toBe('ink')
  const before = await stored(db)
  const second = await visitor().tries(register, {
    input: { email: 'b@example.org', password: 'abcdef', username: 'ink' },
  })
  expect(second).toMatchObject({ status: 400, code: 'UsernameTaken' })
  expect(await stored(db)).toEqual(before)
})

test('a field that names rights or an id is ignored [S3 S17 PERM-23]', async () => {
  const { visitor } = await startTestApp()
  const input = {
    email: 'a@example.org',
    password: 'abcdef',
    isAdmin: true,
    id: '0000000000',
    isAnonymous: true,
  }
  const user = await visitor().does(register, { input })
  expect(user).toMatchObject({ isAdmin: false, isAnonymous: false })
  expect(user.id).not.toBe('0000000000')
})

test('fifty equal registrations at once leave one person and no fault [R6 R5]', async () => {
  const { visitor, db } = await startTestApp()
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => visitor().tries(registerByOnboarding, { input: ana })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    201,
    ...Array.from({ length: 49 }, () => 400),
  ])
  expect((await stored(db)).users).toHaveLength(1)
})

test('who signs in with the right password is known at the next call [API-02 S20 S21]', async () => {
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
])('signing in with %s gets the one refusal [API-02 S11 S18 ONB-33 ONB-34]', async (_what, input) => {
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
  [{ email: '', password: 'x' }],
  [{ email: 'ana@example.org', password: '' }],
  [{ email: 'ana@example.org', password: 'a'.repeat(129) }],
  [{ email: ['ana@example.org'], password: 'abcdef' }],
  [{}],
])(
  'a sign-in that says too little or too much is refused before any work: %j [S10 S18 S27]',
  async (input) => {
    const { visitor, db } = await startTestApp()
    expect(await visitor().tries(login, { input })).toMatchObject({ status: 400, code: 'InvalidInput' })
    expect(await actions(db)).toEqual([])
  },
)

test('guessing is slowed down for an account and an address, and a right password ends it [S12]', async () => {
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

test('sessions end when nobody uses them, and in the end in any case [S22]', async () => {
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

test('a guest gets an identity, the same one when asked again [API-06 PERM-01 PERM-02 S16]', async () => {
  const { visitor, db } = await startTestApp()
  const browser = visitor()
  const guest = await browser.does(loginAsGuest)
  expect(guest).toMatchObject({
    isAnonymous: true,
    anonymousId: expect.stringMatching(/^[0-9a-f]{32}$/),
    email: null,
    username: null,
    isAdmin: false,
  })
  expect(await browser.does(loginAsGuest)).toEqual(guest)
  expect((await stored(db)).users).toHaveLength(1)
})

test('a guest who signs up keeps the posts that wait, and the guest is gone [S16]', async () => {
  const { guest, db } = await startTestApp()
  const browser = await guest()
  const oldToken = browser.cookies.get('sid')!
  await browser.does(submitPost, { input: { content: 'A line', authorName: 'Somebody' } })
  const { user } = await browser.does(registerByOnboarding, { input: ana })
  expect((await stored(db)).users.map(({ id }) => id)).toEqual([user.id])
  expect((await db.select().from(posts)).map(({ authorId }) => authorId)).toEqual([user.id])
  expect(browser.cookies.get('sid')).not.toBe(oldToken)
  browser.cookies.set('sid', oldToken)
  expect((await browser.tries(getMe)).status).toBe(401)
})

test('a refused sign-up leaves the guest as they were [S16 R5]', async () => {
  const { guest, person, db } = await startTestApp()
  await person({ email: 'ana@example.org' })
  const browser = await guest()
  const before = await stored(db)
  expect((await browser.tries(registerByOnboarding, { input: ana })).code).toBe('EmailTaken')
  expect(await stored(db)).toEqual(before)
  expect(await browser.does(getMe)).toEqual(browser.me)
})

test('signing out ends the session at once, also a second time and without one [API-05 S23]', async () => {
  const { person } = await startTestApp()
  const browser = await person()
  const token = browser.cookies.get('sid')!
  const answer = await browser.tries(logout)
  expect(answer).toMatchObject({ status: 200, body: { ok: true } })
  expect(browser.cookies.size).toBe(0)
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
  ['an old browser on a foreign page', { referer: 'https://evil.example/' }],
])('GET /api/logout by %s changes nothing [S25]', async (_what, headers) => {
  const { person } = await startTestApp()
  const browser = await person()
  const answer = await browser.request({ url: '/api/logout', headers: headers as Record<string, string> })
  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/'])
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect((await browser.tries(getMe)).status).toBe(200)
})

test('a fresh sign-in may change the password: other sessions end, this one is renewed [API-08 ACC-15 S14 S23 S49]', async () => {
  const { person, visitor, db } = await startTestApp()
  const browser = await person({ email: 'ana@example.org', password: 'first pass' })
  const other = visitor()
  await other.does(login, { input: { email: 'ana@example.org', password: 'first pass' } })
  const old = browser.cookies.get('sid')
  expect(await browser.does(changePassword, { input: { newPassword: 'second pass' } })).toEqual({ ok: true })
  expect(browser.cookies.get('sid')).not.toBe(old)
  expect((await browser.tries(getMe)).status).toBe(200)
  expect((await other.tries(getMe)).status).toBe(401)
  const signIn = (password: string) =>
    visitor().tries(login, { input: { email: 'ana@example.org', password } })
  expect((await signIn('first pass')).status).toBe(401)
  expect((await signIn('second pass')).status).toBe(200)
  expect(await actions(db)).toContain('password-change')
})

test('after 15 minutes the old password is needed, or a new sign-in [ACC-15 S14]', async () => {
  const { person, clock, db } = await startTestApp()
  const browser = await person({ password: 'first pass' })
  clock.advance(16 * minute)
  const before = await stored(db)
  for (const currentPassword of [undefined, 'wrong pass']) {
    const input = { newPassword: 'second pass', ...(currentPassword && { currentPassword }) }
    expect(await browser.tries(changePassword, { input })).toMatchObject({
      status: 403,
      error: 'Please sign in again to change your password',
    })
  }
  expect(await stored(db)).toEqual(before)
  const input = { newPassword: 'second pass', currentPassword: 'first pass' }
  expect((await browser.tries(changePassword, { input })).status).toBe(200)
})

test('a short new password is refused with its sentence, and the sixth change within 15 minutes [S12 S13]', async () => {
  const { person, db } = await startTestApp()
  const browser = await person({ password: 'first pass' })
  const before = await stored(db)
  expect(await browser.tries(changePassword, { input: { newPassword: 'abc12' } })).toMatchObject({
    status: 400,
    error: 'Password must be at least 6 characters',
  })
  expect(await stored(db)).toEqual(before)
  for (let i = 0; i < 4; i++)
    await browser.does(changePassword, { input: { newPassword: `other pass ${i}` } })
  expect((await browser.tries(changePassword, { input: { newPassword: 'one too many' } })).status).toBe(429)
})

test('admins need twelve characters that are not common [S13]', async () => {
  const { admin, db } = await startTestApp()
  const browser = await admin()
  const before = await stored(db)
  const short = await browser.tries(changePassword, { input: { newPassword: 'elevenchars' } })
  expect(short).toMatchObject({
    status: 400,
    code: 'PasswordTooShort',
    error: 'Password must be at least 12 characters',
  })
  const common = await browser.tries(changePassword, { input: { newPassword: 'Password12345' } })
  expect(common).toMatchObject({ status: 400, code: 'PasswordTooCommon' })
  expect(await stored(db)).toEqual(before)
})

test('settings raise the minimum and refuse common passwords for all [S13]', async () => {
  const { visitor, db } = await startTestApp({
    config: { passwordMinLength: 10, refusesCommonPasswords: true },
  })
  const tryWith = (password: string) =>
    visitor().tries(register, { input: { email: 'a@example.org', password } })
  expect(await tryWith('ninechars')).toMatchObject({ status: 400, code: 'PasswordTooShort' })
  expect(await tryWith('qwertyuiop')).toMatchObject({ status: 400, code: 'PasswordTooCommon' })
  expect((await stored(db)).users).toEqual([])
  expect((await tryWith('lamp and ink')).status).toBe(201)
})

test('who deletes their account leaves published posts without a name, and nothing else [API-09 ACC-26 S15 S49]', async () => {
  const { person, admin, visitor, db } = await startTestApp()
  const browser = await person({ email: 'ana@example.org' })
  await browser.does(submitPost, { input: { content: 'waits', authorName: 'Ana' } })
  await browser.does(submitPost, { input: { content: 'stands', authorName: 'Ana', type: 'premium' } })
  const boss = await admin()
  await boss.does(createPost, { input: { content: 'of somebody else', authorName: 'Boss' } })
  const answer = await browser.tries(deleteAccount)
  expect(answer).toMatchObject({ status: 200, body: { ok: true } })
  expect(browser.cookies.size).toBe(0)
  const left = await db.select().from(posts).orderBy(posts.content)
  expect(left.map(({ content, authorName, authorId }) => [content, authorName, authorId])).toEqual([
    ['of somebody else', 'Boss', boss.me.id],
    ['stands', 'Deleted user', null],
  ])
  expect(await db.select().from(users).where(eq(users.id, browser.me.id))).toEqual([])
  expect(await countSessions(db, browser.me.id)).toBe(0)
  expect(await actions(db)).toContain('account-deletion')
  await visitor().does(register, { input: { email: 'ana@example.org', password: 'abcdef' } })
})

test('a guest may go at once, a person only soon after signing in, an admin never by a call [S15 PERM-04]', async () => {
  const { guest, person, admin, visitor, clock, db } = await startTestApp()
  const [passing, user, boss] = [await guest(), await person(), await admin()]
  clock.advance(16 * minute)
  const before = await stored(db)
  expect(await visitor().tries(deleteAccount)).toMatchObject({ status: 401 })
  expect(await user.tries(deleteAccount)).toMatchObject({ status: 403, code: 'SignInAgainToDeleteAccount' })
  expect(await boss.tries(deleteAccount)).toMatchObject({ status: 403, code: 'AdminStays' })
  expect(await stored(db)).toEqual(before)
  await passing.does(deleteAccount)
  expect(
    await db
      .select()
      .from(users)
      .where(and(eq(users.isAnonymous, true))),
  ).toEqual([])
})

test('rights are read anew at each call, and are what the current user says [S4 PERM-10]', async () => {
  const { admin, db } = await startTestApp()
  const boss = await admin()
  expect((await boss.does(getMe)).isAdmin).toBe(true)
  await db.update(users).set({ isAdmin: false }).where(eq(users.id, boss.me.id))
  expect((await boss.does(getMe)).isAdmin).toBe(false)
  const refused = await boss.tries(createPost, { input: { content: 'a', authorName: 'b' } })
  expect(refused.status).toBe(403)
  expect(await actions(db)).toContain('admin-call-refused')
})

test('the first admin comes from the settings, once, and never by promoting somebody [S17 PERM-23]', async () => {
  const config = { adminEmail: 'boss@example.org', adminPassword: 'lamps and ink 9' }
  const { visitor, db } = await startTestApp({ config })
  const user = await visitor().does(login, {
    input: { email: 'boss@example.org', password: 'lamps and ink 9' },
  })
  expect(user.isAdmin).toBe(true)
  expect((await stored(db)).users).toHaveLength(1)
})

test('in demo mode the public defaults open an ordinary account that stays as it is [S18 ONB-34]', async () => {
  const { visitor, db } = await startTestApp({ config: { demoMode: true } })
  const browser = visitor()
  const user = await browser.does(login, { input: demoAccount })
  expect(user.isAdmin).toBe(false)
  const before = await stored(db)
  expect((await browser.tries(changePassword, { input: { newPassword: 'mine now' } })).code).toBe(
    'DemoAccountStays',
  )
  expect((await browser.tries(deleteAccount)).code).toBe('DemoAccountStays')
  expect(await stored(db)).toEqual(before)
})
