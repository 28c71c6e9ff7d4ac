import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, getMe, login } from '#contract/account/endpoints.ts'
import { deleteUser } from '#contract/admin/endpoints.ts'
import { listNotifications } from '#contract/inbox/endpoints.ts'
import { createPasswordReset, resetPassword } from '#contract/password-resets/endpoints.ts'
import { resetPath } from '#contract/password-resets/path.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { allPersonalData } from '#server/features.ts'
import {
  createHashing,
  grantAdmin,
  removeAccountByEmail,
  revokeAdmin,
  setPassword,
  users,
} from '#server/features/account/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { auditLog } from '#server/platform/schema.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { contentOf } from '#server/testing/content.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { purgeResets } from './queries.ts'
import { passwordResets } from './schema.ts'

const minute = 60_000
const ana = { email: 'ana@example.org', password: 'forgotten pass' }
const newPassword = 'remembered pass'

/** Ana, who has forgotten her password, an admin, and the calls of both. */
async function start(options: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ ...options, config: { limitsRates: false, ...options.config } })
  const [hers, boss] = [await t.person(ana), await t.admin()]
  const make = async (admin: Client = boss) =>
    (await admin.does(createPasswordReset, { params: { id: hers.me.id } })).token
  const use = (token: string, password = newPassword) =>
    t.visitor().tries(resetPassword, { input: { token, newPassword: password } })
  const signsIn = async (password: string) =>
    (await t.visitor().tries(login, { input: { ...ana, password } })).status === 200
  const sources = { database: t.db, clock: t.clock, random: systemRandom, events: new DomainEvents() }
  return { ...t, hers, boss, make, use, signsIn, sources }
}

test('a person sets a new passcode by the link of an admin; all sessions end, and the person signs in by hand [INST-17 S13 S23]', async () => {
  const { hers, make, use, signsIn, visitor, boss, db } = await start()
  const token = await make()
  expect(token).toMatch(/^[\w-]{43}$/)
  const browser = visitor()
  const answer = await browser.tries(resetPassword, { input: { token, newPassword } })
  expect(answer).toMatchObject({ status: 200, body: { ok: true } })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(await db.$count(passwordResets)).toBe(0)
  for (const each of [hers, browser]) expect((await each.tries(getMe)).status).toBe(401)
  expect(await boss.does(getMe)).toMatchObject({ id: boss.me.id })
  expect([await signsIn(ana.password), await signsIn(newPassword)]).toEqual([false, true])
  expect(await use(token, 'once more pass')).toMatchObject({ status: 404, code: 'PasswordResetNotFound' })
  expect(await signsIn(newPassword)).toBe(true)
})

test('the token of a link is stored as a digest alone, and is in no line of the audit log [INST-17 S49 S57]', async () => {
  const { make, use, db, hers, boss } = await start()
  const token = await make()
  expect((await contentOf(db))['password_resets']!.join()).toContain(digestOf(token))
  await use(token)
  expect(JSON.stringify(await contentOf(db))).not.toContain(token)
  const log = await db.select().from(auditLog).orderBy(auditLog.id)
  expect(log).toMatchObject([
    { action: 'password-reset-link', actorId: boss.me.id, subjectId: hers.me.id, details: null },
    { action: 'password-reset', actorId: hers.me.id },
  ])
})

test('a new link replaces the one before, and each is good for 30 minutes [INST-17]', async () => {
  const { make, use, clock, db } = await start()
  const [old, token] = [await make(), await make()]
  expect((await use(old)).code).toBe('PasswordResetNotFound')
  clock.advance(31 * minute)
  expect((await use(token)).code).toBe('PasswordResetNotFound')
  await purgeResets(db)
  expect(await db.$count(passwordResets)).toBe(0)
  clock.advance(-31 * minute)
})

test('a link is still good after 29 minutes [INST-17]', async () => {
  const { make, use, clock } = await start()
  const token = await make()
  clock.advance(29 * minute)
  expect((await use(token)).status).toBe(200)
})

type World = Awaited<ReturnType<typeof start>>
const voidings: [string, (t: World) => Promise<unknown>][] = [
  [
    'the person has changed the password',
    ({ hers }) => hers.does(changePassword, { input: { newPassword: 'own new pass' } }),
  ],
  [
    'a command has set the password',
    ({ sources, config }) =>
      setPassword(sources, createHashing(systemRandom), config, { ...ana, password: 'set by command' }),
  ],
  [
    'the person is an admin now',
    ({ sources, config }) =>
      grantAdmin(sources, createHashing(systemRandom), config, { ...ana, password: 'lamps and ink 9' }),
  ],
  [
    'the person is an admin by hand',
    ({ db, hers }) => db.update(users).set({ isAdmin: true }).where(eq(users.id, hers.me.id)),
  ],
  ['the admin is no admin any more', ({ sources, boss }) => revokeAdmin(sources, boss.me.email!)],
  [
    'the admin was deleted',
    ({ sources, boss }) => removeAccountByEmail(sources, boss.me.email!, allPersonalData),
  ],
  ['the person has deleted the account', ({ hers }) => hers.does(deleteAccount)],
]

test.each(voidings)(
  'a link is void when %s, and its use changes nothing [INST-17 S60]',
  async (_what, change) => {
    const t = await start()
    const token = await t.make()
    await change(t)
    const before = await contentOf(t.db)
    expect(await t.use(token)).toMatchObject({ status: 404, code: 'PasswordResetNotFound' })
    expect(await contentOf(t.db)).toEqual(before)
  },
)

test('an unknown, used, replaced or expired link gets the same answer after the same work [INST-17 S11 S57]', async () => {
  const hashed: string[] = []
  const real = createHashing(systemRandom)
  const hashing = {
    ...real,
    hash: (password: string) => {
      hashed.push(password)
      return real.hash(password)
    },
  }
  const { make, use, clock, db } = await start({ hashing })
  const [replaced, used] = [await make(), await make()]
  await use(used)
  const expired = await make()
  clock.advance(31 * minute)
  const before = await contentOf(db)
  hashed.length = 0
  const answers = []
  for (const token of ['', 'none', 'a'.repeat(43), replaced, used, expired]) answers.push(await use(token))
  for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]!.body])
  expect(hashed).toEqual(answers.map(() => newPassword))
  expect(await contentOf(db)).toEqual(before)
})

test.each([
  ['short', 'abc12', 'Passcode must be at least 6 characters', {}],
  [
    'shorter than the settings ask for',
    'eightone',
    'Password must be at least 10 characters',
    { passwordMinLength: 10 },
  ],
  [
    'common',
    'password123',
    'This password is too common. Please choose another one.',
    { refusesCommonPasswords: true },
  ],
] as const)(
  'a passcode that is %s is refused as at sign-up, and the link stays good [INST-17 S13]',
  async (_what, weak, error, config) => {
    const { make, use, db, signsIn } = await start({ config })
    const token = await make()
    const before = await contentOf(db)
    expect(await use(token, weak)).toMatchObject({ status: 400, fields: { newPassword: error } })
    expect(await contentOf(db)).toEqual(before)
    expect((await use(token)).status).toBe(200)
    expect(await signsIn(newPassword)).toBe(true)
  },
)

test('of several uses of a link at once one counts [INST-17 R6]', async () => {
  const { make, use, signsIn } = await start()
  for (let round = 0; round < 3; round++) {
    const token = await make()
    const passwords = Array.from({ length: 5 }, (_, i) => `pass ${round} of ${i}`)
    const answers = await Promise.all(passwords.map((password) => use(token, password)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404])
    const winner = passwords[answers.findIndex(({ status }) => status === 200)]!
    expect(await signsIn(winner)).toBe(true)
  }
})

test('a link that is used while the person changes the password sets no password after that change [INST-17 R6]', async () => {
  const { make, use, hers, signsIn } = await start()
  let password = ana.password
  for (let round = 0; round < 4; round++) {
    await hers.does(login, { input: { ...ana, password } })
    const token = await make()
    const own = `own pass ${round}`
    const [change, reset] = await Promise.all([
      hers.tries(changePassword, { input: { newPassword: own } }),
      use(token, `by link ${round}`),
    ])
    // When the link was first, the session of the person had ended.
    expect([change.status, reset.status].toSorted()).toEqual(reset.status === 200 ? [200, 401] : [200, 404])
    password = reset.status === 200 ? `by link ${round}` : own
    expect(await signsIn(password)).toBe(true)
  }
})

test('a reset that is cut off before its end leaves the password, the sessions and the link as they were [INST-17 R2]', async () => {
  const { make, use, db, hers, signsIn } = await start()
  const token = await make()
  // The last step of the reset fails, as it does when the server or the database stops there.
  await db.execute(
    sql`create function fail() returns trigger language plpgsql as $$ begin raise 'cut off'; end $$`,
  )
  await db.execute(
    sql`create trigger cut_off before insert on audit_log for each row execute function fail()`,
  )
  const before = await contentOf(db)
  expect((await use(token)).status).toBe(500)
  expect(await contentOf(db)).toEqual(before)
  await db.execute(sql`drop trigger cut_off on audit_log; drop function fail()`)
  expect((await hers.tries(getMe)).status).toBe(200)
  expect((await use(token)).status).toBe(200)
  expect(await signsIn(newPassword)).toBe(true)
})

test('an admin makes no link for an admin, a guest, nobody or the demo account, and none with an old sign-in; nothing changes [INST-17 S14 S18 S60]', async () => {
  const { boss, admin, guest, person, db, clock, hers } = await start()
  const [other, gus, demo] = [await admin(), await guest(), await person()]
  await db.update(users).set({ isDemo: true }).where(eq(users.id, demo.me.id))
  const before = await contentOf(db)
  for (const [id, status, code] of [
    [boss.me.id, 403, 'AdminResetsOnServer'],
    [other.me.id, 403, 'AdminResetsOnServer'],
    [demo.me.id, 403, 'DemoAccountStays'],
    [gus.me.id, 404, 'UserNotFound'],
    ['0000000000', 404, 'UserNotFound'],
  ] as const)
    expect(await boss.tries(createPasswordReset, { params: { id } })).toMatchObject({ status, code })
  expect(await contentOf(db)).toEqual(before)
  clock.advance(16 * minute)
  await boss.does(getMe)
  const later = await contentOf(db)
  expect(await boss.tries(createPasswordReset, { params: { id: hers.me.id } })).toMatchObject({
    status: 403,
    code: 'SignInAgainToResetPassword',
  })
  expect(await contentOf(db)).toEqual(later)
})

test.each([
  ['is an admin no more', 'update users set is_admin = false where id =', 403, 'NotAllowed'],
  ['is deleted', 'delete from users where id =', 401, 'SignInRequired'],
])(
  'an admin who %s while a link is made gets a refusal, and no link [INST-17 S60 R6]',
  async (_what, change, status, code) => {
    const { hers, boss, db } = await start()
    const { making } = await db.transaction(async (tx) => {
      await tx.execute(sql`${sql.raw(change)} ${boss.me.id}`)
      const making = boss.tries(createPasswordReset, { params: { id: hers.me.id } })
      await untilLockWaits(db)
      return { making }
    })
    expect(await making).toMatchObject({ status, code })
    const { password_resets, inbox_events } = await contentOf(db)
    expect([password_resets, inbox_events]).toEqual([[], []])
    expect(await db.$count(auditLog, eq(auditLog.action, 'password-reset-link'))).toBe(0)
  },
)

test('calls of an old session of an admin, which are refused, do not use up those of the admin [INST-17 S14 S47]', async () => {
  const { boss, hers, visitor, clock } = await start({ config: { limitsRates: true } })
  clock.advance(16 * minute)
  const params = { id: hers.me.id }
  for (let i = 0; i < 20; i++)
    expect(await boss.tries(createPasswordReset, { params })).toMatchObject({
      code: 'SignInAgainToResetPassword',
    })
  const fresh = visitor()
  await fresh.does(login, { input: { email: boss.me.email!, password: 'a long admin password' } })
  await fresh.does(createPasswordReset, { params })
})

test('a person is notified that an admin made a link, and a change of the password makes it void [INST-17 LOOP-23]', async () => {
  const { hers, boss, make, use } = await start()
  const token = await make()
  expect(await hers.does(listNotifications)).toMatchObject([
    { type: 'password.reset-link', data: { madeAt: expect.stringMatching(/^2025-06-10T12:00:/) } },
  ])
  expect(await boss.does(listNotifications)).toEqual([])
  await hers.does(changePassword, { input: { newPassword: 'own new pass' } })
  expect((await use(token)).code).toBe('PasswordResetNotFound')
})

test('a link goes with the account for which it was made, and nobody else is concerned [INST-17 S15]', async () => {
  const { boss, hers, person, make, db } = await start()
  await make()
  const ben = await person()
  await boss.does(createPasswordReset, { params: { id: ben.me.id } })
  await boss.does(deleteUser, { params: { id: hers.me.id } })
  expect(await db.select().from(passwordResets)).toMatchObject([{ userId: ben.me.id }])
})

test('an address tries ten links in ten minutes, and an admin makes twenty in an hour [INST-17 S47]', async () => {
  const { request, boss, hers, clock } = await start({ config: { limitsRates: true } })
  const tryFrom = async (remoteAddress: string) =>
    (
      await request({
        method: 'POST',
        url: resetPassword.path,
        remoteAddress,
        payload: { token: 'none', newPassword },
      })
    ).statusCode
  for (let i = 0; i < 10; i++) expect(await tryFrom('203.0.113.9')).toBe(404)
  expect(await tryFrom('203.0.113.9')).toBe(429)
  expect(await tryFrom('203.0.113.10')).toBe(404)
  clock.advance(10 * minute)
  expect(await tryFrom('203.0.113.9')).toBe(404)
  const params = { id: hers.me.id }
  for (let i = 0; i < 20; i++) await boss.does(createPasswordReset, { params })
  expect((await boss.tries(createPasswordReset, { params })).status).toBe(429)
})

test('the page of a link is not indexed, tells its address to no other site, and changes nothing when it is fetched [INST-17 S55 S57]', async () => {
  const { make, request, use, db } = await start()
  const token = await make()
  const before = await contentOf(db)
  const page = await request({ method: 'GET', url: resetPath })
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('<meta name="robots" content="noindex" />')
  expect(page.headers['referrer-policy']).toBe('same-origin')
  expect(await contentOf(db)).toEqual(before)
  expect((await use(token)).status).toBe(200)
})
