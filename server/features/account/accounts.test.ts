import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, getMe, login, logout, register } from '#contract/account/endpoints.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { errors } from '#contract/errors.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { buildApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { feature as feed, posts } from '#server/features/feed/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { auditLog } from '#server/platform/schema.ts'
import { createMemoizedHashing } from '#server/testing/hashing.ts'
import { Client, startTestApp } from '#server/testing/test-app.ts'
import { grantAdmin, purgeGuests, removeAccountByEmail, revokeAdmin, setPassword } from './accounts.ts'
import { purgeSessions } from './sessions.ts'
import { credentials, emails, sessions, users } from './schema.ts'

type TestApp = Awaited<ReturnType<typeof startTestApp>>

const day = 24 * 60 * 60_000
const adminSettings = { adminEmail: 'boss@example.org', adminPassword: 'lamps and ink 9' }
const adminSignIn = { email: adminSettings.adminEmail, password: adminSettings.adminPassword }
const personalData = [feed.personalData]

const sources = ({ db, clock }: TestApp) => ({
  database: db,
  clock,
  random: systemRandom,
  events: new DomainEvents(),
})
const rowsOf = async ({ db }: TestApp) => ({
  users: await db.select().from(users).orderBy(users.id),
  emails: await db.select().from(emails).orderBy(emails.address),
  credentials: await db.select().from(credentials).orderBy(credentials.userId),
})
const auditOf = async ({ db }: TestApp) =>
  (await db.select().from(auditLog).orderBy(auditLog.id)).map(({ action, subjectId }) => [action, subjectId])

/** Another start of the server on the same database, or a second process beside the first. */
async function startAgain({ config, db, clock }: TestApp, settings: Partial<Config>) {
  const app = await buildApp({
    config: { ...config, ...settings },
    database: db,
    clock,
    random: systemRandom,
  })
  return { app, visitor: () => new Client((options) => app.inject(options)) }
}

const grant = (t: TestApp, email: string, password = 'a lamp of my own') =>
  grantAdmin(sources(t), createMemoizedHashing(), t.config, { email, password })

test('a command makes an admin of a registered person, who signs in anew with a new password [S17 S23 S49 S60 PERM-23]', async () => {
  const t = await startTestApp()
  const ana = await t.person({ email: 'ana@example.org', password: 'abcdef' })
  expect(await grant(t, ' Ana@Example.org')).toContain('is an admin now')
  expect((await ana.tries(getMe)).status).toBe(401)
  const email = 'ana@example.org'
  expect((await t.visitor().tries(login, { input: { email, password: 'abcdef' } })).status).toBe(401)
  const input = { email, password: 'a lamp of my own' }
  expect((await t.visitor().does(login, { input })).isAdmin).toBe(true)
  expect(await auditOf(t)).toEqual(
    expect.arrayContaining([
      ['password-change', ana.me.id],
      ['admin-granted', ana.me.id],
    ]),
  )
})

test.each([
  ['short', 'abcdef', 'Password must be at least 12 characters'],
  ['common', 'Password12345', errors.PasswordTooCommon.error],
])(
  'a command makes no admin with a password that is too %s, and changes nothing [S13 S60]',
  async (_what, password, sentence) => {
    const t = await startTestApp()
    const ana = await t.person({ email: 'ana@example.org', password: 'lamps and ink' })
    const before = await rowsOf(t)
    await expect(grant(t, 'ana@example.org', password)).rejects.toThrow(sentence)
    expect(await rowsOf(t)).toEqual(before)
    expect((await ana.tries(getMe)).status).toBe(200)
    expect(await auditOf(t)).toEqual([])
  },
)

test('no short password remains when a person becomes an admin while the person and a command set short passwords [S60 R6]', async () => {
  const t = await startTestApp({ config: { limitsRates: false } })
  const ana = { email: 'ana@example.org', password: 'abcdef' }
  const owner = await t.person(ana)
  const [granted] = await Promise.allSettled([
    grant(t, ana.email),
    owner.tries(changePassword, { input: { newPassword: 'ghijkl' } }),
    setPassword(sources(t), createMemoizedHashing(), t.config, { ...ana, password: 'mnopqr' }),
  ])
  expect(granted.status).toBe('fulfilled')
  for (const password of ['abcdef', 'ghijkl', 'mnopqr'])
    expect((await t.visitor().tries(login, { input: { ...ana, password } })).status).toBe(401)
  const input = { ...ana, password: 'a lamp of my own' }
  expect((await t.visitor().does(login, { input })).isAdmin).toBe(true)
})

test('a command that sets a short password for a person whom another command has just made an admin changes nothing [S60 R6]', async () => {
  const t = await startTestApp()
  const ana = { email: 'ana@example.org', password: 'abcdef' }
  await t.person(ana)
  const hashing = createMemoizedHashing()
  // The grant is committed after the rules were checked for an ordinary person.
  const slow = { ...hashing, hash: async (text: string) => (await grant(t, ana.email), hashing.hash(text)) }
  await expect(setPassword(sources(t), slow, t.config, { ...ana, password: 'mnopqr' })).rejects.toThrow(
    'Nothing was changed',
  )
  expect((await t.visitor().tries(login, { input: { ...ana, password: 'mnopqr' } })).status).toBe(401)
})

test('a command revokes the right of an admin, and ends all sessions of that admin [S17 S23 S49]', async () => {
  const t = await startTestApp()
  const boss = await t.admin({ email: 'boss@example.org' })
  await t.admin({ email: 'eve@example.org' })
  expect(await revokeAdmin(sources(t), 'boss@example.org')).toBe('boss@example.org is no admin any more.')
  expect((await boss.tries(getMe)).status).toBe(401)
  expect((await rowsOf(t)).users.find(({ id }) => id === boss.me.id)!.isAdmin).toBe(false)
  expect(await auditOf(t)).toContainEqual(['admin-revoked', boss.me.id])
})

test('a command that revokes the right of the last admin warns that nobody is an admin [S17]', async () => {
  const t = await startTestApp()
  await t.admin({ email: 'boss@example.org' })
  expect(await revokeAdmin(sources(t), 'boss@example.org')).toContain('Nobody is an admin now')
  expect((await rowsOf(t)).users.map(({ isAdmin }) => isAdmin)).toEqual([false])
})

test('a command that deletes the last admin warns that nobody is an admin, and one that deletes another person does not [S15 S17]', async () => {
  const t = await startTestApp()
  for (const email of ['ana@example.org', 'boss@example.org', 'eve@example.org']) await t.person({ email })
  for (const email of ['boss@example.org', 'eve@example.org']) await grant(t, email)
  const remove = (email: string) => removeAccountByEmail(sources(t), email, personalData)
  expect(await remove('eve@example.org')).toBe('The account of eve@example.org is deleted.')
  expect(await remove('boss@example.org')).toContain('Nobody is an admin now')
  expect(await remove('ana@example.org')).toBe('The account of ana@example.org is deleted.')
})

test('a command that revokes the right of an admin from a moderator names the reason and changes nothing [S17 INST-05]', async () => {
  const t = await startTestApp()
  const mia = await t.moderator({ email: 'mia@example.org' })
  await expect(revokeAdmin(sources(t), 'mia@example.org')).rejects.toThrow('is no admin')
  expect(await mia.does(getMe)).toMatchObject({ isModerator: true })
  expect(await auditOf(t)).not.toContainEqual(['admin-revoked', mia.me.id])
})

test('a command about an unknown person prints so and changes nothing [S17]', async () => {
  const t = await startTestApp()
  const ana = await t.person()
  const before = await rowsOf(t)
  for (const run of [grant, (_: TestApp, email: string) => revokeAdmin(sources(t), email)]) {
    await expect(run(t, 'nobody@example.org')).rejects.toThrow('Nobody is registered as nobody')
  }
  await expect(removeAccountByEmail(sources(t), 'nobody@example.org', personalData)).rejects.toThrow('Nobody')
  expect(await rowsOf(t)).toEqual(before)
  expect(await auditOf(t)).toEqual([])
  expect((await ana.tries(getMe)).status).toBe(200)
})

test('a command deletes an admin like a person who deletes the account [S15 S49]', async () => {
  const t = await startTestApp()
  const boss = await t.admin({ email: 'boss@example.org' })
  await boss.does(submitPost, { input: { content: 'waits', authorName: 'Boss' } })
  await boss.does(submitPost, { input: { content: 'stands', authorName: 'Boss', type: 'premium' } })
  expect(await removeAccountByEmail(sources(t), 'boss@example.org', personalData)).toContain('is deleted')
  expect((await boss.tries(getMe)).status).toBe(401)
  expect(await rowsOf(t)).toEqual({ users: [], emails: [], credentials: [] })
  const left = await t.db.select().from(posts)
  expect(left.map(({ content, authorName, authorId }) => [content, authorName, authorId])).toEqual([
    ['stands', 'Deleted user', null],
  ])
  expect(await auditOf(t)).toContainEqual(['account-deletion', boss.me.id])
})

test('a deletion that fails leaves the whole account as it was [S15 R5]', async () => {
  const t = await startTestApp()
  const ana = await t.person({ email: 'ana@example.org' })
  await ana.does(submitPost, { input: { content: 'waits', authorName: 'Ana' } })
  const before = [await rowsOf(t), await t.db.select().from(posts)]
  const breaking = { ...personalData[0]!, remove: () => Promise.reject(new Error('the disk is full')) }
  const removal = removeAccountByEmail(sources(t), 'ana@example.org', [...personalData, breaking])
  await expect(removal).rejects.toThrow('the disk is full')
  expect([await rowsOf(t), await t.db.select().from(posts)]).toEqual(before)
  expect(await auditOf(t)).toEqual([])
  expect(await ana.does(getMe)).toEqual(ana.me)
})

test('a start with an admin in its settings makes no second admin [S17 PERM-23]', async () => {
  const t = await startTestApp()
  await t.admin()
  const before = await rowsOf(t)
  await (await startAgain(t, adminSettings)).app.close()
  expect(await rowsOf(t)).toEqual(before)
})

test('a start never promotes a registered address, and the server works [S17 PERM-23 R2]', async () => {
  const t = await startTestApp()
  await t.visitor().does(register, { input: adminSignIn })
  const before = await rowsOf(t)
  const { app, visitor } = await startAgain(t, adminSettings)
  expect((await visitor().does(login, { input: adminSignIn })).isAdmin).toBe(false)
  await app.close()
  expect(await rowsOf(t)).toEqual(before)
  expect((await auditOf(t)).map(([action]) => action)).not.toContain('admin-granted')
})

test('processes that start at the same time make one first admin [S17 R6]', async () => {
  const t = await startTestApp()
  const started = await Promise.all(Array.from({ length: 4 }, () => startAgain(t, adminSettings)))
  for (const { app } of started) await app.close()
  expect((await rowsOf(t)).users.map(({ isAdmin }) => isAdmin)).toEqual([true])
  expect((await auditOf(t)).filter(([action]) => action === 'admin-granted')).toHaveLength(1)
})

test.each([
  ['a common password', { ...adminSettings, adminPassword: 'Password12345' }, 'ADMIN_PASSWORD'],
  ['an address that is none', { ...adminSettings, adminEmail: 'boss' }, 'ADMIN_EMAIL'],
])(
  'a start with %s for its admin is refused and makes no account [S13 S17]',
  async (_what, settings, named) => {
    const t = await startTestApp()
    await expect(startAgain(t, settings)).rejects.toThrow(named)
    expect((await rowsOf(t)).users).toEqual([])
  },
)

test('nobody can register the public defaults, so nobody can sign in with them [S18 ONB-34]', async () => {
  const t = await startTestApp()
  const input = { ...demoAccount, email: demoAccount.email.toUpperCase() }
  expect(await t.visitor().tries(register, { input })).toMatchObject({ status: 400, code: 'EmailTaken' })
  expect(await rowsOf(t)).toEqual({ users: [], emails: [], credentials: [] })
  expect((await t.visitor().tries(login, { input: demoAccount })).status).toBe(401)
})

test('a visitor can sign in to the demo account in demo mode only, and it is never an admin [S18]', async () => {
  const t = await startTestApp({ config: { demoMode: true } })
  const browser = t.visitor()
  await browser.does(login, { input: demoAccount })
  const before = await rowsOf(t)
  await expect(grant(t, demoAccount.email)).rejects.toThrow('never be an admin')
  const { app, visitor } = await startAgain(t, { demoMode: false })
  expect(await visitor().tries(login, { input: demoAccount })).toMatchObject({
    status: 401,
    code: 'WrongCredentials',
  })
  expect((await browser.tries(getMe)).status).toBe(401)
  await app.close()
  expect(await rowsOf(t)).toEqual(before)
})

test('expired sessions are purged, and live ones stay [S22]', async () => {
  const t = await startTestApp()
  await t.person()
  t.clock.advance(31 * day)
  const ben = await t.person()
  await purgeSessions(t.db)
  const left = await t.db.select().from(sessions)
  expect(left.map(({ userId }) => userId)).toEqual([ben.me.id])
  expect((await rowsOf(t)).users).toHaveLength(2)
})

test('guests without use for 30 days are purged with their pending posts, and others stay [S16]', async () => {
  const t = await startTestApp()
  const [unused, inUse] = [await t.guest(), await t.guest()]
  const ana = await t.person()
  for (const guest of [unused, inUse]) {
    await guest.does(submitPost, { input: { content: `by ${guest.me.id}`, authorName: 'Somebody' } })
  }
  await unused.does(logout)
  t.clock.advance(20 * day)
  expect((await inUse.tries(getMe)).status).toBe(200)
  t.clock.advance(9 * day)
  const place = { database: t.db, personalData, events: new DomainEvents() }
  await purgeGuests(place)
  expect((await rowsOf(t)).users).toHaveLength(3)
  t.clock.advance(2 * day)
  await purgeGuests(place)
  expect((await rowsOf(t)).users.map(({ id }) => id).toSorted()).toEqual([inUse.me.id, ana.me.id].toSorted())
  expect((await t.db.select().from(posts)).map(({ authorId }) => authorId)).toEqual([inUse.me.id])
  expect((await inUse.tries(getMe)).status).toBe(200)
})

test('a person who signs out or is deleted in one process has no session in any other process [S4 S23]', async () => {
  const t = await startTestApp()
  const { app } = await startAgain(t, {})
  const ana = await t.person({ email: 'ana@example.org' })
  const elsewhere = new Client((options) => app.inject(options))
  for (const [name, value] of ana.cookies) elsewhere.cookies.set(name, value)
  expect(await elsewhere.does(getMe)).toEqual(ana.me)
  await ana.does(deleteAccount)
  expect((await elsewhere.tries(getMe)).status).toBe(401)
  const input = { newPassword: 'second pass' }
  expect((await elsewhere.tries(changePassword, { input })).status).toBe(401)
  expect(await t.db.select().from(users).where(eq(users.id, ana.me.id))).toEqual([])
  await app.close()
})
