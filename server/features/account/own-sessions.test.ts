import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import { endOtherSessions, endSession, listSessions } from '#contract/account/sessions/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { type Messenger, startTwoApps } from '#server/testing/messengers.ts'
import { openStream } from '#server/testing/stream-client.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { digestOf } from '#server/platform/tokens.ts'
import { sessions, users } from './schema.ts'

const minute = 60_000
const ana = { email: 'ana@example.org', password: 'right pass' }
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0'
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'

/** Ana in the browser in which she has registered, and a function that signs her in to another one. */
async function startWithAna(options: Parameters<typeof startTestApp>[0] = {}) {
  const t = await startTestApp({ ...options, config: { limitsRates: false, ...options.config } })
  const here = await t.person(ana)
  const signIn = async (userAgent?: string) => {
    const browser = t.visitor()
    await browser.does(login, { input: ana, ...(userAgent && { headers: { 'user-agent': userAgent } }) })
    browser.user = here.me
    return browser
  }
  return { ...t, here, signIn }
}
const idOfCurrent = async (browser: Client) =>
  (await browser.does(listSessions)).find(({ isCurrent }) => isCurrent)!.id
const isSignedIn = async (browser: Client) => (await browser.tries(getMe)).status === 200

test('a person sees the own sessions by browser and system, the last used first, and no secret of them [INST-10 S5 S20]', async () => {
  const { here, signIn, person, clock, db } = await startWithAna()
  await person()
  clock.advance(10 * minute)
  const phone = await signIn(safari)
  clock.advance(10 * minute)
  const laptop = await signIn(firefox)
  clock.advance(10 * minute)
  await phone.does(getMe)
  const listed = await laptop.does(listSessions)
  const at = (minutes: number) =>
    expect.stringMatching(new RegExp(`^2025-06-10T12:${String(minutes).padStart(2, '0')}`))
  expect(listed).toEqual(
    [
      { browser: 'Firefox', system: 'Windows', signedInAt: at(20), lastUsedAt: at(30), isCurrent: true },
      { browser: 'Safari', system: 'iPhone', signedInAt: at(10), lastUsedAt: at(30), isCurrent: false },
      { browser: null, system: null, signedInAt: at(0), lastUsedAt: at(0), isCurrent: false },
    ].map((session) => ({ id: expect.any(String), ...session })),
  )
  const text = JSON.stringify(listed)
  for (const browser of [here, phone, laptop]) {
    const token = browser.cookies.get('sid')!
    expect(text).not.toContain(token)
    expect(text).not.toContain(digestOf(token))
  }
  const stored = JSON.stringify((await contentOf(db)).sessions)
  expect(stored).not.toMatch(/Mozilla|17_5|127\.0\.0\.1/)
})

test('a session that was not used for 14 days, or is 30 days old, is not listed [INST-10 S22]', async () => {
  const { here, signIn, clock, db } = await startWithAna()
  const used = await signIn()
  clock.advance(13 * 24 * 60 * minute)
  await used.does(getMe)
  clock.advance(2 * 24 * 60 * minute)
  expect(await isSignedIn(here)).toBe(false)
  const now = await signIn()
  expect(await now.does(listSessions)).toHaveLength(2)
  clock.advance(10 * 24 * 60 * minute)
  for (const browser of [used, now]) await browser.does(getMe)
  clock.advance(6 * 24 * 60 * minute)
  expect((await (await signIn()).does(listSessions)).map(({ isCurrent }) => isCurrent)).toEqual([true, false])
  expect(await db.$count(sessions)).toBe(4)
})

test.each([
  ['is as long as a header may be', `Firefox/1 ${'a'.repeat(12_000)}`, 'Firefox', null],
  ['names a browser far behind its beginning', `${' '.repeat(2000)}Firefox/1`, null, null],
  ['is HTML', '<img src=x onerror=alert(1)> Firefox/1 (Windows NT)', 'Firefox', 'Windows'],
  ['has bytes of no text', '\u0080\u00ff Chrome/1 \u0085', 'Chrome', null],
  ['is empty', '', null, null],
])(
  'a browser whose header %s is listed by known names alone [INST-10 S51]',
  async (_what, header, browser, system) => {
    const { signIn, db } = await startWithAna()
    const other = await signIn(header)
    const listed = (await other.does(listSessions)).find(({ isCurrent }) => isCurrent)
    expect(listed).toMatchObject({ browser, system })
    expect(JSON.stringify((await contentOf(db)).sessions)).not.toMatch(/onerror|a{40}/)
  },
)

test('a person ends another session, whose next call is refused, and no other one [INST-10 S23]', async () => {
  const { here, signIn } = await startWithAna()
  const [stolen, phone] = [await signIn(), await signIn()]
  await here.does(endSession, { params: { id: await idOfCurrent(stolen) } })
  expect(await isSignedIn(stolen)).toBe(false)
  for (const browser of [here, phone]) expect(await isSignedIn(browser)).toBe(true)
  expect(await here.does(listSessions)).toHaveLength(2)
})

test('a person ends all other sessions and stays signed in, and so does everybody else [INST-10 S23]', async () => {
  const { here, signIn, person } = await startWithAna()
  const others = [await signIn(), await signIn()]
  const ben = await person()
  await here.does(endOtherSessions)
  for (const browser of others) expect(await isSignedIn(browser)).toBe(false)
  for (const browser of [here, ben]) expect(await isSignedIn(browser)).toBe(true)
  expect(await here.does(listSessions)).toMatchObject([{ isCurrent: true }])
})

test('nobody ends the session of another person, an ended one or the current one, and nothing changes [INST-10 S6]', async () => {
  const { here, signIn, person, admin, db } = await startWithAna()
  const [ben, boss] = [await person(), await admin()]
  const ended = await idOfCurrent(await signIn())
  await here.does(endSession, { params: { id: ended } })
  const [id, ofBen] = [await idOfCurrent(here), await idOfCurrent(ben)]
  const before = await contentOf(db)
  for (const [browser, tried] of [
    [here, ofBen],
    [here, ended],
    [ben, id],
    [boss, id],
  ] as const)
    expect(await browser.tries(endSession, { params: { id: tried } })).toMatchObject({
      status: 404,
      code: 'SessionNotFound',
    })
  expect(await here.tries(endSession, { params: { id } })).toMatchObject({
    status: 403,
    error: 'This is the device you are using. Log out to end its session.',
  })
  expect(await contentOf(db)).toEqual(before)
})

test('a session that is 15 minutes old ends no other one, so that a stolen one cannot keep its person out [INST-10 S14]', async () => {
  const { here: stolen, signIn, clock, db } = await startWithAna()
  clock.advance(14 * minute)
  const phone = await signIn()
  clock.advance(2 * minute)
  const id = await idOfCurrent(phone)
  await stolen.does(listSessions)
  const before = await contentOf(db)
  for (const answer of [
    await stolen.tries(endSession, { params: { id } }),
    await stolen.tries(endOtherSessions),
  ])
    expect(answer).toMatchObject({ status: 403, code: 'SignInAgainToEndSessions' })
  expect(await contentOf(db)).toEqual(before)
  await phone.does(endOtherSessions)
  expect(await isSignedIn(stolen)).toBe(false)
})

test('five browsers that end all others at once leave one session, and the others are refused [INST-10 R6]', async () => {
  const { here, signIn, db } = await startWithAna()
  const browsers = [here, ...(await Promise.all(Array.from({ length: 4 }, () => signIn())))]
  const answers = await Promise.all(browsers.map((browser) => browser.tries(endOtherSessions)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401])
  const winner = browsers[answers.findIndex(({ status }) => status === 200)]!
  expect(await isSignedIn(winner)).toBe(true)
  expect(await db.$count(sessions)).toBe(1)
})

test('two browsers that end each other at once leave one session [INST-10 R6]', async () => {
  const { here, signIn, db } = await startWithAna()
  for (let round = 0; round < 4; round++) {
    const other = await signIn()
    const [own, its] = [await idOfCurrent(here), await idOfCurrent(other)]
    const answers = await Promise.all([
      here.tries(endSession, { params: { id: its } }),
      other.tries(endSession, { params: { id: own } }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect(await db.$count(sessions)).toBe(1)
    if (answers[0]!.status === 401) await here.does(login, { input: ana })
    await here.does(endOtherSessions)
  }
})

test('a person ends at most 60 sessions an hour [INST-10 S47]', async () => {
  const { here } = await startWithAna({ config: { limitsRates: true } })
  for (let i = 0; i < 60; i++) await here.does(endOtherSessions)
  expect((await here.tries(endOtherSessions)).status).toBe(429)
})

test('calls of an old session, which are refused, do not use up those of its person [INST-10 S14 S47]', async () => {
  const { here: stolen, signIn, clock } = await startWithAna({ config: { limitsRates: true } })
  clock.advance(16 * minute)
  const phone = await signIn()
  const params = { id: await idOfCurrent(phone) }
  for (let i = 0; i < 60; i++)
    expect(
      await (i % 2 ? stolen.tries(endOtherSessions) : stolen.tries(endSession, { params })),
    ).toMatchObject({
      code: 'SignInAgainToEndSessions',
    })
  await phone.does(endSession, { params: { id: await idOfCurrent(stolen) } })
  await phone.does(endOtherSessions)
})

test('who uses the demo account sees and ends the sessions of nobody else there [INST-10 S18]', async () => {
  const { here, signIn, db } = await startWithAna()
  const other = await signIn()
  const id = await idOfCurrent(other)
  await db.update(users).set({ isDemo: true }).where(eq(users.id, here.me.id))
  expect(await here.does(listSessions)).toMatchObject([{ isCurrent: true }])
  const before = await contentOf(db)
  for (const answer of [await here.tries(endSession, { params: { id } }), await here.tries(endOtherSessions)])
    expect(answer).toMatchObject({ status: 403, code: 'DemoAccountStays' })
  expect(await contentOf(db)).toEqual(before)
})

const messengers = ['NOTIFY', 'Redis'] as const satisfies Messenger[]

test.for(messengers)(
  'over %s a session that its person ends at one process ends at both within two seconds, its streams included [INST-10 S23]',
  async (messenger, context) => {
    const { app, other, person, visitor, atOther } = await startTwoApps(messenger, context)
    const here = await person(ana)
    const phone = visitor()
    await phone.does(login, { input: ana })
    phone.user = here.me
    const ended = [await openStream(app, phone), await openStream(other, atOther(phone))]
    const stays = await openStream(other, atOther(here))
    const id = await idOfCurrent(phone)
    const begun = performance.now()
    await atOther(here).does(endSession, { params: { id } })
    for (const at of [phone, atOther(phone)]) expect(await isSignedIn(at)).toBe(false)
    await Promise.all(ended.map((stream) => stream.ended))
    // Not all at once: many sessions may end at the same time.
    for (const { text } of ended) expect(text).toMatch(/\n\nretry: \d{1,3}\n\n$/)
    expect(performance.now() - begun).toBeLessThan(2000)
    expect(await Promise.race([stays.ended.then(() => 'ended'), isSignedIn(here)])).toBe(true)
  },
)
