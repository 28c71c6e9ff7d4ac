import { expect, test } from 'vitest'
import { getMe, login, loginAsGuest, register, registerByOnboarding } from '#contract/account/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { searchPeople } from '#contract/friends/endpoints.ts'
import { posts } from '#server/features/feed/index.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { credentials, emails, users } from './schema.ts'
import { stored } from './testing.ts'

const ana = {
  name: 'Ana María Ruiz',
  email: 'Ana@Example.org ',
  passcode: 'abc123',
  writingSample: 'I write at night.',
}
const anyDigest = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/

test('a person signs up by the onboarding, and is registered and signed in with a name [API-07 API-01 ACC-01 ACC-08 ONB-10 S9]', async () => {
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
    isModerator: false,
    createdAt: expect.stringMatching(/^2025-06-10T12:00:.*Z$/),
  })
  expect(await browser.does(getMe)).toEqual(user)
  const [row] = await db.select().from(users)
  expect(row?.writingSample).toBe(ana.writingSample)
  const [secret] = await db.select().from(credentials)
  expect(secret?.secret).toMatch(anyDigest)
})

test('two people with the same name get different usernames [ACC-08 S9]', async () => {
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
  ['a name of Braille blanks', { name: '\u2800\u2800\u2800' }, 'Please enter your name and email'],
  ['a name of fillers', { name: '\u3164\u115f\uffa0' }, 'Please enter your name and email'],
  [
    'a name that turns its direction',
    { name: 'Ana\u202eanA' },
    'Please use a name without control or direction characters.',
  ],
  [
    'a name with many marks',
    { name: `A${'\u0301\u0323'.repeat(16)}na` },
    'Please use at most 30 combining marks in a row.',
  ],
  [
    'a writing sample with many marks',
    { writingSample: `I write at night${'\u0301\u0323'.repeat(16)}` },
    'Please use at most 30 combining marks in a row.',
  ],
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

const noAddresses = [
  'a@b..cd',
  '.a@b.de',
  'a.@b.de',
  'a..b@c.de',
  'a@-b.de',
  'a@b-.de',
  'a@.de',
  'a@b',
  'a@b.de.',
  '@b.de',
  'a b@c.de',
  'a@b@c.de',
  '"a b"@c.de',
  'a@[127.0.0.1]',
  'a@b_c.de',
  'a@\u212Aelvin.de',
  'ä@b.de',
  `${'a'.repeat(65)}@b.de`,
  `a@${'b'.repeat(64)}.de`,
  `${'a'.repeat(60)}@${'b'.repeat(37)}.de`,
]

test.each(noAddresses)(
  '%j is no email address for either call, and nobody is registered [S9]',
  async (email) => {
    const { visitor, db } = await startTestApp()
    for (const answer of [
      await visitor().tries(register, { input: { email, password: 'another pass' } }),
      await visitor().tries(registerByOnboarding, { input: { ...ana, email } }),
    ])
      expect(answer).toMatchObject({
        status: 400,
        code: 'InvalidInput',
        fields: { email: expect.any(String) },
      })
    expect(await stored(db)).toEqual({ users: [], emails: [], credentials: [] })
  },
)

test.each([
  [' Ana.Lima+Zimmer@Example.ORG ', 'ana.lima+zimmer@example.org'],
  ["o'brien_1@mail.sub-domain.example", "o'brien_1@mail.sub-domain.example"],
  ['!#$%&*/=?^`{|}~-@example.org', '!#$%&*/=?^`{|}~-@example.org'],
  ['a@xn--bcher-kva.example', 'a@xn--bcher-kva.example'],
  [`${'a'.repeat(64)}@1.example`, `${'a'.repeat(64)}@1.example`],
  [`a@${'b'.repeat(63)}.de`, `a@${'b'.repeat(63)}.de`],
])('%j is an email address for both calls, and names the same person [S9]', async (email, kept) => {
  const { visitor } = await startTestApp()
  const { user } = await visitor().does(registerByOnboarding, { input: { ...ana, email } })
  expect(user.email).toBe(kept)
  const again = await visitor().tries(register, { input: { email, password: 'another pass' } })
  expect(again).toMatchObject({ status: 400, code: 'EmailTaken' })
  expect((await visitor().does(login, { input: { email, password: ana.passcode } })).id).toBe(user.id)
})

test('a person registered with an address or a name that is refused today can still sign in [S9 S56]', async () => {
  const { person, visitor, db } = await startTestApp()
  const before = await person({ password: 'a known password' })
  await db.update(emails).set({ address: '.a@b..cd' })
  await db.update(users).set({ firstName: '\u2800', lastName: `A${'\u0301'.repeat(40)}`, username: 'admin' })
  const user = await visitor().does(login, { input: { email: '.A@b..cd', password: 'a known password' } })
  expect(user).toMatchObject({ id: before.me.id, firstName: '\u2800', username: 'admin' })
})

test.each([
  ['Zimmer', 'Team'],
  ['Аdmin', undefined],
  ['Ana', '(Moderator)'],
  ['Mira', 'Bоss'],
  ['MIRA', 'Boss'],
  ['Mira', 'Boss2'],
  ['ɱiɾⱥ', 'Ƀoss'],
  ['AdminAnn', undefined],
])(
  'nobody registers as %j %j, by either call, and nothing is stored [S9 S56]',
  async (firstName, lastName) => {
    const { visitor, admin, db } = await startTestApp()
    await admin({ firstName: 'Mira', lastName: 'Boss' })
    const before = await stored(db)
    const name = [firstName, lastName].filter(Boolean).join(' ')
    expect(
      await visitor().tries(register, {
        input: { email: 'a@example.org', password: 'abcdef', firstName, lastName },
      }),
    ).toMatchObject({ status: 400, code: 'NameReserved', fields: { firstName: expect.any(String) } })
    expect(await visitor().tries(registerByOnboarding, { input: { ...ana, name } })).toMatchObject({
      status: 400,
      code: 'NameReserved',
      fields: { name: expect.any(String) },
    })
    expect(await stored(db)).toEqual(before)
  },
)

test.each([
  'admin',
  'zimmer',
  'the.zimmer-team',
  'adrnin',
  'adm1n',
  '4dmin',
  'webmaster',
  'miraboss',
  'mira.b0ss',
  'miraboss2',
])('nobody takes the username %j, and nothing is stored [S9 S56]', async (username) => {
  const { visitor, admin, db } = await startTestApp()
  await admin({ firstName: 'Mira', lastName: 'Boss' })
  const before = await stored(db)
  const input = { email: 'a@example.org', password: 'abcdef', username }
  expect(await visitor().tries(register, { input })).toMatchObject({
    status: 400,
    code: 'NameReserved',
    fields: { username: expect.any(String) },
  })
  expect(await stored(db)).toEqual(before)
})

test('a username comes from the name and never from the email address, so that nobody finds the address by a search [S9 S39]', async () => {
  const { visitor, person } = await startTestApp()
  const signUp = async (local: string, names: object) =>
    (
      await visitor().does(register, {
        input: { email: `${local}@example.org`, password: 'abcdef', ...names },
      })
    ).username
  expect(await signUp('marlene.dietz', {})).toBe('writer')
  expect(await signUp('admin', {})).toMatch(/^writer\d+$/)
  expect(await signUp('second.dietz', { firstName: '山田' })).toMatch(/^writer\d+$/)
  expect(await signUp('third.dietz', { lastName: 'Lima' })).toBe('lima')
  const ben = await person()
  for (const q of ['marlene', 'dietz', 'second', 'admin'])
    expect(await ben.does(searchPeople, { query: { q } })).toEqual([])
})

test('a person is not registered with a name of combining marks alone [S9 S56]', async () => {
  const { visitor, db } = await startTestApp()
  const before = await stored(db)
  const marks = '\u0301\u0323\u20dd'
  const byField = { email: 'a@example.org', password: 'abcdef' }
  const answers = [
    await visitor().tries(registerByOnboarding, { input: { ...ana, name: marks } }),
    await visitor().tries(register, { input: { ...byField, firstName: marks } }),
    await visitor().tries(register, { input: { ...byField, firstName: 'Ana', lastName: marks } }),
  ]
  expect(answers.map(({ status, code }) => [status, code])).toEqual(Array(3).fill([400, 'InvalidInput']))
  expect(await stored(db)).toEqual(before)
})

test('people whose names only resemble a reserved one are registered [S56]', async () => {
  const { visitor, admin } = await startTestApp()
  await admin({ firstName: 'Mira', lastName: 'Boss' })
  for (const [at, name] of ['Hans Zimmer', 'Adminah Okafor', 'Mira Bossi', 'Theo Stafford'].entries()) {
    const input = { ...ana, name, email: `a${at}@example.org` }
    const { user } = await visitor().does(registerByOnboarding, { input })
    expect(`${user.firstName} ${user.lastName}`).toBe(name)
  }
})

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

test('a person gets the chosen username, and is refused when it is taken [API-04]', async () => {
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

test('fifty equal registrations at the same time leave one person and cause no error [R6 R5]', async () => {
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

test('a guest who signs up keeps the pending posts, and the guest account is deleted [S16]', async () => {
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
