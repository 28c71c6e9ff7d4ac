import { expect, test, vi } from 'vitest'
import { checkEmail, login } from '#contract/account/endpoints.ts'
import { approveRegistration, refuseRegistration } from '#contract/account/registration/endpoints.ts'
import { createFirstAdmin } from '#contract/account/setup/endpoints.ts'
import { listAuditEntries } from '#contract/admin/endpoints.ts'
import { changeInstanceSettings } from '#contract/instance/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { settingsBy } from '#server/testing/instance-settings.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { asked, nia, startRegistration } from '#server/testing/registration.ts'
import { instanceSettings } from '#server/features/instance/schema.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { Client, startTestApp } from '#server/testing/test-app.ts'
import { makeSetupCode } from './setup-code.ts'
import { users } from './schema.ts'

const emailRefused = { status: 400, code: 'EmailRefused' }
const networkRefused = { status: 403, code: 'NetworkRefused' }

/** An instance behind a proxy, with the ways to sign up, and an admin who changes all settings. */
async function start(settings: Parameters<ReturnType<typeof settingsBy>>[0]) {
  const t = await startRegistration({}, { config: { limitsRates: false, trustProxy: '127.0.0.1' } })
  const set = settingsBy(t.boss, t)
  await set(settings)
  const from = (address: string) =>
    new Client((options) =>
      t.request({ ...options, headers: { ...options.headers, 'x-forwarded-for': address } }),
    )
  const check = (email: string, by = t.visitor()) => by.tries(checkEmail, { input: { email } })
  return { ...t, set, from, check }
}

test('nobody signs up by an address of a refused domain, in any way, and nothing is stored [INST-06]', async () => {
  const { ways, ask, set, makeLink, check, db } = await start({ refusedEmails: 'example.org' })
  const { token } = await makeLink()
  const before = await contentOf(db)
  for (const email of ['nia@example.org', 'Nia@Mail.Example.org']) {
    for (const way of ways)
      expect(await way({ email })).toMatchObject({ ...emailRefused, fields: { email: expect.any(String) } })
    expect(await check(email)).toMatchObject(emailRefused)
  }
  expect(await contentOf(db)).toEqual(before)

  await set({ registration: 'invitation' })
  const invited = await contentOf(db)
  for (const way of ways) expect(await way({ registrationToken: token })).toMatchObject(emailRefused)
  expect(await contentOf(db)).toEqual(invited)

  await set({ registration: 'approval' })
  const waiting = await contentOf(db)
  expect(await ask()).toMatchObject(emailRefused)
  expect(await contentOf(db)).toEqual(waiting)
  await set({ registration: 'open' })
  for (const way of ways) expect(await way({ email: 'nia@notexample.org' })).not.toMatchObject(emailRefused)
})

test('a single address is refused, and its neighbours are not [INST-06]', async () => {
  const { ways, check } = await start({ refusedEmails: 'nia@example.org' })
  expect(await ways[0]!()).toMatchObject(emailRefused)
  expect(await ways[1]!({ email: 'nia+again@example.org' })).toMatchObject(emailRefused)
  expect((await check('noa@example.org')).status).toBe(200)
  expect((await ways[0]!({ email: 'noa@example.org' })).status).toBe(201)
})

test('a refused address gets the same answer with an account as without one, and its owner still signs in [INST-06 S9]', async () => {
  const { ways, ask, check, set, ana, boss, visitor } = await start({ refusedEmails: 'example.org' })
  const { domain = '' } = /@(?<domain>.*)/.exec(ana.me.email!)!.groups!
  await set({ refusedEmails: domain })
  const answersFor = async (email: string) =>
    JSON.stringify([await ways[0]!({ email }), await ways[1]!({ email }), await check(email)])
      .replaceAll(email, '')
      .replaceAll(/"x-request-id":"[^"]*"/g, '')
  expect(await answersFor(ana.me.email!)).toBe(await answersFor(`nobody@${domain}`))
  await set({ registration: 'approval' })
  const asking = async (email: string) => (await ask({ email })).code
  expect(await asking(ana.me.email!)).toBe(await asking(`nobody@${domain}`))
  const right = { email: ana.me.email!, password: 'secret pass 1' }
  expect((await visitor().tries(login, { input: right })).status).toBe(200)
  expect((await boss.tries(listAuditEntries)).status).toBe(200)
})

test('a person whose address is refused while the request waits is not approved, but can be refused [INST-06]', async () => {
  const { ask, set, boss, waiting, db } = await start({ registration: 'approval' })
  await ask()
  const [request] = await waiting()
  await set({ refusedEmails: nia.email })
  const before = await contentOf(db)
  expect(await boss.tries(approveRegistration, { params: { id: request!.id } })).toMatchObject({
    ...emailRefused,
    error: expect.stringContaining('take it off the list'),
  })
  expect(await contentOf(db)).toEqual(before)
  await boss.does(refuseRegistration, { params: { id: request!.id } })
})

test('nobody signs up from a refused network, and people with an account sign in there [INST-06]', async () => {
  const { ways, ask, set, from, check, ana, db } = await start({
    refusedNetworks: '198.51.100.0/24\n2001:db8:0:fe00::/56',
  })
  const before = await contentOf(db)
  const inside = ['198.51.100.7', '::ffff:198.51.100.7', '2001:db8:0:fe01::7'].map(from)
  for (const person of inside) {
    for (const way of ways) expect(await way({}, person)).toMatchObject(networkRefused)
    expect(await check(nia.email, person)).toMatchObject(networkRefused)
    expect(await check(ana.me.email!, person)).toMatchObject(networkRefused)
  }
  expect(await contentOf(db)).toEqual(before)
  const right = { email: ana.me.email!, password: 'secret pass 1' }
  expect((await inside[0]!.tries(login, { input: right })).status).toBe(200)
  for (const [n, address] of ['198.51.101.7', '2001:db8:0:ff00::7'].entries())
    expect((await ways[0]!({ email: `nia${n}@example.org` }, from(address))).status).toBe(201)
  await set({ registration: 'approval' })
  expect(await ask(asked, from('198.51.100.9'))).toMatchObject(networkRefused)
})

test('the holder of the set-up code is refused by no list [INST-06 INST-09]', async () => {
  const t = await startTestApp({ config: { limitsRates: false } })
  const lists = { refusedEmails: 'example.org', refusedNetworks: '127.0.0.1' }
  await t.db.insert(instanceSettings).values({ settings: lists, updatedAt: '2025-06-01T12:00:00.000Z' })
  const check = () => t.visitor().tries(checkEmail, { input: { email: nia.email } })
  for (let n = 0; n < t.processes; n++)
    await vi.waitFor(async () => expect(await check()).toMatchObject(networkRefused))
  const code = await makeSetupCode(t.db, systemRandom)
  const { name, email } = nia
  const input = { code, name, email, passcode: 'lamps and ink 9' }
  expect(await t.visitor().tries(createFirstAdmin, { input })).toMatchObject({ status: 201 })
})

test.each([
  ['watchedWords', '.*'],
  ['watchedWords', 'a b c d e f g h i'],
  ['watchedWords', 'x\n'.repeat(501)],
  ['watchedWords', 'x'.repeat(10_001)],
  ['refusedEmails', 'org'],
  ['refusedEmails', '@example.org'],
  ['refusedEmails', 'a.org\n'.repeat(1001)],
  ['refusedNetworks', 'school'],
  ['refusedNetworks', '198.51.100.7/24'],
  ['refusedNetworks', '0.0.0.0/0'],
  ['refusedNetworks', '192.0.2.1\n'.repeat(201)],
] as const)('a wrong list of %s is refused, and nothing changes: %j [INST-06]', async (name, list) => {
  const { boss, db } = await startRegistration()
  const before = await contentOf(db)
  expect(await boss.tries(changeInstanceSettings, { input: { base: null, [name]: list } })).toMatchObject({
    status: 400,
    code: 'InvalidInput',
    fields: { [name]: expect.any(String) },
  })
  expect(await contentOf(db)).toEqual(before)
})

test('the audit log says which list an admin has changed, and holds none of its lines [INST-06 S49]', async () => {
  const { boss, db } = await start({
    watchedWords: 'swearword',
    refusedEmails: 'spam.example',
    refusedNetworks: '203.0.113.0/24',
  })
  const [entry] = await boss.does(listAuditEntries, { query: { action: 'instance-changed' } })
  expect(entry).toMatchObject({
    actorId: boss.me.id,
    details: { changed: 'Name, Watched words, Refused email addresses, Refused networks' },
  })
  expect(JSON.stringify((await contentOf(db))['audit_log'])).not.toMatch(/swearword|spam\.example|203\.0/)
})

test.for(['NOTIFY', 'Redis'] as const satisfies Messenger[])(
  'over %s a refused domain is refused in every process [INST-06]',
  async (messenger, context) => {
    const t = await startTwoApps(messenger, context)
    const boss = await t.admin()
    const check = (by: Client) => by.tries(checkEmail, { input: { email: nia.email } })
    const other = t.atOther(t.visitor())
    expect((await check(other)).status).toBe(200)
    await settingsBy(boss, { visitor: t.visitor, processes: 1 })({ refusedEmails: 'example.org' })
    expect(await check(t.visitor())).toMatchObject(emailRefused)
    await vi.waitFor(async () => expect(await check(other)).toMatchObject(emailRefused), { timeout: 2500 })
    expect(await t.db.$count(users)).toBe(1)
  },
)
