import { argon2Sync } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  changePassword,
  deleteAccount,
  getMe,
  login,
  loginAsGuest,
  register,
} from '#contract/account/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { auditLog } from '#server/platform/schema.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { credentials, sessions, users } from './schema.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { listEndedSessions } from './sessions.ts'

const minute = 60_000
const ana = { email: 'ana@example.org', password: 'right pass' }
const secretsOf = async (db: Db) => (await db.select().from(credentials)).map(({ secret }) => secret)

test.each([
  ['an email with U+0000', { ...ana, email: 'a\0na@example.org' }],
  ['an email with a lone surrogate', { ...ana, email: 'ana\ud800@example.org' }],
  ['a password with U+0000', { ...ana, password: 'right\0pass' }],
  ['a password with a lone surrogate', { ...ana, password: 'right\udfffpass' }],
])('signing in with %s is refused before any work [S10 S28]', async (_what, input) => {
  const { person, visitor, db } = await startTestApp()
  await person(ana)
  const answer = await visitor().tries(login, { input })
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(await db.select().from(auditLog)).toEqual([])
  expect(await db.select().from(sessions)).toHaveLength(1)
})

test('fifty guesses at once get one answer, as guesses one by one would, and the owner stays signed in [S12 R6]', async () => {
  const { person, visitor, db, clock } = await startTestApp()
  const owner = await person(ana)
  const guess = (password: string) => visitor().tries(login, { input: { ...ana, password } })
  for (let failures = 1; failures <= 11; failures++) {
    expect((await guess(`guess ${failures}`)).status).toBe(401)
    if (failures > 5) clock.advance(1000 * 2 ** (failures - 6))
  }
  // The wait after the next guess, 64 s, is longer than the test may take.
  const guesses = await Promise.all(Array.from({ length: 50 }, (_, i) => guess(`guess ${i} of fifty`)))
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(1)
  const refused = guesses.filter(({ code }) => code === 'SignInThrottled')
  expect(refused).toHaveLength(49)
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeLessThanOrEqual(64)
  expect(await owner.does(getMe)).toEqual(owner.me)
  expect(await db.select().from(sessions)).toHaveLength(1)
})

test('a password stored with older parameters is hashed again at a successful sign-in only [S10]', async () => {
  const { person, visitor, db } = await startTestApp()
  await person(ana)
  const salt = Buffer.alloc(16, 7)
  const tag = argon2Sync('argon2id', {
    message: Buffer.from(ana.password),
    nonce: salt,
    memory: 8192,
    passes: 1,
    parallelism: 1,
    tagLength: 32,
  })
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  const old = `$argon2id$v=19$m=8192,t=1,p=1$${saltText}$${tagText}`
  await db.update(credentials).set({ secret: old })
  expect((await visitor().tries(login, { input: { ...ana, password: 'wrong pass' } })).status).toBe(401)
  expect(await secretsOf(db)).toEqual([old])
  await visitor().does(login, { input: ana })
  const [renewed] = await secretsOf(db)
  expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  await visitor().does(login, { input: ana })
  expect(await secretsOf(db)).toEqual([renewed])
})

test('a sign-in with the old password during a change of the password leaves no session [S14 S23 R6]', async () => {
  const { person, visitor, config } = await startTestApp({ config: { limitsRates: false } })
  expect(config.limitsRates).toBe(false)
  const owner = await person(ana)
  let password = ana.password
  for (let round = 0; round < 4; round++) {
    const others = Array.from({ length: 6 }, () => visitor())
    const newPassword = `pass of round ${round}`
    const [change, ...signIns] = await Promise.all([
      owner.tries(changePassword, { input: { newPassword } }),
      ...others.map((other) => other.tries(login, { input: { email: ana.email, password } })),
    ])
    expect(change.status).toBe(200)
    expect(signIns.filter(({ status }) => status !== 200 && status !== 401)).toEqual([])
    for (const other of others) expect((await other.tries(getMe)).status).toBe(401)
    expect((await owner.tries(getMe)).status).toBe(200)
    password = newPassword
  }
})

test('two changes of a password at the same time leave one password and one session [S14 R6]', async () => {
  const { person, visitor, db } = await startTestApp()
  const owner = await person(ana)
  const browsers = await Promise.all(
    ['a', 'b', 'c'].map(async (letter) => {
      const browser = visitor()
      await browser.does(login, { input: ana })
      return { browser, newPassword: `pass of ${letter}` }
    }),
  )
  const answers = await Promise.all(
    browsers.map(({ browser, newPassword }) => browser.tries(changePassword, { input: { newPassword } })),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401])
  const winner = browsers[answers.findIndex(({ status }) => status === 200)]!
  expect((await winner.browser.tries(getMe)).status).toBe(200)
  expect((await owner.tries(getMe)).status).toBe(401)
  expect(await db.select().from(sessions)).toHaveLength(1)
  const input = { email: ana.email, password: winner.newPassword }
  expect((await visitor().tries(login, { input })).status).toBe(200)
})

test('a new password does not make a session fresh again [S14 S15 S22]', async () => {
  const { person, clock, db } = await startTestApp()
  const owner = await person(ana)
  const [before] = await db.select().from(sessions)
  clock.advance(14 * minute)
  await owner.does(changePassword, { input: { newPassword: 'second pass' } })
  const [after] = await db.select().from(sessions)
  expect([after?.openedAt, after?.expiresAt]).toEqual([before?.openedAt, before?.expiresAt])
  expect(after?.tokenHash).not.toBe(before?.tokenHash)
  clock.advance(2 * minute)
  expect((await owner.tries(changePassword, { input: { newPassword: 'third pass' } })).status).toBe(403)
  expect(await owner.tries(deleteAccount)).toMatchObject({ status: 403, code: 'SignInAgainToDeleteAccount' })
  expect((await owner.tries(getMe)).status).toBe(200)
})

test('a clock that is set back an hour ends no session [S20 R20]', async () => {
  const { person, visitor, clock } = await startTestApp({ config: { limitsRates: false } })
  const first = await person(ana)
  for (let i = 0; i < 19; i++) await visitor().does(login, { input: ana })
  clock.advance(-60 * minute)
  expect((await first.tries(getMe)).status).toBe(200)
  const browser = visitor()
  await browser.does(login, { input: ana })
  expect((await browser.tries(getMe)).status).toBe(200)
})

test('the time of the last use is written once in five minutes at most [S22]', async () => {
  const { person, clock, db } = await startTestApp()
  const owner = await person()
  const seenAt = async () => (await db.select().from(sessions))[0]!.lastSeenAt
  const first = await seenAt()
  clock.advance(4 * minute)
  await owner.does(getMe)
  expect(await seenAt()).toBe(first)
  clock.advance(2 * minute)
  await owner.does(getMe)
  const second = await seenAt()
  expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(6 * minute)
})

test.each([
  ['visitor', 401, 401, 401],
  ['guest', 200, 403, 200],
  ['person', 200, 200, 200],
  ['admin', 200, 200, 403],
] as const)(
  'a %s may see themself, change the password and leave as the table of rights says [PERM-01 S2 S14 S15]',
  async (who, me, change, leave) => {
    const t = await startTestApp()
    const browser = await t[who]()
    const before = await secretsOf(t.db)
    const input = { newPassword: 'lamps and ink 9' }
    expect((await browser.tries(getMe)).status).toBe(me)
    expect((await browser.tries(changePassword, { input })).status).toBe(change)
    const isUnchanged = JSON.stringify(await secretsOf(t.db)) === JSON.stringify(before)
    expect(isUnchanged).toBe(change !== 200)
    const people = await t.db.$count(users)
    expect((await browser.tries(deleteAccount)).status).toBe(leave)
    expect(await t.db.$count(users)).toBe(leave === 200 ? people - 1 : people)
  },
)

test.each([
  ['tries to sign in', login, { email: 'ana@example.org', password: 'right pass' }, 60],
  ['registers', register, { email: 'none', password: 'abcdef' }, 600],
  ['comes as a guest', loginAsGuest, undefined, 600],
] as const)(
  'a person who %s more than ten times from one address has to wait [S47]',
  async (_what, endpoint, input, seconds) => {
    const t = await startTestApp()
    await t.person({ email: 'ana@example.org', password: 'right pass' })
    const tryFrom = async (remoteAddress: string) =>
      (
        await t.request({
          method: 'POST',
          url: endpoint.path,
          remoteAddress,
          ...(input && { payload: input }),
        })
      ).statusCode
    for (let i = 0; i < 10; i++) expect(await tryFrom('203.0.113.9')).not.toBe(429)
    const people = await t.db.$count(users)
    expect(await tryFrom('203.0.113.9')).toBe(429)
    expect(await t.db.$count(users)).toBe(people)
    expect(await tryFrom('203.0.113.10')).not.toBe(429)
    t.clock.advance(seconds * 1000)
    expect(await tryFrom('203.0.113.9')).not.toBe(429)
  },
)

test('a session ends when its person is deleted, whatever cookies the browser has [S4 S23]', async () => {
  const { person, db } = await startTestApp()
  const owner = await person()
  await db.delete(users).where(eq(users.id, owner.me.id))
  expect((await owner.tries(getMe)).status).toBe(401)
  expect(await db.select().from(sessions)).toEqual([])
})

test.each([
  ['was not used for 14 days', sql`last_seen_at = app_now() - interval '14 days 1 second'`],
  ['is older than 30 days', sql`opened_at = app_now() - interval '30 days 1 second'`],
  ['is over', sql`expires_at = app_now()`],
])('the server finds that the session of an open stream %s [S22 S23 R10]', async (_why, change) => {
  const { person, db } = await startTestApp()
  const { me } = await person()
  const { rows } = await db.execute<{ tokenHash: string }>(
    sql`select token_hash as "tokenHash" from sessions where user_id = ${me.id}`,
  )
  const opened = rows.map(({ tokenHash }) => ({ tokenHash, kind: 'user' as const }))
  expect(await listEndedSessions(db, opened)).toEqual([])
  await db.execute(sql`update sessions set ${change} where user_id = ${me.id}`)
  expect(await listEndedSessions(db, opened)).toEqual([opened[0]!.tokenHash])
})

test('the server finds which of many open sessions have ended or have other rights now [S23 R10 INST-05]', async () => {
  const { person, moderator, admin, db } = await startTestApp()
  const [owner, mod, boss] = [await person(), await moderator(), await admin()]
  const rows = await db.select().from(sessions)
  const hashOf = (userId: string) => rows.find((row) => row.userId === userId)!.tokenHash
  const opened = Array.from({ length: 1200 }, () => ({
    tokenHash: hashOf(owner.me.id),
    kind: 'user' as const,
  }))
  const ended = [0, 499, 500, 999, 1000, 1199]
  for (const n of ended) opened[n] = { tokenHash: digestOf(String(n)), kind: 'user' }
  const asAdmin = { tokenHash: hashOf(boss.me.id), kind: 'admin' as const }
  const asModerator = { tokenHash: hashOf(mod.me.id), kind: 'moderator' as const }
  expect(await listEndedSessions(db, [...opened, asModerator, asAdmin])).toEqual(
    ended.map((n) => opened[n]!.tokenHash),
  )
  for (const { tokenHash } of [asModerator, asAdmin])
    expect(await listEndedSessions(db, [{ tokenHash, kind: 'user' }])).toEqual([tokenHash])
})
