import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, login } from '#contract/account/endpoints.ts'
import { endOtherSessions } from '#contract/account/sessions/endpoints.ts'
import { suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { createApiToken, endApiToken, listApiTokens } from '#contract/account/tokens/endpoints.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { ana, newToken, startWithAna } from '#server/testing/programs.ts'
import type { Client } from '#server/testing/test-app.ts'
import { purgeApiTokens } from './api-tokens.ts'
import { apiTokens, users } from './schema.ts'
import { actions } from './testing.ts'

const minute = 60_000
const day = 24 * 60 * minute
const refused = { status: 401, code: 'TokenRefused', error: 'This token is unknown or has ended.' }

test('a person makes a token, reads it once, and a program calls as the person until the token is ended [INST-11]', async () => {
  const { owner, programOf, clock, db } = await startWithAna()
  const input = { name: 'Nightly copy', scopes: ['diary'], days: 30 } as const
  const made = await owner.does(createApiToken, { input })
  const { token, ...listed } = made
  expect(token).toMatch(/^zmr_[\w-]{43}$/)
  expect(listed).toEqual({
    id: expect.any(String),
    name: 'Nightly copy',
    scopes: ['diary'],
    createdAt: expect.stringMatching(/^2025-06-10T12:00/),
    expiresAt: expect.stringMatching(/^2025-07-10T12:00/),
    isExpired: false,
    lastUsedAt: null,
  })
  expect(await owner.does(listApiTokens)).toEqual([listed])
  const program = programOf(token)
  clock.advance(minute)
  await program.does(saveDiaryEntry, { input: { date: '2025-06-10', content: 'Rain.' } })
  expect(await owner.does(getDiary)).toMatchObject([{ content: 'Rain.' }])
  expect(program.cookies.size).toBe(0)
  expect(await owner.does(listApiTokens)).toEqual([
    { ...listed, lastUsedAt: expect.stringMatching(/^2025-06-10T12:01/) },
  ])
  expect(JSON.stringify(await contentOf(db))).not.toContain(token.slice(4))
  await owner.does(endApiToken, { params: { id: made.id } })
  expect(await program.tries(getDiary)).toMatchObject(refused)
  expect(await owner.does(listApiTokens)).toEqual([])
  expect((await actions(db)).slice(-2)).toEqual(['api-token-created', 'api-token-ended'])
})

test('a token lasts 90 days unless its person chooses others, and an expired one is answered like an unknown one [INST-11 S61]', async () => {
  const { owner, programOf, clock, db } = await startWithAna()
  const program = programOf((await newToken(owner, 'diary')).token)
  clock.advance(90 * day - 1000)
  await program.does(getDiary)
  clock.advance(1000)
  const [expired, unknown] = [await program.tries(getDiary), await programOf('zmr_x').tries(getDiary)]
  expect(expired).toMatchObject(refused)
  const shownOf = ({
    headers: { 'x-request-id': _id, date: _date, ...headers },
    ...answer
  }: typeof expired) => ({
    ...answer,
    headers,
  })
  expect(shownOf(expired)).toEqual(shownOf(unknown))
  await owner.does(login, { input: ana })
  expect(await owner.does(listApiTokens)).toMatchObject([{ isExpired: true }])
  await purgeApiTokens(db)
  expect(await owner.does(listApiTokens)).toHaveLength(1)
  clock.advance(30 * day + 1000)
  await purgeApiTokens(db)
  expect(await db.$count(apiTokens)).toBe(0)
})

test.each([
  ['lasts longer than a year', { days: 366 }],
  ['lasts no day', { days: 0 }],
  ['lasts a part of a day', { days: 0.5 }],
  ['has no scope', { scopes: [] }],
  ['has a scope that does not exist', { scopes: ['everything'] }],
  ['has a scope twice', { scopes: ['diary', 'diary'] }],
  ['has no name', { name: ' ' }],
  ['has a name of 61 characters', { name: 'a'.repeat(61) }],
])('nobody makes a token that %s, and nothing changes [INST-11 S61]', async (_what, wrong) => {
  const { owner, db } = await startWithAna()
  const before = await contentOf(db)
  const input = { name: 'My script', scopes: ['diary'], days: 365, ...wrong }
  expect(await owner.tries(createApiToken, { input })).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(await contentOf(db)).toEqual(before)
})

test('a session that is 15 minutes old makes no token but ends one, and the demo account makes none [INST-11 S18]', async () => {
  const { owner, clock, db } = await startWithAna()
  const { id } = await newToken(owner, 'diary')
  const input = { name: 'My script', scopes: ['diary'] } as const
  clock.advance(16 * minute)
  await owner.does(listApiTokens)
  const before = await contentOf(db)
  expect(await owner.tries(createApiToken, { input: { ...input, scopes: ['diary'] } })).toMatchObject({
    status: 403,
    code: 'SignInAgainForToken',
  })
  expect(await contentOf(db)).toEqual(before)
  await owner.does(endApiToken, { params: { id } })
  await owner.does(login, { input: ana })
  await db.update(users).set({ isDemo: true }).where(eq(users.id, owner.me.id))
  expect(await owner.tries(createApiToken, { input })).toMatchObject({
    status: 403,
    code: 'DemoAccountStays',
  })
  expect(await db.$count(apiTokens)).toBe(0)
})

test('a person has at most 20 tokens, also when several are made at once [INST-11 R6]', async () => {
  const { owner, visitor, db } = await startWithAna()
  const browsers = Array.from({ length: 4 }, visitor)
  for (const browser of browsers) await browser.does(login, { input: ana })
  for (let n = 0; n < 18; n++) await newToken(owner, 'rooms')
  const input = { name: 'My script', scopes: ['diary'] }
  const answers = await Promise.all(browsers.map((browser) => browser.tries(createApiToken, { input })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400])
  expect(answers.find(({ status }) => status === 400)).toMatchObject({ code: 'TooManyApiTokens' })
  expect(await db.$count(apiTokens)).toBe(20)
})

test('a person makes at most 20 tokens an hour, and refused old sessions do not count [INST-11 S47]', async () => {
  const { owner, visitor, clock } = await startWithAna({ config: { limitsRates: true } })
  clock.advance(16 * minute)
  const input = { name: 'My script', scopes: ['diary'] }
  for (let n = 0; n < 21; n++) await owner.tries(createApiToken, { input })
  const fresh = visitor()
  await fresh.does(login, { input: ana })
  for (let n = 0; n < 20; n++)
    await fresh.does(endApiToken, { params: { id: (await newToken(fresh, 'diary')).id } })
  expect((await fresh.tries(createApiToken, { input })).status).toBe(429)
})

test('nobody ends or sees the token of another person, an admin neither, and nothing changes [INST-11 S6]', async () => {
  const { owner, person, admin, db } = await startWithAna()
  const [ben, boss] = [await person(), await admin()]
  const { id } = await newToken(owner, 'diary')
  const before = await contentOf(db)
  for (const other of [ben, boss]) {
    expect(await other.does(listApiTokens)).toEqual([])
    expect(await other.tries(endApiToken, { params: { id } })).toMatchObject({
      status: 404,
      code: 'ApiTokenNotFound',
    })
  }
  expect(await contentOf(db)).toEqual(before)
})

const ends: [string, (t: { owner: Client; boss: Client }) => Promise<unknown>][] = [
  [
    'changes the passcode',
    ({ owner }) => owner.does(changePassword, { input: { newPassword: 'another pass' } }),
  ],
  [
    'is suspended',
    ({ owner, boss }) =>
      boss.does(suspendPerson, {
        params: { id: owner.me.id },
        input: { reason: 'Unkind', until: null, hidesTexts: false },
      }),
  ],
  ['deletes the account', ({ owner }) => owner.does(deleteAccount)],
]
test.each(ends)(
  'the tokens of a person who %s end, and those of others do not [INST-11 S23 S61]',
  async (_what, end) => {
    const { owner, person, admin, programOf, db } = await startWithAna()
    const boss = await admin()
    const tokens = [await newToken(owner, 'diary'), await newToken(owner, 'rooms')]
    const ofBen = await newToken(await person(), 'diary')
    await end({ owner, boss })
    for (const { token } of tokens) expect(await programOf(token).tries(getDiary)).toMatchObject(refused)
    await programOf(ofBen.token).does(getDiary)
    expect(await db.$count(apiTokens)).toBe(1)
  },
)

test('the end of sessions leaves the tokens [INST-11]', async () => {
  const { owner, programOf } = await startWithAna()
  const { token } = await newToken(owner, 'diary')
  await owner.does(endOtherSessions)
  expect((await programOf(token).tries(getDiary)).status).toBe(200)
})

test('no token that is made while the passcode changes outlives the change [INST-11 R6]', async () => {
  const { owner, visitor, db } = await startWithAna()
  for (let round = 0; round < 6; round++) {
    const other = visitor()
    await other.does(login, {
      input: { ...ana, password: round === 0 ? ana.password : `another pass ${round - 1}` },
    })
    const input = { name: 'My script', scopes: ['diary'] }
    await Promise.all([
      owner.does(changePassword, { input: { newPassword: `another pass ${round}` } }),
      ...Array.from({ length: 3 }, () => other.tries(createApiToken, { input })),
    ])
    expect(await db.$count(apiTokens)).toBe(0)
  }
})
