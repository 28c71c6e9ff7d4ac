import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { changePassword, deleteAccount, getMe, login } from '#contract/account/endpoints.ts'
import { createRegistrationLink } from '#contract/account/registration/endpoints.ts'
import { suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import {
  deleteOpenidLink,
  getOpenidLink,
  startOpenidLink,
  startOpenidSignIn,
} from '#contract/openid/endpoints.ts'
import { DomainEvents } from '#server/domain-events.ts'
import { emails, grantAdmin, revokeAdmin, setPassword, users } from '#server/features/account/index.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { auditLog } from '#server/platform/schema.ts'
import { startBackups } from '#server/testing/backup-places.ts'
import { contentOf } from '#server/testing/content.ts'
import { createMemoizedHashing } from '#server/testing/hashing.ts'
import type { Client } from '#server/testing/test-app.ts'
import { unlinkByNewPassword } from './index.ts'
import { openidLinks } from './schema.ts'
import { nia, startWithProvider } from '#server/testing/openid.ts'

const password = 'secret pass 1'

/** Nia has an account here that she made by passcode. */
async function start(options: Parameters<typeof startWithProvider>[1] = {}) {
  const t = await startWithProvider({}, options)
  const own = await t.person({ email: nia.email, password, firstName: 'Nia', lastName: 'New' })
  const links = () => t.db.select().from(openidLinks)
  return {
    ...t,
    own,
    links,
    confirm: () =>
      t.db
        .update(emails)
        .set({ confirmedAt: '2025-06-01T12:00:00.000Z' })
        .where(eq(emails.userId, own.me.id)),
    /** Links the account of a signed-in person in the settings. */
    async link(client: Client = own, loginThere = 'nia', browser = client) {
      const { address } = await client.does(startOpenidLink)
      const answer = await t.provider.visit(address, loginThere)
      if (browser !== client) browser.cookies.set('__Host-openid', client.cookies.get('__Host-openid')!)
      return t.finish(browser, answer)
    },
  }
}

test('an account with a confirmed address is linked with the account there that has it verified, at the first sign-in [INST-08 REACH-03]', async () => {
  const { own, confirm, signIn, links, db } = await start()
  await confirm()
  expect(await signIn()).toMatchObject({ body: { outcome: 'signed-in', user: { id: own.me.id } } })
  expect(await links()).toMatchObject([{ userId: own.me.id, subject: 'nia' }])
  expect(await db.$count(auditLog, eq(auditLog.action, 'openid-linked'))).toBe(1)
})

test('an account whose address nobody has confirmed here is never entered by the provider [INST-08 REACH-03]', async () => {
  const { visitor, signIn, register, db } = await start()
  const before = await contentOf(db)
  const browser = visitor()
  expect(await signIn(browser)).toMatchObject({ status: 403, code: 'OpenidAccountExists' })
  expect(await register(browser)).toMatchObject({ code: 'OpenidAttemptEnded' })
  expect((await browser.tries(getMe)).status).toBe(401)
  expect(await contentOf(db)).toEqual(before)
})

test('an address that the provider has not verified links and enters nothing [INST-08]', async () => {
  const { confirm, signIn, provider, links } = await start()
  await confirm()
  provider.people.set('nia', { ...nia, email_verified: false })
  expect(await signIn()).toMatchObject({ status: 403, code: 'OpenidEmailUnverified' })
  expect(await links()).toEqual([])
})

test('an address that has gone to another person at the provider does not open the account of the first [INST-08]', async () => {
  const { confirm, signIn, provider, links } = await start()
  await confirm()
  await signIn()
  provider.people.set('heir', nia)
  expect(await signIn(undefined, 'heir')).toMatchObject({ status: 403, code: 'OpenidAccountExists' })
  expect(await links()).toMatchObject([{ subject: 'nia' }])
})

test('a person links the own account in the settings, with any address there, and unlinks it [INST-08]', async () => {
  const { own, link, signIn, provider, links, db } = await start()
  provider.people.set('elsewhere', { email: 'nia@elsewhere.example', email_verified: false })
  expect(await link(own, 'elsewhere')).toMatchObject({ status: 200, body: { outcome: 'linked' } })
  expect((await own.does(getOpenidLink)).linkedAt).not.toBeNull()
  expect(await signIn(undefined, 'elsewhere')).toMatchObject({ body: { user: { id: own.me.id } } })
  expect(await own.tries(startOpenidLink)).toMatchObject({ code: 'OpenidAlreadyLinked' })
  for (let n = 0; n < 2; n++) await own.does(deleteOpenidLink)
  expect(await links()).toEqual([])
  expect(await db.$count(auditLog, eq(auditLog.action, 'openid-unlinked'))).toBe(1)
  expect(await signIn(undefined, 'elsewhere')).toMatchObject({ code: 'OpenidEmailUnverified' })
})

test('an old session links nothing, neither at the start nor at the end [INST-08 S14]', async () => {
  const { own, clock, provider, finish, links } = await start()
  clock.advance(14 * 60_000)
  const { address } = await own.does(startOpenidLink)
  const answer = await provider.visit(address, 'nia')
  clock.advance(2 * 60_000)
  expect(await finish(own, answer)).toMatchObject({ status: 403, code: 'SignInAgainToLink' })
  expect(await own.tries(startOpenidLink)).toMatchObject({ status: 403, code: 'SignInAgainToLink' })
  expect(await links()).toEqual([])
})

test('an attempt to link serves its own person alone, and signs nobody in [INST-08]', async () => {
  const { own, link, person, visitor, guest, links } = await start()
  for (const browser of [await person(), visitor(), await guest()])
    expect(await link(own, 'nia', browser)).toMatchObject({ status: 400, code: 'OpenidAttemptEnded' })
  expect(await links()).toEqual([])
})

test('one account at the provider is linked with one account here [INST-08]', async () => {
  const { own, link, person, links } = await start()
  await link(own)
  expect(await link(await person())).toMatchObject({ status: 400, code: 'OpenidLinkTaken' })
  expect(await links()).toMatchObject([{ userId: own.me.id }])
})

test('of two links of an account at the same time one is stored [INST-08 R6]', async () => {
  const { own, provider, finish, links, visitor } = await start()
  const answers = []
  for (const loginThere of ['nia', 'other']) {
    const browser = visitor()
    await browser.does(login, { input: { email: nia.email, password } })
    const { address } = await browser.does(startOpenidLink)
    answers.push([browser, await provider.visit(address, loginThere)] as const)
  }
  const finished = await Promise.all(answers.map(([browser, answer]) => finish(browser, answer)))
  expect(finished.map(({ status }) => status).toSorted()).toEqual([200, 400])
  expect(await links()).toMatchObject([{ userId: own.me.id }])
})

test('a suspended person reads the reason, gets no session and no link [INST-08 S62]', async () => {
  const { own, confirm, admin, visitor, signIn, links } = await start()
  await confirm()
  const suspension = { reason: 'Unkind.', until: null, hidesTexts: false }
  await (await admin()).does(suspendPerson, { params: { id: own.me.id }, input: suspension })
  const browser = visitor()
  expect(await signIn(browser)).toMatchObject({
    status: 403,
    code: 'Suspended',
    body: { current: suspension },
  })
  expect([...browser.cookies.keys()]).toEqual(['__Host-openid'])
  expect(await links()).toEqual([])
})

test.each(['isAdmin', 'isModerator'])(
  'a person with the right %s signs in by passcode alone, however the account was linked [INST-08 S13 S60]',
  async (right) => {
    const { own, link, confirm, signIn, db, visitor } = await start()
    await link()
    await db
      .update(users)
      .set({ [right]: true })
      .where(eq(users.id, own.me.id))
    const refused = { status: 403, code: 'OpenidNotForModerators' }
    expect(await signIn()).toMatchObject(refused)
    expect(await own.tries(startOpenidLink)).toMatchObject(refused)
    await own.does(deleteOpenidLink)
    await confirm()
    const browser = visitor()
    expect(await signIn(browser)).toMatchObject(refused)
    expect((await browser.tries(getMe)).status).toBe(401)
    expect(await db.$count(openidLinks)).toBe(0)
  },
)

test('a new passcode ends the link, as it ends sessions [INST-08 S23]', async () => {
  const { own, link, links } = await start()
  await link()
  await own.does(changePassword, { input: { newPassword: 'another pass' } })
  expect(await links()).toEqual([])
})

test.each([
  ['sets a passcode', setPassword],
  ['makes an admin, who is none later,', grantAdmin],
])('a command that %s ends the link: nobody enters by it [INST-08 S23]', async (_what, command) => {
  const { own, link, signIn, links, db, clock, config, person } = await start()
  const other = await person()
  await link()
  await link(other, 'other')
  const events = new DomainEvents()
  unlinkByNewPassword(events)
  const sources = { database: db, clock, random: systemRandom, events }
  const given = { email: nia.email, password: 'a lamp of my own' }
  await command(sources, createMemoizedHashing(), config, given)
  if (command === grantAdmin) await revokeAdmin(sources, nia.email)
  expect(await links()).toMatchObject([{ userId: other.me.id }])
  expect(await signIn()).toMatchObject({ status: 403, code: 'OpenidAccountExists' })
  expect((await own.tries(getMe)).status).toBe(401)
})

test('a deleted account leaves no link and no attempt [INST-08 S15]', async () => {
  const { own, link, signIn, db } = await start()
  await link()
  await own.does(deleteOpenidLink)
  await own.does(startOpenidLink)
  await link(own)
  await own.does(deleteAccount)
  const content = await contentOf(db)
  expect([content['openid_links'], content['openid_attempts']]).toEqual([[], []])
  expect(await signIn()).toMatchObject({ body: { outcome: 'new' } })
})

test('a guest who signs up by the provider keeps what is theirs, and one who signs in is signed in [INST-08 S16]', async () => {
  const { guest, provider, signIn, register, db } = await start()
  provider.people.set('gus', { email: 'gus@example.org', email_verified: true, name: 'Gus' })
  const browser = await guest()
  await signIn(browser, 'gus')
  expect((await register(browser, { name: 'Gus' })).status).toBe(201)
  expect(await db.$count(users, eq(users.isAnonymous, true))).toBe(0)
  const other = await guest()
  expect(await signIn(other, 'gus')).toMatchObject({ body: { outcome: 'signed-in' } })
  expect(await other.does(getMe)).toMatchObject({ email: 'gus@example.org' })
})

test('the diary is the same by passcode and by the provider, linked or not: its key depends on neither [INST-08]', async () => {
  const diaryKey = 'a'.repeat(64)
  const { own, link, signIn, visitor, db } = await start({ config: { diaryKey } })
  const params = { day: '2025-06-10' }
  await own.does(saveDiaryEntry, { input: { date: params.day, content: 'Rain.' } })
  const rows = async () => (await contentOf(db))['diary_entries']
  const stored = await rows()
  const browser = visitor()
  await link()
  await signIn(browser)
  expect(await browser.does(getDiaryEntry, { params })).toMatchObject({ content: 'Rain.' })
  await own.does(deleteOpenidLink)
  expect(await own.does(getDiaryEntry, { params })).toMatchObject({ content: 'Rain.' })
  expect(await rows()).toEqual(stored)
})

test.each<[settings: object, code: string]>([
  [{ registration: 'closed' }, 'RegistrationClosed'],
  [{ registration: 'approval' }, 'RegistrationNeedsApproval'],
])(
  'where the registration is %j, nobody signs up by the provider, and who has an account enters [INST-08 INST-02]',
  async (settings, code) => {
    const { own, confirm, set, signIn, register, visitor, provider, db } = await start()
    provider.people.set('gus', { email: 'gus@example.org', email_verified: true })
    const waiting = visitor()
    await signIn(waiting, 'gus')
    await set(settings)
    const before = await db.$count(users)
    const browser = visitor()
    expect(await signIn(browser, 'gus')).toMatchObject({ status: 403, code })
    expect(await register(browser)).toMatchObject({ code: 'OpenidAttemptEnded' })
    // Who was identified before the change is refused as well.
    expect(await register(waiting)).toMatchObject({ status: 403, code })
    expect(await db.$count(users)).toBe(before)
    await confirm()
    expect(await signIn()).toMatchObject({ body: { user: { id: own.me.id } } })
  },
)

test('where people sign up by invitation links, the provider needs one too, and uses it up [INST-08 INST-02 S57]', async () => {
  const { set, signIn, register, visitor, provider, db } = await start()
  const boss = await set({ registration: 'invitation' })
  const input = { label: '', maxUses: 1, days: 7 }
  const { token: registrationToken } = await boss.does(createRegistrationLink, { input })
  const before = await db.$count(users)
  for (const name of ['gus', 'ida']) {
    provider.people.set(name, { email: `${name}@example.org`, email_verified: true })
    const browser = visitor()
    expect(await signIn(browser, name)).toMatchObject({ body: { outcome: 'new' } })
    expect(await register(browser)).toMatchObject({ status: 403, code: 'RegistrationNeedsLink' })
    const isFirst = name === 'gus'
    expect(await register(browser, { registrationToken })).toMatchObject(
      isFirst ? { status: 201 } : { status: 403, code: 'RegistrationLinkRefused' },
    )
  }
  expect(await db.$count(users)).toBe(before + 1)
})

test('where there are rules, whoever signs up by the provider agrees to them [INST-08 INST-01]', async () => {
  const { set, signIn, register, visitor, provider } = await start()
  await set({ rules: 'Be kind.' })
  provider.people.set('gus', { email: 'gus@example.org', email_verified: true })
  const browser = visitor()
  await signIn(browser, 'gus')
  expect(await register(browser)).toMatchObject({ status: 400, code: 'AgreementRequired' })
  expect(await register(browser, { agrees: true })).toMatchObject({ status: 201 })
})

const here = startBackups()

test('a backup holds the links and no attempt, and a restored instance knows its people by them [INST-08 R18]', async () => {
  const { own, link, provider, signIn, db } = await start()
  await link()
  await signIn(undefined, 'nobody')
  await own.does(startOpenidSignIn)
  await here.backupOf(db)
  const place = await here.emptyPlace()
  await place.restore()
  const content = await place.content()
  expect(content['openid_links']).toEqual([expect.stringContaining(`(${own.me.id},${provider.issuer},nia,`)])
  expect(content['openid_attempts']).toEqual([])
})
