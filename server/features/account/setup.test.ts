import { randomInt } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { onTestFinished, expect, test } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import { createFirstAdmin } from '#contract/account/setup/endpoints.ts'
import { setupPath } from '#contract/account/setup/path.ts'
import { buildApp } from '#server/app.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { auditLog, instanceFacts } from '#server/platform/schema.ts'
import { contentOf } from '#server/testing/content.ts'
import { createMemoizedHashing } from '#server/testing/hashing.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { grantAdmin, revokeAdmin } from './accounts.ts'
import { makeSetupCode, offerSetup } from './setup-code.ts'
import { users } from './schema.ts'

const vera = { name: 'Vera Lind', email: 'vera@example.org', passcode: 'lamps and ink 9' }
const noLimits = { limitsRates: false }

/** An instance without an admin, and the code that its start printed. */
async function start(options: Parameters<typeof startTestApp>[0] = { config: noLimits }) {
  const t = await startTestApp(options)
  const code = await makeSetupCode(t.db, systemRandom)
  const use = (with_: object = {}, browser: Client = t.visitor()) =>
    browser.tries(createFirstAdmin, { input: { code, ...vera, ...with_ } })
  const admins = () => t.db.$count(users, eq(users.isAdmin, true))
  const pageStatus = async () => (await t.request({ url: setupPath })).statusCode
  const sources = { database: t.db, clock: t.clock, random: systemRandom, events: new DomainEvents() }
  return { ...t, code, use, admins, pageStatus, sources }
}

test('the holder of the set-up code makes the first admin account and is signed in; then neither the code nor the page is good any more [INST-09]', async () => {
  const { use, visitor, pageStatus, db, request } = await start()
  expect(await pageStatus()).toBe(200)
  const browser = visitor()
  const answer = await use({}, browser)
  expect(answer).toMatchObject({ status: 201, body: { email: 'vera@example.org', isAdmin: true } })
  const { id } = await browser.does(getMe)
  expect((await visitor().does(login, { input: { email: vera.email, password: vera.passcode } })).id).toBe(id)
  expect(await db.select().from(auditLog)).toContainEqual(
    expect.objectContaining({ action: 'admin-granted', actorId: id, subjectId: id }),
  )
  const before = await db.$count(users)
  expect(await use({ email: 'other@example.org' })).toMatchObject({ status: 403, code: 'SetupRefused' })
  expect(await db.$count(users)).toBe(before)
  const page = await request({ url: setupPath })
  const missing = await request({ url: '/nowhere' })
  expect([page.statusCode, page.body]).toEqual([404, missing.body])
})

test('a code is typed as people type: in small letters, without dashes, with O for 0 and I or L for 1 [INST-09]', async () => {
  const { code, use, admins } = await start()
  expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
  const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'O')
  expect((await use({ code: typed.replaceAll('1', () => 'IlL'[randomInt(3)]!) })).status).toBe(201)
  expect(await admins()).toBe(1)
})

test('the code is stored as a digest alone, and is in no line of the audit log [INST-09 S57 S49]', async () => {
  const { code, use, db } = await start()
  const stored = JSON.stringify(await contentOf(db))
  expect(stored).toContain('setup-code')
  expect(stored.toUpperCase().replaceAll('-', '')).not.toContain(code.replaceAll('-', ''))
  await use()
  expect(JSON.stringify(await db.select().from(auditLog))).not.toContain(code)
  expect(await db.$count(instanceFacts, eq(instanceFacts.name, 'setup-code'))).toBe(0)
})

test('a wrong code, and any code where there is an admin, get the same answer and change nothing but the count of refusals [INST-09 S57]', async () => {
  const { use, db, admin } = await start()
  const before = await contentOf(db)
  const wrong = await use({ code: 'AAAA-AAAA-AAAA-AAAA' })
  const { audit_log: audited, ...after } = await contentOf(db)
  const { audit_log: _audited, ...unchanged } = before
  expect(after).toEqual(unchanged)
  expect(audited!.join()).toContain('setup-refused')
  await admin()
  const right = await use()
  const shown = ({ status, body, headers }: typeof right) => [status, body, Object.keys(headers)]
  expect(wrong).toMatchObject({ status: 403, code: 'SetupRefused' })
  expect(shown(right)).toEqual(shown(wrong))
})

test.each([
  ['too short', { passcode: 'short pass' }, 'PasswordTooShort', 'passcode'],
  ['common', { passcode: 'Password12345' }, 'PasswordTooCommon', 'passcode'],
  ['of a name without letters', { name: '\u200b\u200b' }, 'InvalidInput', 'name'],
])(
  'an account with a passcode or a name that is %s is refused, and the code stays good [INST-09 S13 S60]',
  async (_what, part, code, field) => {
    const { use, db } = await start()
    const before = await contentOf(db)
    expect(await use(part)).toMatchObject({ status: 400, code, fields: { [field]: expect.any(String) } })
    expect(await contentOf(db)).toEqual(before)
    expect((await use()).status).toBe(201)
  },
)

test('an address that is in use makes no admin, and only the holder of the code learns of it [INST-09 S17]', async () => {
  const { use, person, admins } = await start()
  await person({ email: vera.email })
  expect(await use({ code: 'AAAA-AAAA-AAAA-AAAA' })).toMatchObject({ code: 'SetupRefused' })
  expect(await use()).toMatchObject({
    status: 400,
    code: 'EmailTaken',
    fields: { email: expect.any(String) },
  })
  expect(await admins()).toBe(0)
  expect((await use({ email: 'free@example.org' })).status).toBe(201)
})

test('of two people who use the code at once, one becomes the admin [INST-09]', async () => {
  const { use, db, admins } = await start()
  const lock = await db.pool.connect()
  await lock.query('begin')
  await lock.query("select 1 from instance_facts where name = 'setup-code' for update")
  const both = [use(), use({ email: 'other@example.org' })]
  await untilLockWaits(db, 2)
  await lock.query('commit')
  lock.release()
  expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([201, 403])
  expect(await admins()).toBe(1)
})

test('a restart makes another code, and the one before is no longer good [INST-09]', async () => {
  const { use, db } = await start()
  const next = await makeSetupCode(db, systemRandom)
  expect((await use()).code).toBe('SetupRefused')
  expect((await use({ code: next })).status).toBe(201)
})

test('of two processes that start together one prints a code, which the other does not end; after its end the next one prints [INST-09]', async () => {
  const { db, connection, use } = await start()
  const place = { connection, database: db, random: systemRandom }
  const first = await offerSetup(place)
  onTestFinished(() => first?.release())
  expect(await offerSetup(place)).toBeUndefined()
  await first!.release()
  const second = await offerSetup(place)
  onTestFinished(() => second?.release())
  expect((await use({ code: first!.code })).code).toBe('SetupRefused')
  expect((await use({ code: second!.code })).status).toBe(201)
})

test('an admin made by the command ends the code for good, also when the right is taken away again [INST-09]', async () => {
  const { use, person, sources, config, admins, pageStatus } = await start()
  const ana = await person({ email: 'ana@example.org' })
  const email = ana.me.email!
  await grantAdmin(sources, createMemoizedHashing(), config, { email, password: 'a lamp of my own' })
  expect([(await use()).code, await pageStatus()]).toEqual(['SetupRefused', 404])
  await revokeAdmin(sources, email)
  expect([(await use()).code, await pageStatus()]).toEqual(['SetupRefused', 200])
  expect(await admins()).toBe(0)
})

test('an admin made by ADMIN_EMAIL ends the code for good [INST-09]', async () => {
  const { use, db, clock, config, sources } = await start()
  const settings = { adminEmail: 'boss@example.org', adminPassword: 'lamps and ink 9' }
  const app = await buildApp({ config: { ...config, ...settings }, ...sources, clock, database: db })
  await app.close()
  expect((await use()).code).toBe('SetupRefused')
  await revokeAdmin(sources, settings.adminEmail)
  expect((await use()).code).toBe('SetupRefused')
})

test('a person with a session who makes the account has the session of the admin alone [INST-09 S20]', async () => {
  const { use, person, db } = await start()
  const ana = await person()
  const sid = ana.cookies.get('sid')!
  const { body } = await use({}, ana)
  expect((await ana.does(getMe)).id).toBe((body as { id: string }).id)
  ana.cookies.set('sid', sid)
  expect((await ana.tries(getMe)).status).toBe(401)
  expect(await db.$count(users)).toBe(2)
})

test('an address guesses ten codes in ten minutes, and all addresses together three hundred; then also the right one waits [INST-09 S47]', async () => {
  const { code, request, clock, admins } = await start({})
  const guess = async (remoteAddress: string, with_ = {}) =>
    (
      await request({
        method: 'POST',
        url: createFirstAdmin.path,
        payload: { ...vera, code: 'AAAA-AAAA-AAAA-AAAA', ...with_ },
        remoteAddress,
      })
    ).statusCode
  for (let n = 0; n < 10; n++) expect(await guess('203.0.113.1')).toBe(403)
  expect(await guess('203.0.113.1', { code })).toBe(429)
  for (let n = 10; n < 300; n++) expect(await guess(`198.51.${n >> 8}.${n % 256}`)).toBe(403)
  expect(await guess('203.0.113.2', { code })).toBe(429)
  expect(await admins()).toBe(0)
  clock.advance(600_000)
  expect(await guess('203.0.113.1', { code })).toBe(201)
})
