import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { loginAsGuest } from '#contract/account/endpoints.ts'
import { allowed, type CallRow, calls, expectSound, requestOf } from '../testing/calls.ts'
import { callerKinds, type CallerKind, shareWorld, startWorld, type World } from '../testing/world.ts'
import { contentOf } from '../testing/content.ts'

const sharedWorld = shareWorld()

/**
 * Calls outside of the contract, and those that nobody can make on an open instance with an admin and without a provider;
 * each has tests of its own.
 */
const others = [
  'GET /api/live',
  'GET /api/logout',
  'POST /api/csp-report',
  'POST /api/me/openid/attempts',
  'POST /api/openid/answers',
  'POST /api/openid/attempts',
  'POST /api/openid/register',
  'POST /api/registration-requests',
  'POST /api/setup',
]

test('every mounted call has a row in the table of permissions, and every row has a mounted call [S2]', async () => {
  const { app } = await startWorld()
  const mounted = app.mounted
    .filter(({ url, method }) => url.startsWith('/api/') && typeof method === 'string' && method !== 'HEAD')
    .map(({ url, method }) => `${String(method)} ${url}`)
  const inTable = new Set(calls.map(({ endpoint: { method, path } }) => `${method} ${path}`))
  expect(mounted.toSorted()).toEqual([...inTable, ...others].toSorted())
})

test('outside of the API no session is looked up, except for the page of a person, which a block hides [S2 S41]', async () => {
  const { app } = await startWorld()
  for (const { url, config } of app.mounted.filter((each) => !each.url.startsWith('/api/')))
    expect([url, config.policy]).toEqual([
      url,
      {
        visitor: true,
        guest: true,
        user: true,
        moderator: true,
        admin: true,
        ...(url !== '/people/:id' && { ignoresSession: true }),
      },
    ])
})

test.each(calls)(
  '$name answers each kind of caller as the table says; a refusal comes before the input, shows nothing and changes nothing [S1 S2 S4 S6 S38 S26 S40 S41 PERM-01 PERM-05 PERM-06 LOOP-34]',
  async (row) => {
    let world = await startWorld()
    const policy = policyOf(world, row)
    // Refused callers come first, because a call of an allowed one may delete the row that they try to reach.
    for (const kind of callerKinds.toSorted((a, b) => row.answers[b] - row.answers[a])) {
      // Of a moderator and an admin who decide about one thing, the second is refused.
      if (kind === 'admin' && row.answers.other !== row.answers.moderator) world = await startWorld()
      const client = world.callers[kind]
      const before = await contentOf(world.db)
      const made = row.make(world)
      const answer = await client.request(requestOf(row, made))
      expectSound(answer, row.endpoint)
      expect([kind, answer.statusCode]).toEqual([kind, row.answers[kind]])
      if (answer.statusCode < 400) continue
      const verdict = policy[isPolicyKind(kind) ? kind : 'user']
      for (const compared of comparedRequests(row, made, { kind, verdict, status: answer.statusCode }))
        expect(shownOf(answer)).toEqual(shownOf(await client.request(compared)))
      const { audit_log: audited, ...after } = await contentOf(world.db)
      const { audit_log: auditedBefore, ...unchanged } = before
      expect(after).toEqual(unchanged)
      // Each process writes one row to the audit log for the first refused call of an admin's in a minute, and none for other calls (S49 S52).
      const isAudited = verdict === 403 && policy.user === 403
      const added = audited!.filter((line) => !auditedBefore!.includes(line))
      expect(added).toHaveLength(isAudited ? world.processes : 0)
      for (const line of added) expect(line).toContain(',admin-call-refused,')
      if (verdict === true) continue
      expect(answer.json()).toMatchObject({ code: codes[verdict] })
    }
  },
)

test.each(calls.filter(({ answers }) => answers.visitor === 401))(
  '$name answers a token without a session, and one whose person was deleted, like a visitor [S4 S20 S23]',
  async (row) => {
    const world = sharedWorld()
    const gone = world.visitor()
    await gone.does(loginAsGuest)
    const token = gone.cookies.get('sid')!
    await gone.request({ method: 'DELETE', url: '/api/delete-account' })
    const before = await contentOf(world.db)
    for (const sid of [token, 'a'.repeat(43), '', "' or 1=1 --", '%00']) {
      const answer = await world.request({ ...requestOf(row, row.make(world)), cookies: { sid } })
      expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'SignInRequired' }])
    }
    expect(await contentOf(world.db)).toEqual(before)
  },
)

test.each(calls.filter(({ endpoint, answers }) => endpoint.method !== 'GET' || answers.visitor === 401))(
  '$name that names another person than the session is refused, and changes nothing [S3]',
  async (row) => {
    const world = sharedWorld()
    const before = await contentOf(world.db)
    const headers = { 'expected-person': 'k7q2m4xp3d' }
    for (const [client, status, code] of [
      [allowed(world, row), 409, 'OtherPerson'],
      [world.visitor(), 401, 'SignInRequired'],
    ] as const) {
      const answer = await client.request({ ...requestOf(row, row.make(world)), headers })
      expectSound(answer, row.endpoint)
      expect([answer.statusCode, answer.json()]).toMatchObject([status, { code }])
    }
    expect(await contentOf(world.db)).toEqual(before)
  },
)

const codes = { 401: 'SignInRequired', 403: 'NotAllowed' }

const changes = calls.filter(({ endpoint }) => endpoint.method !== 'GET')

test.each(changes)(
  '$name from a page of another site is refused for every caller, and changes nothing [S24]',
  async (row) => {
    const world = await startWorld()
    const client = allowed(world, row)
    const before = await contentOf(world.db)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
      { origin: 'https://evil.example' },
      { origin: 'http://localhost.evil.example' },
      { origin: 'null' },
    ]) {
      for (const someone of [client, world.visitor()]) {
        const answer = await someone.request({ ...requestOf(row, row.make(world)), headers })
        expectSound(answer, row.endpoint)
        expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'ForeignRequest' }])
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    }
    expect(await contentOf(world.db)).toEqual(before)
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' }
    const own = await client.request({ ...requestOf(row, row.make(world)), headers })
    expect(own.statusCode).toBeLessThan(300)
  },
)

test.each(changes)('$name takes no form of a foreign page, with or without a body [S24]', async (row) => {
  const world = sharedWorld()
  const client = allowed(world, row)
  const before = await contentOf(world.db)
  const types = ['application/x-www-form-urlencoded', 'text/plain']
  // A call that takes a file takes this form; the test above sends it from a foreign page.
  if (row.endpoint.file === undefined) types.push('multipart/form-data; boundary=x')
  for (const type of types) {
    for (const payload of ['a=b', JSON.stringify(row.make(world).input ?? {}), '']) {
      const headers = { 'content-type': type }
      const answer = await client.request({ ...requestOf(row, row.make(world)), payload, headers })
      expectSound(answer, row.endpoint)
      expect([answer.statusCode, answer.json()]).toMatchObject([415, { code: 'UnsupportedMediaType' }])
    }
  }
  expect(await contentOf(world.db)).toEqual(before)
})

const isPolicyKind = (kind: CallerKind) =>
  kind === 'visitor' || kind === 'guest' || kind === 'user' || kind === 'moderator' || kind === 'admin'

/** The other requests, one or none, that must be refused with the same answer. */
function comparedRequests(
  row: CallRow,
  made: ReturnType<CallRow['make']>,
  { kind, verdict, status }: { kind: CallerKind; verdict: true | 401 | 403; status: number },
): InjectOptions[] {
  if (verdict !== true) return [brokenRequestOf(row)]
  // This caller may know that the row exists: an own one, a listed private room, or the message of a friend.
  if (kind === 'user' || status === 401 || status === 403) return []
  return [requestOf(row, JSON.parse(JSON.stringify(made), withUnknownId) as typeof made)]
}

/** An id in the shape of a person's, one in the shape of all others, and a token of an invitation. */
const unknownIds = ['0000000000', '00000000-0000-7000-8000-000000000000', 'A'.repeat(43)]
const idShapes = [/^[0-9a-hjkmnp-tv-z]{10}$/, /^[0-9a-f-]{36}$/, /^[\w-]{43}$/]

function withUnknownId(_name: string, value: unknown): unknown {
  const place = idShapes.findIndex((shape) => typeof value === 'string' && shape.test(value))
  return unknownIds[place] ?? value
}

/** An answer without its request id and its time. */
const shownOf = ({ statusCode, body, headers }: LightMyRequestResponse) => {
  const { 'x-request-id': _id, date: _date, ...others } = headers
  return { statusCode, body, headers: others }
}

const policyOf = ({ app }: World, { endpoint }: CallRow) =>
  app.mounted.find(({ config }) => config.endpoint === endpoint)!.config.policy!

/** A call of the same path with invalid parameters, query and body. */
function brokenRequestOf(row: CallRow): InjectOptions {
  const request = requestOf(row, { params: { id: 'no-id', offset: 'no-day' } })
  const url = `${request.url}?limit=1&limit=2&before=`
  if (row.endpoint.method === 'GET') return { ...request, url }
  const type = row.endpoint.file === undefined ? 'application/json' : 'multipart/form-data; boundary=x'
  return { ...request, url, payload: '{"broken', headers: { 'content-type': type } }
}
