import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, getMe, login } from '#contract/account/endpoints.ts'
import { addModerator, listModeratedPeople, removeModerator } from '#contract/account/moderators/endpoints.ts'
import { demoAccount } from '#contract/account/rules.ts'
import { getSuspension, liftSuspension, suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { deleteUser, listAdminUsers, listAuditEntries } from '#contract/admin/endpoints.ts'
import { createPasswordReset, resetPassword } from '#contract/password-resets/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { contentOf, withoutLog } from '#server/testing/content.ts'
import { createMemoizedHashing } from '#server/testing/hashing.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { grantAdmin, revokeAdmin, setPassword } from './accounts.ts'
import { grantModerator, revokeModerator } from './moderator-commands.ts'
import { users } from './schema.ts'

const mia = { email: 'mia@example.org', password: 'a long moderator password' }
const suspension = { reason: 'Unkind.', until: null, hidesTexts: false }
const hour = 60 * 60_000

/** Mia with a session, an admin, another moderator and another person. */
async function start(options: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ ...options, config: { limitsRates: false, ...options.config } })
  const [hers, boss, mod, ben] = [
    await t.person({ ...mia, firstName: 'Mia', lastName: 'Stone' }),
    await t.admin(),
    await t.moderator(),
    await t.person(),
  ]
  const params = { id: hers.me.id }
  return {
    ...t,
    hers,
    boss,
    mod,
    ben,
    params,
    grant: () => boss.does(addModerator, { params }),
    take: () => boss.does(removeModerator, { params }),
    signIn: (input = mia) => t.visitor().tries(login, { input }),
    sources: { database: t.db, clock: t.clock, random: systemRandom, events: new DomainEvents() },
    /** Actions of the audit log about Mia, oldest first. */
    audited: async () => {
      const { rows } = await t.db.execute<{ action: string }>(
        sql`select action from audit_log where subject_id = ${params.id} order by id`,
      )
      return rows.map(({ action }) => action)
    },
  }
}

test('an admin makes a person a moderator and takes the right away: each time the sessions end, the log names it, and a repetition changes nothing [INST-05 S23 S49]', async () => {
  const { hers, boss, db, visitor, params, grant, take, audited } = await start()
  await grant()
  expect((await hers.tries(getMe)).status).toBe(401)
  const atWork = visitor()
  expect(await atWork.does(login, { input: mia })).toMatchObject({ isModerator: true, isAdmin: false })
  expect(await atWork.does(getMe)).toMatchObject({ isModerator: true })
  const before = await contentOf(db)
  await grant()
  expect(await contentOf(db)).toEqual(before)
  await take()
  expect((await atWork.tries(getMe)).status).toBe(401)
  expect(await visitor().does(login, { input: mia })).toMatchObject({ isModerator: false })
  const after = await contentOf(db)
  await take()
  expect(await contentOf(db)).toEqual(after)
  expect(await audited()).toEqual(['moderator-granted', 'moderator-revoked'])
  const [entry] = await boss.does(listAuditEntries, { query: { action: 'moderator-revoked' } })
  expect(entry).toMatchObject({ actorName: 'Person2 Test', subjectId: params.id, subjectName: 'Mia Stone' })
})

test('no admin, guest, demo account or missing person becomes a moderator, and nobody but an admin gives or takes the right; nothing changes [INST-05 S17]', async () => {
  const t = await start({ config: { demoMode: true } })
  const { db, boss, mod, ben, params, admin, guest, visitor } = t
  const other = await admin()
  const nameless = await guest()
  const demo = visitor()
  await demo.does(login, { input: demoAccount })
  const demoId = (await demo.does(getMe)).id
  const before = withoutLog(await contentOf(db))
  const refused = async (by: Client, id: string) => {
    const added = await by.tries(addModerator, { params: { id } })
    expect(withoutLog(await contentOf(db))).toEqual(before)
    return added.code
  }
  expect(await refused(boss, other.me.id)).toBe('AdminIsNoModerator')
  expect(await refused(boss, nameless.me.id)).toBe('UserNotFound')
  expect(await refused(boss, '0000000000')).toBe('UserNotFound')
  expect(await refused(boss, demoId)).toBe('DemoAccountStays')
  for (const by of [mod, ben]) expect(await refused(by, params.id)).toBe('NotAllowed')
  expect((await mod.tries(removeModerator, { params: { id: mod.me.id } })).code).toBe('NotAllowed')
  expect(withoutLog(await contentOf(db))).toEqual(before)
})

test('an admin who has just lost the right makes no moderator [INST-05 S4]', async () => {
  const { db, boss, params } = await start()
  await db.update(users).set({ isAdmin: false, isModerator: true }).where(eq(users.id, boss.me.id))
  const before = withoutLog(await contentOf(db))
  for (const call of [addModerator, removeModerator])
    expect((await boss.tries(call, { params })).code).toBe('NotAllowed')
  expect(withoutLog(await contentOf(db))).toEqual(before)
})

test.each([
  ['makes no moderator', addModerator, false],
  ['takes the right from no moderator', removeModerator, true],
])(
  'an admin who loses the right while the call waits for its locks %s [INST-05 S4]',
  async (_what, call, wasModerator) => {
    const { db, boss, params } = await start()
    await db.update(users).set({ isModerator: wasModerator }).where(eq(users.id, params.id))
    const before = withoutLog(await contentOf(db))
    const commit = await holdLocks(
      db,
      sql`update users set is_admin = false, is_moderator = true where id = ${boss.me.id}`,
    )
    // The policy still finds an admin.
    const refused = boss.tries(call, { params })
    await untilLockWaits(db)
    await commit()
    expect(await refused).toMatchObject({ status: 403, code: 'NotAllowed' })
    await db.update(users).set({ isAdmin: true, isModerator: false }).where(eq(users.id, boss.me.id))
    expect(withoutLog(await contentOf(db))).toEqual(before)
  },
)

test.each(['abcdef', 'eleven char', 'passwordpassword'])(
  'a moderator with the weak passcode %s is refused at sign-in, and a link of an admin sets a strong one and no weak one [INST-05 S13 S60]',
  async (password) => {
    const { hers, boss, db, params, grant, signIn, visitor } = await start()
    await hers.does(changePassword, { input: { newPassword: password } })
    await grant()
    const before = withoutLog(await contentOf(db))
    expect(await signIn({ ...mia, password })).toMatchObject({ status: 403, code: 'ModeratorPasswordWeak' })
    expect((await signIn({ ...mia, password: 'a wrong one' })).code).toBe('WrongCredentials')
    expect(withoutLog(await contentOf(db))).toEqual(before)
    const { token } = await boss.does(createPasswordReset, { params })
    const use = (newPassword: string) => visitor().tries(resetPassword, { input: { token, newPassword } })
    const withLink = await contentOf(db)
    const refused = await use(password)
    expect(refused).toMatchObject({
      status: 400,
      code: expect.stringMatching(/^PasswordToo/),
      fields: { newPassword: expect.any(String) },
    })
    expect(await contentOf(db)).toEqual(withLink)
    expect((await use('a lamp of my own')).status).toBe(200)
    expect((await signIn({ ...mia, password: 'a lamp of my own' })).status).toBe(200)
  },
)

test('a moderator changes the passcode to no weak one, and no command sets one; nothing changes [INST-05 S13 S60]', async () => {
  const { db, mod, sources, config } = await start()
  const before = await contentOf(db)
  const input = { newPassword: 'abcdef' }
  expect((await mod.tries(changePassword, { input })).code).toBe('PasswordTooShort')
  const given = { email: mod.me.email!, password: 'abcdef' }
  await expect(setPassword(sources, createMemoizedHashing(), config, given)).rejects.toThrow(/at least 12/)
  expect(await contentOf(db)).toEqual(before)
})

test('a sign-in with a weak passcode that runs while the right is given opens no session [INST-05 S60 R5]', async () => {
  const hashing = createMemoizedHashing()
  const [arrived, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let waits = false
  const verify: typeof hashing.verify = async (...given) => {
    const isRight = await hashing.verify(...given)
    if (waits) {
      arrived.resolve()
      await goOn.promise
    }
    return isRight
  }
  const { hers, db, grant, signIn } = await start({ hashing: { ...hashing, verify } })
  await hers.does(changePassword, { input: { newPassword: 'abcdef' } })
  waits = true
  const signingIn = signIn({ ...mia, password: 'abcdef' })
  await arrived.promise
  await grant()
  goOn.resolve()
  expect((await signingIn).status).toBe(401)
  expect(await db.execute(sql`select 1 from sessions where user_id = ${hers.me.id}`)).toMatchObject({
    rowCount: 0,
  })
})

test('commands make a moderator and take the right away; the log names both, and an admin or nobody is refused [INST-05 S49]', async () => {
  const { hers, boss, db, sources, signIn, audited } = await start()
  expect(await grantModerator(sources, ' Mia@Example.org')).toContain('is a moderator now')
  expect((await hers.tries(getMe)).status).toBe(401)
  expect((await signIn()).body).toMatchObject({ isModerator: true })
  const before = await contentOf(db)
  expect(await grantModerator(sources, mia.email)).toContain('already')
  await expect(grantModerator(sources, boss.me.email!)).rejects.toThrow('An admin can do everything')
  await expect(grantModerator(sources, 'nobody@example.org')).rejects.toThrow('Nobody is registered')
  expect(await contentOf(db)).toEqual(before)
  expect(await revokeModerator(sources, mia.email)).toContain('no moderator any more')
  expect((await signIn()).body).toMatchObject({ isModerator: false })
  expect(await audited()).toEqual(['moderator-granted', 'moderator-revoked'])
})

test('a moderator who becomes an admin is an admin alone, and a user without that right [INST-05]', async () => {
  const { grant, signIn, sources, config } = await start()
  await grant()
  await grantAdmin(sources, createMemoizedHashing(), config, mia)
  expect((await signIn()).body).toMatchObject({ isAdmin: true, isModerator: false })
  await revokeAdmin(sources, mia.email)
  expect((await signIn()).body).toMatchObject({ isAdmin: false, isModerator: false })
})

test('a moderator suspends a person, changes the suspension and lifts it, and admins read in the log who did it [INST-05 INST-04 S49]', async () => {
  const { boss, mod, ben } = await start()
  const params = { id: ben.me.id }
  await mod.does(suspendPerson, { params, input: suspension })
  expect((await ben.tries(getMe)).status).toBe(401)
  await mod.does(suspendPerson, { params, input: { ...suspension, reason: 'Very unkind.' } })
  expect(await mod.does(getSuspension, { params })).toMatchObject({ reason: 'Very unkind.' })
  const listed = await mod.does(listModeratedPeople, { query: { isSuspended: 'true' } })
  expect(listed).toMatchObject([{ id: ben.me.id, suspension: { reason: 'Very unkind.' } }])
  await mod.does(liftSuspension, { params })
  expect(await mod.does(listModeratedPeople, { query: { isSuspended: 'true' } })).toEqual([])
  const log = await boss.does(listAuditEntries, { query: { about: ben.me.id } })
  expect(log.map(({ action, actorName }) => [action, actorName])).toEqual([
    ['suspension-lifted', 'Person3 Test'],
    ['person-suspended', 'Person3 Test'],
    ['person-suspended', 'Person3 Test'],
  ])
})

test('a moderator suspends no admin, no moderator and not themself, and ends no suspension of a moderator; an admin does both [INST-05]', async () => {
  const { boss, mod, params, grant, signIn, db } = await start()
  await grant()
  await boss.does(suspendPerson, { params, input: suspension })
  expect((await signIn()).code).toBe('Suspended')
  const before = await contentOf(db)
  for (const [id, code] of [
    [boss.me.id, 'AdminCannotBeSuspended'],
    [params.id, 'ModeratorCannotBeSuspended'],
    [mod.me.id, 'ModeratorCannotBeSuspended'],
  ] as const) {
    const answer = await mod.tries(suspendPerson, { params: { id }, input: { ...suspension, reason: 'No.' } })
    expect(answer).toMatchObject({ status: 403, code })
  }
  expect((await mod.tries(liftSuspension, { params })).code).toBe('ModeratorCannotBeSuspended')
  expect(await contentOf(db)).toEqual(before)
  await boss.does(liftSuspension, { params })
  expect((await signIn()).status).toBe(200)
})

test('the list of people for moderators has names and no addresses, and an address finds nobody [INST-05 S5 S39]', async () => {
  const { boss, mod, ben, guest } = await start()
  await guest()
  const people = await mod.does(listModeratedPeople)
  expect(people.map(({ name, isAdmin, isModerator }) => [name, isAdmin, isModerator])).toEqual([
    ['Person4 Test', false, false],
    ['Person3 Test', false, true],
    ['Person2 Test', true, false],
    ['Mia Stone', false, false],
  ])
  expect(JSON.stringify(people)).not.toContain('@')
  const find = async (q: string) =>
    (await mod.does(listModeratedPeople, { query: { q } })).map(({ id }) => id)
  expect(await find('mia st')).toHaveLength(1)
  expect(await find(ben.me.username!)).toEqual([ben.me.id])
  for (const q of [mia.email, 'mia@', '@example.org', 'example']) expect(await find(q)).toEqual([])
  const first = await mod.tries(listModeratedPeople, { query: { limit: '3' } })
  expect(first.body).toHaveLength(3)
  const before = String(first.headers['next-before'])
  expect(await mod.does(listModeratedPeople, { query: { limit: '3', before } })).toHaveLength(1)
  expect((await boss.does(listAdminUsers)).find(({ id }) => id === mod.me.id)).toMatchObject({
    isModerator: true,
  })
})

test('the session of a moderator ends like that of an admin, after 12 hours without use [INST-05 S22]', async () => {
  const { mod, ben, clock } = await start()
  clock.advance(13 * hour)
  expect((await mod.tries(getMe)).status).toBe(401)
  expect((await ben.tries(getMe)).status).toBe(200)
})

test('a moderator deletes the own account like a user, after a fresh sign-in alone, and an admin deletes a moderator [INST-05 S15 S19]', async () => {
  const { boss, mod, params, grant, db, clock } = await start()
  clock.advance(hour)
  // Notes when the session was last used.
  await mod.does(getMe)
  const before = await contentOf(db)
  expect((await mod.tries(deleteAccount)).code).toBe('SignInAgainToDeleteAccount')
  expect(await contentOf(db)).toEqual(before)
  const input = { email: mod.me.email!, password: 'a long moderator password' }
  await mod.does(login, { input })
  await mod.does(deleteAccount)
  await grant()
  await boss.does(deleteUser, { params })
  expect(await db.$count(users, eq(users.isModerator, true))).toBe(0)
})

test.for(['NOTIFY', 'Redis'] as const satisfies Messenger[])(
  'over %s the sessions and streams of a person end at both processes within two seconds when the right is taken [INST-05 S23]',
  async (messenger, context) => {
    const { app, other, person, admin, atOther } = await startTwoApps(messenger, context)
    const [hers, boss] = [await person(mia), await admin()]
    const params = { id: hers.me.id }
    await boss.does(addModerator, { params })
    await hers.does(login, { input: mia })
    const streams = [
      await openStream(app, hers, { inbox: hers.me.id }),
      await openStream(other, atOther(hers), { inbox: hers.me.id }),
    ]
    expect((await atOther(hers).does(getMe)).isModerator).toBe(true)
    const begun = performance.now()
    await atOther(boss).does(removeModerator, { params })
    for (const at of [hers, atOther(hers)]) expect((await at.tries(getMe)).status).toBe(401)
    await Promise.all(streams.map((stream) => stream.ended))
    expect(performance.now() - begun).toBeLessThan(2000)
  },
)
