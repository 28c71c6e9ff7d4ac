import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { checkEmail, deleteAccount, getMe, login } from '#contract/account/endpoints.ts'
import {
  approveRegistration,
  refuseRegistration,
  requestRegistration,
} from '#contract/account/registration/endpoints.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { holdLocks, untilLockWaits } from '#server/testing/lock-waits.ts'
import { asked, nia, startRegistration } from '#server/testing/registration.ts'
import { purgeRequests } from './registration-requests.ts'
import { registrationRequests, users } from './schema.ts'

const day = 86_400_000

test('a person answers the question, waits without any account, and signs in once an admin has approved [INST-02]', async () => {
  const { ask, signIn, waiting, boss, visitor, db, audited } = await startRegistration({
    registration: 'approval',
    registrationQuestion: 'Where do you live?',
  })
  const people = await db.$count(users)
  const browser = visitor()
  expect(await ask({}, browser)).toMatchObject({ status: 201, body: { ok: true } })
  expect((await browser.tries(getMe)).status).toBe(401)
  expect(await db.$count(users)).toBe(people)
  expect(await signIn()).toMatchObject({ status: 403, code: 'RegistrationWaits' })
  expect(await signIn('a wrong one')).toMatchObject({ status: 401, code: 'WrongCredentials' })
  const [request] = await waiting()
  const { passcode: _, ...shown } = asked
  expect(request).toMatchObject({ ...shown, question: 'Where do you live?' })
  expect(JSON.stringify(request)).not.toContain('argon2')
  await boss.does(approveRegistration, { params: { id: request!.id } })
  expect(await waiting()).toEqual([])
  const { status, body } = await signIn()
  expect([status, body]).toEqual([200, expect.objectContaining({ firstName: 'Nia', lastName: 'New' })])
  const { id } = body as { id: string }
  expect(await audited()).toContainEqual({ action: 'registration-approved', subjectId: id, details: null })
  expect(await db.$count(registrationRequests)).toBe(0)
})

test('a refused person reads so once at the next sign-in with the right passcode alone; then nothing is stored, and the address is free [INST-02 S11]', async () => {
  const { ask, signIn, waiting, boss, db, audited } = await startRegistration({ registration: 'approval' })
  await ask()
  const [{ id } = { id: '' }] = await waiting()
  await boss.does(refuseRegistration, { params: { id } })
  const stored = JSON.stringify(await db.select().from(registrationRequests))
  for (const text of [nia.name, nia.writingSample, asked.answer]) expect(stored).not.toContain(text)
  expect((await signIn('a wrong one')).code).toBe('WrongCredentials')
  expect(await signIn()).toMatchObject({ status: 403, code: 'RegistrationRefused' })
  expect(await db.$count(registrationRequests)).toBe(0)
  expect((await signIn()).code).toBe('WrongCredentials')
  expect((await ask()).status).toBe(201)
  expect(await audited()).toContainEqual({ action: 'registration-refused', subjectId: id, details: null })
})

test('a refused person who asks again waits again; one who never comes back is forgotten after 30 days [INST-02]', async () => {
  const { ask, signIn, waiting, boss, clock, db } = await startRegistration({ registration: 'approval' })
  const refuseAll = async () => {
    for (const { id } of await waiting()) await boss.does(refuseRegistration, { params: { id } })
  }
  await ask()
  await refuseAll()
  expect((await ask()).status).toBe(201)
  expect((await signIn()).code).toBe('RegistrationWaits')
  await refuseAll()
  clock.advance(29 * day)
  await purgeRequests(db)
  expect(await db.$count(registrationRequests)).toBe(1)
  clock.advance(2 * day)
  await purgeRequests(db)
  expect(await db.$count(registrationRequests)).toBe(0)
})

test('a person who waits for 90 days without a decision is forgotten, and the address is free [INST-02]', async () => {
  const { ask, signIn, clock, db } = await startRegistration({ registration: 'approval' })
  await ask()
  clock.advance(89 * day)
  await purgeRequests(db)
  expect((await signIn()).code).toBe('RegistrationWaits')
  clock.advance(2 * day)
  await purgeRequests(db)
  expect(await db.$count(registrationRequests)).toBe(0)
  expect((await signIn()).code).toBe('WrongCredentials')
  expect((await ask()).status).toBe(201)
})

test('of two admins who decide at once about one person, one does; the other reads that it is decided [INST-02]', async () => {
  const { ask, waiting, boss, admin, set, db } = await startRegistration()
  const chief = await admin()
  await set({ registration: 'approval' })
  await ask()
  const params = { id: (await waiting())[0]!.id }
  const answers = await Promise.all([
    boss.tries(approveRegistration, { params }),
    chief.tries(refuseRegistration, { params }),
  ])
  expect(answers.map(({ code }) => code).filter(Boolean)).toEqual(['RegistrationRequestNotFound'])
  const isApproved = answers[0]!.status === 201
  expect(await db.$count(registrationRequests)).toBe(isApproved ? 0 : 1)
})

test('an address that waits is taken for everybody, also once the registration is open again [INST-02 S9]', async () => {
  const { ask, ways, set, visitor, waiting, db } = await startRegistration({ registration: 'approval' })
  await ask()
  const before = await contentOf(db)
  expect(await ask({ passcode: 'another1' })).toMatchObject({ status: 400, code: 'EmailTaken' })
  expect((await visitor().tries(checkEmail, { input: { email: nia.email } })).code).toBe('EmailTaken')
  expect(await contentOf(db)).toEqual(before)
  await set({ registration: 'open', guests: false })
  for (const way of ways) expect((await way()).code).toBe('EmailTaken')
  expect(await waiting()).toHaveLength(1)
})

test.each([
  ['no answer to the question', { answer: ' ' }, 'InvalidInput', 'answer'],
  ['a name of the product', { name: 'Zimmer Team' }, 'NameReserved', 'name'],
  ['a short passcode', { passcode: 'abc1' }, 'InvalidInput', 'passcode'],
  ['an address that is none', { email: 'nia' }, 'InvalidInput', 'email'],
])('a request with %s is refused and stores nothing [INST-02]', async (_what, part, code, field) => {
  const { ask, db } = await startRegistration({ registration: 'approval', registrationQuestion: 'Why here?' })
  const before = await contentOf(db)
  expect(await ask(part)).toMatchObject({ status: 400, code, fields: { [field]: expect.any(String) } })
  expect(await contentOf(db)).toEqual(before)
})

test('at most 1000 people wait, and the admin sees the 50 who wait longest [INST-02 S30]', async () => {
  const { ask, waiting, db } = await startRegistration({ registration: 'approval' })
  await ask()
  await db.pool.query(`insert into registration_requests (id, email, secret, person, created_at)
    select overlay(gen_random_uuid()::text placing '7' from 15)::uuid, 'p' || n || '@example.org', 'none',
      '{"name": "P", "writingSample": "", "question": "", "answer": ""}', now() from generate_series(1, 999) n`)
  expect((await ask({ email: 'last@example.org' })).code).toBe('RegistrationQueueFull')
  const shown = await waiting()
  expect([shown.length, shown[0]!.email]).toEqual([50, nia.email])
  expect(await db.$count(registrationRequests)).toBe(1000)
})

test('at most 30 people wait by the requests of one address within a day, and their refused requests do not count [INST-02 S47]', async () => {
  const { request, clock, db } = await startRegistration({ registration: 'approval' }, {})
  const askFrom = async (remoteAddress: string, email: string) =>
    (
      await request({
        method: 'POST',
        url: requestRegistration.path,
        remoteAddress,
        payload: { ...asked, email },
      })
    ).statusCode
  for (let batch = 0; batch < 6; batch++) {
    clock.advance(600_000)
    for (let n = 0; n < 5; n++) expect(await askFrom('203.0.113.9', `p${batch}-${n}@example.org`)).toBe(201)
    expect(await askFrom('203.0.113.9', `p${batch}-0@example.org`)).toBe(400)
  }
  clock.advance(600_000)
  const before = await contentOf(db)
  expect(await askFrom('203.0.113.9', 'last@example.org')).toBe(429)
  expect(await contentOf(db)).toEqual(before)
  expect(await askFrom('203.0.113.10', 'last@example.org')).toBe(201)
  clock.advance(day)
  expect(await askFrom('203.0.113.9', 'later@example.org')).toBe(201)
})

test('what a guest has submitted belongs to the account that the guest asked for [INST-02 S16]', async () => {
  const { ask, guest, visitor, waiting, boss, db } = await startRegistration({ registration: 'approval' })
  const someone = await guest()
  await someone.does(submitPost, { input: { content: 'A line of a guest', authorName: 'Nia' } })
  await ask({}, someone)
  expect((await someone.tries(getMe)).status).toBe(200)
  await boss.does(approveRegistration, { params: { id: (await waiting())[0]!.id } })
  const browser = visitor()
  await browser.does(login, { input: { email: nia.email, password: nia.passcode } })
  expect(await browser.does(listOwnPosts)).toMatchObject([{ beginning: 'A line of a guest' }])
  expect((await someone.tries(getMe)).status).toBe(401)
  expect(await db.$count(users, eq(users.isAnonymous, true))).toBe(0)
})

test('an approval and the deletion of the guest who asked do not block each other [INST-02 R6]', async () => {
  const { ask, waiting, guest, boss, db } = await startRegistration({ registration: 'approval' })
  const browser = await guest()
  await ask({}, browser)
  const [request] = await waiting()
  const release = await holdLocks(db, sql`select 1 from registration_requests for update`)
  const approval = boss.tries(approveRegistration, { params: { id: request!.id } })
  await untilLockWaits(db)
  const deletion = browser.tries(deleteAccount)
  await untilLockWaits(db, 2)
  await release()
  expect([(await approval).status, (await deletion).status]).toEqual([201, 200])
  expect(await db.$count(registrationRequests)).toBe(0)
})

test('a person whose name is that of an admin by now is not approved, and nothing changes [INST-02 S56]', async () => {
  const { ask, waiting, boss, db } = await startRegistration({ registration: 'approval' })
  await ask()
  await db.update(users).set({ firstName: 'Nia', lastName: 'New' }).where(eq(users.id, boss.me.id))
  const [request] = await waiting()
  const before = await contentOf(db)
  const answer = await boss.tries(approveRegistration, { params: { id: request!.id } })
  expect(answer).toMatchObject({ status: 400, code: 'NameReserved' })
  expect(await contentOf(db)).toEqual(before)
})

test('a guest who is deleted while asking for an account waits as anybody [INST-02 R6]', async () => {
  const { ask, waiting, guest, db } = await startRegistration({ registration: 'approval' })
  const browser = await guest()
  const release = await holdLocks(db, sql`delete from users where id = ${browser.me.id}`)
  const request = ask({}, browser)
  await untilLockWaits(db)
  await release()
  expect((await request).status).toBe(201)
  expect(await waiting()).toHaveLength(1)
})
