import { expect, test } from 'vitest'
import { getMe, login, logout } from '#contract/account/endpoints.ts'
import { listSessions } from '#contract/account/sessions/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { getOpenidLink, startOpenidSignIn } from '#contract/openid/endpoints.ts'
import { emails } from '#server/features/account/index.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { nia, openidConfig, passcode, startProvider, startWithProvider } from '#server/testing/openid.ts'

const minute = 60_000

test('a person signs up by the provider with a passcode of their own, and later signs in by either [INST-08 S20]', async () => {
  const { visitor, signIn, register, db } = await startWithProvider()
  const browser = visitor()
  expect(await signIn(browser)).toMatchObject({
    status: 200,
    body: { outcome: 'new', email: nia.email, name: nia.name },
  })
  expect(await db.$count(emails)).toBe(0)
  expect(await register(browser)).toMatchObject({
    status: 201,
    body: { email: nia.email, firstName: 'Nia', lastName: 'New', isAdmin: false },
  })
  const { id } = await browser.does(getMe)
  expect(await browser.does(getOpenidLink)).toEqual({ linkedAt: expect.stringContaining('2025-06-10T12:00') })
  await browser.does(logout)
  expect(await signIn(browser)).toMatchObject({ body: { outcome: 'signed-in', user: { id } } })
  expect(await browser.does(getMe)).toMatchObject({ id })
  expect(await browser.does(listSessions)).toMatchObject([{ isCurrent: true }])
  await visitor().does(login, { input: { email: nia.email, password: passcode } })
  // An address is confirmed by a mailed link alone.
  expect(await db.select({ at: emails.confirmedAt }).from(emails)).toEqual([{ at: null }])
})

test('a person is known by the id at the provider, also with another or no address there [INST-08]', async () => {
  const { joined, signIn, provider } = await startWithProvider()
  const { id } = (await joined()).me
  provider.people.set('nia', { email: 'other@example.org', email_verified: true })
  expect(await signIn()).toMatchObject({ body: { outcome: 'signed-in', user: { id } } })
  provider.people.set('nia', {})
  expect(await signIn()).toMatchObject({ body: { outcome: 'signed-in', user: { id } } })
})

test('the claims of a person are read from the ID token where it has them [INST-08]', async () => {
  const { signIn, provider } = await startWithProvider({ hasClaimsInToken: true })
  expect(await signIn()).toMatchObject({ body: { outcome: 'new', email: nia.email, name: nia.name } })
  expect(provider.requests).not.toContain('GET /me')
})

test('the attempt goes to the provider with PKCE, state and nonce, and nothing of its secrets is stored [INST-08 S57]', async () => {
  const { visitor, start, db } = await startWithProvider()
  const [browser, other] = [visitor(), visitor()]
  const [address, another] = [new URL(await start(browser)), new URL(await start(other))]
  const query = Object.fromEntries(address.searchParams)
  expect(query).toMatchObject({
    response_type: 'code',
    redirect_uri: 'https://zimmer.example/openid',
    scope: 'openid email profile',
    code_challenge_method: 'S256',
  })
  const stored = JSON.stringify(await contentOf(db))
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(query[name]).toMatch(/^[\w-]{43}$/)
    expect(another.searchParams.get(name)).not.toBe(query[name])
    expect(stored).not.toContain(query[name])
  }
  const token = browser.cookies.get('__Host-openid')!
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(address.href).not.toContain(token)
  expect(stored).not.toContain(token)
})

test('an answer is good once, and only in the browser that began, for ten minutes [INST-08 S57]', async () => {
  const { visitor, start, finish, provider, clock, db } = await startWithProvider()
  const ended = { status: 400, code: 'OpenidAttemptEnded' }
  const [browser, other] = [visitor(), visitor()]
  const answer = await provider.visit(await start(browser), 'nia')
  const before = await contentOf(db)
  expect(await finish(visitor(), answer)).toMatchObject(ended)
  expect(await contentOf(db)).toEqual(before)
  await start(other)
  expect(await finish(other, answer)).toMatchObject({ code: 'OpenidAnswerRefused' })
  const token = browser.cookies.get('__Host-openid')!
  expect((await finish(browser, answer)).status).toBe(200)
  browser.cookies.set('__Host-openid', token)
  expect(await finish(browser, answer)).toMatchObject(ended)

  const late = visitor()
  const lateAnswer = await provider.visit(await start(late), 'nia')
  clock.advance(10 * minute)
  expect(await finish(late, lateAnswer)).toMatchObject(ended)
  expect(await db.$count(emails)).toBe(0)
})

test('whoever the provider has identified signs up once, in the same browser, within ten minutes [INST-08 S57]', async () => {
  const { visitor, signIn, register, clock, db } = await startWithProvider()
  const ended = { status: 400, code: 'OpenidAttemptEnded' }
  const [browser, late] = [visitor(), visitor()]
  expect(await register(visitor())).toMatchObject(ended)
  await signIn(browser)
  const token = browser.cookies.get('__Host-openid')!
  expect(await register(browser, { passcode: 'short' })).toMatchObject({ code: 'InvalidInput' })
  expect(await register(browser)).toMatchObject({ status: 201 })
  browser.cookies.set('__Host-openid', token)
  expect(await register(browser)).toMatchObject(ended)
  await signIn(late, 'nobody')
  clock.advance(10 * minute)
  expect(await register(late)).toMatchObject(ended)
  expect(await db.$count(emails)).toBe(1)
})

test('the token of an attempt cannot stand for the one of a person who is identified, nor the other way round [INST-08]', async () => {
  const { visitor, start, signIn, finish, register } = await startWithProvider()
  const [begun, identified] = [visitor(), visitor()]
  await start(begun)
  expect(await register(begun)).toMatchObject({ code: 'OpenidAttemptEnded' })
  await signIn(identified)
  expect(await finish(identified, '?code=1')).toMatchObject({ code: 'OpenidAttemptEnded' })
})

test('a person who cancels at the provider is not signed in [INST-08]', async () => {
  const { signIn, visitor, db } = await startWithProvider()
  const browser = visitor()
  expect(await signIn(browser, 'cancel')).toMatchObject({ status: 403, code: 'OpenidDenied' })
  expect((await browser.tries(getMe)).status).toBe(401)
  expect(await db.$count(emails)).toBe(0)
})

test.each<[what: string, person: object]>([
  ['no address', { name: 'Nia New' }],
  ['an address that is not verified', { email: 'nia@example.org', email_verified: false }],
  ['an address that may be verified', { email: 'nia@example.org' }],
  ['an address that is verified by a word', { email: 'nia@example.org', email_verified: 'true' }],
  ['a verified address that is none', { email: 'nia', email_verified: true }],
])('a person with %s at the provider cannot sign up by it [INST-08]', async (_what, person) => {
  const { signIn, visitor, register, provider } = await startWithProvider()
  provider.people.set('nia', person)
  const browser = visitor()
  expect(await signIn(browser)).toMatchObject({ status: 403, code: 'OpenidEmailUnverified' })
  expect(await register(browser)).toMatchObject({ code: 'OpenidAttemptEnded' })
})

test('a name that nobody may have here is not taken over [INST-08 S9]', async () => {
  const { signIn, provider } = await startWithProvider()
  provider.people.set('nia', { ...nia, name: 'Nia\u202e' })
  expect(await signIn()).toMatchObject({ body: { outcome: 'new', name: '' } })
})

test('a forged state is refused, and the attempt is used up [INST-08]', async () => {
  const { visitor, start, finish, provider } = await startWithProvider()
  const browser = visitor()
  const answer = new URLSearchParams(await provider.visit(await start(browser), 'nia'))
  const right = answer.get('state')!
  answer.set('state', `${right.slice(0, -1)}${right.endsWith('A') ? 'E' : 'A'}`)
  expect(await finish(browser, `?${answer.toString()}`)).toMatchObject({
    status: 403,
    code: 'OpenidAnswerRefused',
  })
  answer.set('state', right)
  expect(await finish(browser, `?${answer.toString()}`)).toMatchObject({ code: 'OpenidAttemptEnded' })
})

test.each([
  ['empty', ''],
  ['a code alone', '?code=a'],
  ['two codes', '?code=a&code=b&state=c&state=d'],
  ['a fragment', '#code=a'],
  ['long', `?${'a'.repeat(8000)}`],
  ['a zero', '\0'],
])('an answer that is %s is refused [INST-08]', async (_what, answer) => {
  const { visitor, start, finish } = await startWithProvider()
  const browser = visitor()
  await start(browser)
  expect(await finish(browser, answer)).toMatchObject({ status: 403, code: 'OpenidAnswerRefused' })
})

test('an ID token that is signed anew with the right key is good [INST-08]', async () => {
  const { signIn, provider } = await startWithProvider()
  provider.fault.claims = (claims) => claims
  expect((await signIn()).status).toBe(200)
})

const hourAgo = () => Math.floor(Date.now() / 1000) - 3600
test.each<[what: string, fault: object]>([
  ['with the signature of another key', { signsWrong: true }],
  ['for another installation', { claims: (claims: object) => ({ ...claims, aud: 'another' }) }],
  ['for another attempt', { claims: (claims: object) => ({ ...claims, nonce: 'another' }) }],
  ['without a nonce', { claims: ({ nonce: _nonce, ...claims }: { nonce?: string }) => claims }],
  ['of another issuer', { claims: (claims: object) => ({ ...claims, iss: 'https://evil.example' }) }],
  ['that has expired', { claims: (claims: object) => ({ ...claims, exp: hourAgo() }) }],
  ['for an id that no provider may have', { claims: (claims: object) => ({ ...claims, sub: 'é' }) }],
  ['for a long id', { claims: (claims: object) => ({ ...claims, sub: 'a'.repeat(256) }) }],
])('an ID token %s signs nobody in [INST-08]', async (_what, fault) => {
  const { visitor, signIn, register, provider } = await startWithProvider()
  Object.assign(provider.fault, fault)
  const browser = visitor()
  expect(await signIn(browser)).toMatchObject({ status: 403, code: 'OpenidAnswerRefused' })
  expect(await register(browser)).toMatchObject({ code: 'OpenidAttemptEnded' })
})

test.each(['/token', '/jwks', '/me'])(
  'a provider that never answers at %s is given up after five seconds [INST-08 S59]',
  async (path) => {
    const { signIn, provider } = await startWithProvider()
    provider.fault.stalls = path
    const begun = performance.now()
    expect(await signIn()).toMatchObject({ status: 503, code: 'OpenidUnavailable' })
    expect(performance.now() - begun).toBeLessThan(9000)
  },
)

test.each<[what: string, answer: { status: number; headers?: Record<string, string>; body: string }]>([
  ['an error', { status: 500, body: '{}' }],
  ['another place', { status: 302, headers: { location: 'https://example.org/' }, body: '' }],
  ['what is no JSON', { status: 200, body: 'Hello' }],
  ['more than 64 KiB', { status: 200, body: JSON.stringify({ a: 'a'.repeat(65_536) }) }],
  ['the description of another issuer', { status: 200, body: '{"issuer":"https://evil.example"}' }],
])(
  'a provider that describes itself by %s is unavailable, until it does so rightly [INST-08 S59]',
  async (_what, answer) => {
    const { visitor, signIn, provider, db } = await startWithProvider()
    provider.fault.answer = answer
    const before = await contentOf(db)
    expect(await visitor().tries(startOpenidSignIn)).toMatchObject({ status: 503, code: 'OpenidUnavailable' })
    expect(await contentOf(db)).toEqual(before)
    delete provider.fault.answer
    expect((await signIn()).status).toBe(200)
  },
)

test('a server starts without its provider, and people sign in by it as soon as it is there [INST-08 R16]', async () => {
  const first = await startProvider()
  await first.close()
  const { visitor } = await startTestApp({ config: openidConfig(first.issuer) })
  expect(await visitor().tries(startOpenidSignIn)).toMatchObject({ status: 503, code: 'OpenidUnavailable' })
  await startProvider({ port: Number(new URL(first.issuer).port) })
  expect((await visitor().tries(startOpenidSignIn)).status).toBe(201)
})

test('the description of the provider is read again after an hour [INST-08]', async () => {
  const { signIn, provider, clock } = await startWithProvider()
  const countReads = () => provider.requests.filter((one) => one.endsWith('/openid-configuration')).length
  await signIn()
  clock.advance(59 * minute)
  await signIn()
  expect(countReads()).toBe(1)
  clock.advance(minute)
  expect((await signIn()).status).toBe(200)
  expect(countReads()).toBe(2)
})

test('the server calls no host beside the one of the operator in the own network [INST-08 S59]', async () => {
  const { signIn, provider } = await startWithProvider()
  const inside = await startProvider()
  const description = (await (
    await fetch(`${provider.issuer}/.well-known/openid-configuration`)
  ).json()) as object
  const body = JSON.stringify({ ...description, token_endpoint: `${inside.issuer}/token` })
  provider.fault.answer = { status: 200, body }
  const { visitor, start, finish } = await startWithProvider({}, { config: openidConfig(provider.issuer) })
  const browser = visitor()
  const address = await start(browser)
  delete provider.fault.answer
  const answer = await provider.visit(address, 'nia')
  expect(await finish(browser, answer)).toMatchObject({ status: 503, code: 'OpenidUnavailable' })
  expect(inside.requests).toEqual([])
  expect((await signIn()).status).toBe(200)
})

test('starts and answers are limited for each address [INST-08 S47]', async () => {
  const { app, provider } = await startWithProvider({}, { config: { limitsRates: true } })
  const send = (url: string, remoteAddress: string) =>
    app.inject({ method: 'POST', url, remoteAddress, payload: { answer: '' } })
  for (const url of ['/api/openid/attempts', '/api/openid/answers']) {
    for (let n = 0; n < 10; n++) expect((await send(url, '203.0.113.7')).statusCode).not.toBe(429)
    const asked = provider.requests.length
    expect((await send(url, '203.0.113.7')).statusCode).toBe(429)
    expect(provider.requests).toHaveLength(asked)
    expect((await send(url, '203.0.113.8')).statusCode).not.toBe(429)
  }
})

test('without the settings there is no sign-in by a provider, no page for it, and no word of it [INST-08]', async () => {
  const { visitor, request, person } = await startTestApp()
  expect(await visitor().tries(startOpenidSignIn)).toMatchObject({ status: 404, code: 'OpenidOff' })
  expect(await visitor().does(getConfig)).not.toHaveProperty('openidName')
  expect((await request({ url: '/openid?code=1' })).statusCode).toBe(404)
  expect(await (await person()).does(getOpenidLink)).toEqual({ linkedAt: null })
  const on = await startTestApp({ config: openidConfig('https://login.example') })
  expect(await on.visitor().does(getConfig)).toMatchObject({ openidName: 'The Library' })
  expect((await on.request({ url: '/openid?code=1' })).statusCode).toBe(200)
})

test('the page to which the provider sends back repeats nothing of its address [INST-08 S57]', async () => {
  const { request } = await startTestApp({ config: openidConfig('https://login.example') })
  const page = await request({ url: '/openid?code=a-secret-code&state=a-secret-state' })
  expect(page.body).not.toContain('a-secret')
  expect(page.headers['referrer-policy']).toMatch(/^(no-referrer|same-origin|strict-origin)/)
})

test('attempts that have ended are deleted [INST-08]', async () => {
  const { visitor, start, db, clock } = await startWithProvider()
  const { feature } = await import('./index.ts')
  await start(visitor())
  clock.advance(5 * minute)
  await start(visitor())
  clock.advance(6 * minute)
  await feature.purges.openidAttempts({ database: db } as never, new AbortController().signal)
  const left = (await contentOf(db))['openid_attempts']
  expect(left).toHaveLength(1)
})
