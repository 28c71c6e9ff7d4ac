import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { deleteAccount, getMe, login, loginAsGuest } from '#contract/account/endpoints.ts'
import {
  getSuspension,
  liftSuspension,
  suspendPerson,
  type Suspension,
} from '#contract/account/suspensions/endpoints.ts'
import { countAdminUsers, deleteUser, listAdminUsers, listAuditEntries } from '#contract/admin/endpoints.ts'
import { createPasswordReset, resetPassword } from '#contract/password-resets/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { allPersonalData } from '#server/features.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { auditLog } from '#server/platform/schema.ts'
import { contentOf, withoutLog } from '#server/testing/content.ts'
import { createMemoizedHashing } from '#server/testing/hashing.ts'
import { untilLockWaits } from '#server/testing/lock-waits.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { grantAdmin, removeAccountByEmail } from './accounts.ts'
import { suspensions, users } from './schema.ts'
import { purgeSuspensions } from './suspensions.ts'

const day = 86_400_000
const ana = { email: 'ana@example.org', password: 'lamps and ink' }
const untilTomorrow: Suspension = {
  reason: 'You insulted a neighbour.\nPlease read the rules.',
  until: '2025-06-11T12:00:00.000Z',
  hidesTexts: false,
}
const forGood: Suspension = { ...untilTomorrow, until: null }

/** Ana with a session, and two admins. */
async function start(options: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ ...options, config: { limitsRates: false, ...options.config } })
  const [hers, boss, chief] = [await t.person(ana), await t.admin(), await t.admin()]
  const params = { id: hers.me.id }
  return {
    ...t,
    hers,
    boss,
    chief,
    params,
    suspend: (input = untilTomorrow, by: Client = boss) => by.does(suspendPerson, { params, input }),
    lift: (by: Client = boss) => by.does(liftSuspension, { params }),
    signIn: (by = t.visitor(), input = ana) => by.tries(login, { input }),
    sources: { database: t.db, clock: t.clock, random: systemRandom, events: new DomainEvents() },
  }
}

test('an admin suspends a person, whose sessions end; at sign-in the person reads the reason and the end, and a wrong passcode tells nothing [INST-04 S62]', async () => {
  const { hers, suspend, signIn, visitor, db, params } = await start()
  const device = visitor()
  await device.does(login, { input: ana })
  const wrong = await signIn(visitor(), { ...ana, password: 'a wrong one' })
  expect(await suspend()).toEqual(untilTomorrow)
  for (const each of [hers, device]) expect((await each.tries(getMe)).status).toBe(401)
  const answer = await signIn()
  expect(answer.status).toBe(403)
  expect(answer.body).toEqual({
    code: 'Suspended',
    error: 'This account is suspended.',
    current: { ...untilTomorrow, exportToken: expect.stringMatching(/^zme_/) },
  })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(await db.execute(sql`select 1 from sessions where user_id = ${params.id}`)).toMatchObject({
    rowCount: 0,
  })
  const still = await signIn(visitor(), { ...ana, password: 'a wrong one' })
  expect([still.status, still.body]).toEqual([wrong.status, wrong.body])
})

const messengers = ['NOTIFY', 'Redis'] as const satisfies Messenger[]

test.for(messengers)(
  'over %s the sessions and streams of a suspended person end at both processes within two seconds, and those of others stay [INST-04 S23]',
  async (messenger, context) => {
    const { app, other, person, admin, atOther } = await startTwoApps(messenger, context)
    const [hers, ben, boss] = [await person(ana), await person(), await admin()]
    const ended = [
      await openStream(app, hers, { inbox: hers.me.id }),
      await openStream(other, atOther(hers), { inbox: hers.me.id }),
    ]
    const stays = await openStream(other, atOther(ben), { inbox: ben.me.id })
    const begun = performance.now()
    await atOther(boss).does(suspendPerson, { params: { id: hers.me.id }, input: untilTomorrow })
    for (const at of [hers, atOther(hers)]) expect((await at.tries(getMe)).status).toBe(401)
    await Promise.all(ended.map((stream) => stream.ended))
    expect(performance.now() - begun).toBeLessThan(2000)
    const isSignedIn = async () => (await ben.tries(getMe)).status === 200
    expect(await Promise.race([stays.ended.then(() => 'ended'), isSignedIn()])).toBe(true)
  },
)

test('a suspension ends by the clock of the database, and the person signs in without anybody doing anything [INST-04]', async () => {
  const { suspend, signIn, clock, boss, params, db } = await start()
  await suspend()
  clock.advance(day - 1000)
  expect((await signIn()).code).toBe('Suspended')
  clock.advance(2000)
  const { email, password } = { email: boss.me.email!, password: 'a long admin password' }
  await boss.does(login, { input: { email, password } })
  expect((await signIn()).status).toBe(200)
  expect(await boss.does(getSuspension, { params })).toBeNull()
  expect(await boss.does(listAdminUsers, { query: { isSuspended: 'true' } })).toEqual([])
  expect(await db.$count(suspensions)).toBe(1)
  await purgeSuspensions(db)
  expect(await db.$count(suspensions)).toBe(0)
})

test('a suspension for good stays until an admin lifts it, and a repeated lift changes nothing [INST-04]', async () => {
  const { suspend, lift, signIn, clock, db, boss } = await start()
  await suspend(forGood)
  clock.advance(5000 * day)
  await purgeSuspensions(db)
  expect((await signIn()).body).toMatchObject({ code: 'Suspended', current: { until: null } })
  await boss.does(login, { input: { email: boss.me.email!, password: 'a long admin password' } })
  await lift()
  expect((await signIn()).status).toBe(200)
  const before = await contentOf(db)
  await lift()
  expect(await contentOf(db)).toEqual(before)
})

test('an admin changes the end and the reason; the same call twice changes nothing; the audit log has each change [INST-04 S49]', async () => {
  const { suspend, lift, boss, chief, db, params } = await start()
  await suspend()
  const once = await contentOf(db)
  await suspend(untilTomorrow, chief)
  expect(await contentOf(db)).toEqual(once)
  const longer = { reason: 'Again.', until: '2025-07-10T12:00:00.000Z', hidesTexts: true }
  await suspend(longer, chief)
  expect(await boss.does(getSuspension, { params })).toEqual(longer)
  await suspend({ ...longer, until: null })
  await lift(chief)
  const entries = await boss.does(listAuditEntries, { query: { about: params.id } })
  const about = { subjectId: params.id, subjectName: 'Person1 Test' }
  const suspended = { ...about, action: 'person-suspended' }
  expect(entries).toMatchObject([
    { ...about, action: 'suspension-lifted', actorId: chief.me.id, details: null },
    { ...suspended, actorId: boss.me.id, details: { end: 'For good', texts: 'hidden', reason: 'Again.' } },
    {
      ...suspended,
      actorId: chief.me.id,
      details: { until: longer.until, texts: 'hidden', reason: 'Again.' },
    },
    {
      ...suspended,
      actorId: boss.me.id,
      details: { until: untilTomorrow.until, texts: 'stay', reason: untilTomorrow.reason },
    },
  ])
})

test('admins find the suspended people, each with the suspension [INST-04 AUSR-04]', async () => {
  const { suspend, person, boss, params } = await start()
  await person()
  await suspend()
  const listed = await boss.does(listAdminUsers)
  expect(listed.map(({ id, suspension }) => [id === params.id, suspension])).toEqual([
    [false, null],
    [false, null],
    [false, null],
    [true, untilTomorrow],
  ])
  const query = { isSuspended: 'true' } as const
  expect(await boss.does(listAdminUsers, { query })).toMatchObject([params])
  expect(await boss.does(countAdminUsers, { query })).toEqual({ count: 1 })
  expect(await boss.does(listAdminUsers, { query: { ...query, q: 'nobody of this name' } })).toEqual([])
})

test('no admin, not oneself, no guest and not the demo account is suspended, and nothing changes [INST-04]', async () => {
  const { boss, chief, guest, person, db } = await start()
  const [gus, demo] = [await guest(), await person()]
  await db.update(users).set({ isDemo: true }).where(eq(users.id, demo.me.id))
  const before = await contentOf(db)
  for (const [id, status, code] of [
    [boss.me.id, 403, 'AdminCannotBeSuspended'],
    [chief.me.id, 403, 'AdminCannotBeSuspended'],
    [demo.me.id, 403, 'DemoAccountStays'],
    [gus.me.id, 404, 'UserNotFound'],
    ['0000000000', 404, 'UserNotFound'],
  ] as const) {
    const answer = await boss.tries(suspendPerson, { params: { id }, input: forGood })
    expect(answer).toMatchObject({ status, code })
  }
  for (const id of [gus.me.id, '0000000000'])
    for (const endpoint of [getSuspension, liftSuspension])
      expect((await boss.tries(endpoint, { params: { id } })).code).toBe('UserNotFound')
  expect(await contentOf(db)).toEqual(before)
})

test.each([
  ['has passed', { until: '2025-06-10T12:00:00.000Z' }, 'until'],
  ['is no real time', { until: '2025-13-40T12:00:00.000Z' }, 'until'],
  ['is more than ten years away', { until: '2035-06-10T12:00:01.000Z' }, 'until'],
  ['has a blank reason', { reason: ' \n' }, 'reason'],
  ['has a reason of 1,001 characters', { reason: 'x'.repeat(1001) }, 'reason'],
])('a suspension that %s is refused, and nothing changes [INST-04 S31]', async (_what, wrong, field) => {
  const { boss, params, db } = await start()
  const before = await contentOf(db)
  const answer = await boss.tries(suspendPerson, { params, input: { ...untilTomorrow, ...wrong } })
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', fields: { [field]: expect.any(String) } })
  expect(await contentOf(db)).toEqual(before)
})

test('a reset link sets a new passcode, and the suspended person still cannot sign in [INST-04 INST-17]', async () => {
  const { boss, params, suspend, signIn, visitor } = await start()
  const { token } = await boss.does(createPasswordReset, { params })
  await suspend()
  const newPassword = 'remembered pass'
  await visitor().does(resetPassword, { input: { token, newPassword } })
  expect((await signIn()).code).toBe('WrongCredentials')
  const answer = await signIn(visitor(), { ...ana, password: newPassword })
  expect(answer).toMatchObject({ status: 403, code: 'Suspended' })
})

test('a guest whose sign-in is refused goes on as the same guest, and the log counts the refusal [INST-04 S49]', async () => {
  const { guest, suspend, signIn, db, params } = await start()
  const gus = await guest()
  await suspend()
  const before = withoutLog(await contentOf(db))
  expect((await signIn(gus)).code).toBe('Suspended')
  expect(await gus.does(loginAsGuest)).toMatchObject({ id: gus.me.id })
  expect(withoutLog(await contentOf(db))).toEqual(before)
  const [refusal] = await db.select().from(auditLog).where(eq(auditLog.action, 'suspended-sign-in-refused'))
  expect(refusal).toMatchObject({ actorId: gus.me.id, subjectId: params.id })
})

test('of fifty suspensions and lifts by two admins at once each is answered, and one row or none is left [INST-04 R6]', async () => {
  const { boss, chief, params, db, signIn } = await start()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      n % 2
        ? boss.tries(suspendPerson, { params, input: { ...forGood, reason: `Reason ${n % 6}` } })
        : chief.tries(n % 4 ? liftSuspension : suspendPerson, {
            params,
            ...(n % 4 === 0 && { input: untilTomorrow }),
          }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const isSuspended = (await db.$count(suspensions)) === 1
  expect((await signIn()).status).toBe(isSuspended ? 403 : 200)
})

test('a sign-in at the moment of the suspension leaves no session [INST-04 S23]', async () => {
  const { boss, params, signIn, suspend, lift, db, visitor } = await start()
  for (let round = 0; round < 5; round++) {
    const browsers = Array.from({ length: 4 }, visitor)
    const [, ...answers] = await Promise.all([suspend(), ...browsers.map((browser) => signIn(browser))])
    for (const { status } of answers) expect([200, 403]).toContain(status)
    for (const browser of browsers) expect((await browser.tries(getMe)).status).toBe(401)
    await lift()
  }
  // A sign-in that compares the passcode while the suspension is stored waits for the account.
  const { signingIn } = await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from users where id = ${params.id} for no key update`)
    const answer = signIn()
    await untilLockWaits(db)
    await tx.execute(sql`insert into suspensions values (${params.id}, 'Unkind', null, false)`)
    return { signingIn: answer }
  })
  expect((await signingIn).code).toBe('Suspended')
  expect(await boss.does(getSuspension, { params })).toMatchObject({ reason: 'Unkind' })
})

test.each([
  ['is an admin no more', 'update users set is_admin = false where id =', 403, 'NotAllowed'],
  ['is deleted', 'delete from users where id =', 401, 'SignInRequired'],
])('an admin who %s meanwhile suspends nobody [INST-04 R6]', async (_what, change, status, code) => {
  const { boss, params, db, hers } = await start()
  const { suspending } = await db.transaction(async (tx) => {
    await tx.execute(sql`${sql.raw(change)} ${boss.me.id}`)
    const answer = boss.tries(suspendPerson, { params, input: forGood })
    await untilLockWaits(db)
    return { suspending: answer }
  })
  expect(await suspending).toMatchObject({ status, code })
  expect(await db.$count(suspensions)).toBe(0)
  expect((await hers.tries(getMe)).status).toBe(200)
})

test('a suspension that hides texts keeps the account from being deleted; one that does not goes with the account [INST-04 S15]', async () => {
  const { boss, params, suspend, db, sources } = await start()
  await suspend({ ...forGood, hidesTexts: true })
  const before = await contentOf(db)
  expect(await boss.tries(deleteUser, { params })).toMatchObject({
    status: 403,
    code: 'HiddenTextsWouldReturn',
  })
  await expect(removeAccountByEmail(sources, ana.email, allPersonalData)).rejects.toThrow(/hides the texts/)
  expect(withoutLog(await contentOf(db))).toEqual(withoutLog(before))
  await suspend(forGood)
  await boss.does(deleteUser, { params })
  expect(await db.$count(suspensions)).toBe(0)
})

test('a person whose texts a suspension hides at the moment of the deletion keeps the account [INST-04 S15]', async () => {
  const { params, db, hers } = await start()
  const { deleting } = await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from users where id = ${params.id} for no key update`)
    const answer = hers.tries(deleteAccount)
    await untilLockWaits(db)
    await tx.execute(sql`insert into suspensions values (${params.id}, 'Unkind', null, true)`)
    return { deleting: answer }
  })
  expect(await deleting).toMatchObject({ status: 403, code: 'HiddenTextsWouldReturn' })
  expect(await db.$count(users, eq(users.id, params.id))).toBe(1)
})

test('the command that makes an admin of a person lifts the suspension, and the audit log has it [INST-04]', async () => {
  const { boss, suspend, sources, config, signIn, visitor, db } = await start()
  await suspend(forGood)
  const password = 'a long admin password'
  await grantAdmin(sources, createMemoizedHashing(), config, { ...ana, password })
  expect(await db.$count(suspensions)).toBe(0)
  expect((await signIn(visitor(), { ...ana, password })).status).toBe(200)
  expect(await boss.does(listAuditEntries, { query: { action: 'suspension-lifted' } })).toHaveLength(1)
})
