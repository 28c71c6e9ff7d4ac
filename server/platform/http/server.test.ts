import { METHODS } from 'node:http'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createLog } from '#server/log.ts'
import { instanceFacts } from '#server/platform/schema.ts'
import { addFact, facts, listFacts, startPlatform } from '#server/testing/test-platform.ts'
import { Finished } from './answers/finished.ts'
import { handle } from './endpoints/handle.ts'
import { admins, everyone, people } from './endpoints/policy.ts'
import { Prepared } from './answers/prepared.ts'

test('a route that does not say who may call it stops the start [S2]', async () => {
  const { app } = await startPlatform([])
  expect(() => app.get('/api/open', async () => 'hello')).toThrow('GET /api/open has no policy.')
})

test('an answer is built from its schema: nothing private slips out [S5]', async () => {
  const { post } = await startPlatform()
  const answer = await post({ name: 'a', unknown: 'ignored' })
  expect(answer.statusCode).toBe(201)
  expect(answer.json()).toEqual({ name: 'a' })
})

test.each([
  ['a wrong type', { name: 1 }],
  ['a text for a number', { name: 'a', count: '1' }],
  ['a missing field', {}],
  ['a blank text', { name: ' \u200b' }],
  ['a text over its size', { name: 'a'.repeat(21) }],
  ['a NUL', { name: 'a\u0000' }],
  ['a lone surrogate', '{"name":"\\ud800"}'],
  ['an array', '["a"]'],
])('%s is refused with a sentence and changes nothing [S27 S28]', async (_what, payload) => {
  const { post, stored } = await startPlatform()
  const answer = await post(payload)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'InvalidInput', error: expect.stringMatching(/\w+ .+\.$/) })
  expect(await stored()).toEqual([])
})

test('a call that needs a body and gets none says so, and changes nothing [S27]', async () => {
  const { request, stored } = await startPlatform()
  const answer = await request({ method: 'POST', url: '/api/facts' })
  expect([answer.statusCode, answer.json()]).toEqual([
    400,
    { code: 'InvalidInput', error: 'This call needs a body in JSON.' },
  ])
  expect(await stored()).toEqual([])
})

test('a refused field is named with its sentence [S27]', async () => {
  const { post } = await startPlatform()
  expect((await post({ name: '' })).json()).toEqual({
    code: 'InvalidInput',
    error: 'Please write some text.',
    fields: { name: 'Please write some text.' },
  })
})

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/jsonp', 415],
  ['application/json; charset=latin1', 415],
  ['application/json; charset=utf-8', 201],
])('a body of type %s answers %i [S24 S27]', async (type, status) => {
  const { post, stored } = await startPlatform()
  expect((await post('{"name":"a"}', { 'content-type': type })).statusCode).toBe(status)
  expect(await stored()).toEqual(status === 201 ? ['a'] : [])
})

test('a body over its size is refused [S31]', async () => {
  const { post, stored } = await startPlatform()
  expect((await post({ name: 'a', more: 'x'.repeat(65 * 1024) })).statusCode).toBe(413)
  expect(await stored()).toEqual([])
})

test('a repeated query parameter is refused [S27]', async () => {
  const { request } = await startPlatform()
  expect((await request({ url: '/api/facts?limit=1&limit=2' })).statusCode).toBe(400)
})

test.each([
  [{ 'sec-fetch-site': 'cross-site' }, 403],
  [{ 'sec-fetch-site': 'same-site' }, 403],
  [{ 'sec-fetch-site': 'same-origin' }, 201],
  [{ 'sec-fetch-site': 'none' }, 201],
  [{ origin: 'https://evil.example' }, 403],
  [{ origin: 'null' }, 403],
  [{ origin: 'http://localhost' }, 201],
  [{}, 201],
])('a change that comes with %j answers %i [S24]', async (headers, status) => {
  const { post, stored } = await startPlatform()
  expect(
    (await post({ name: 'a' }, { host: 'localhost', ...headers } as Record<string, string>)).statusCode,
  ).toBe(status)
  expect(await stored()).toEqual(status === 201 ? ['a'] : [])
})

test('with a public origin, only that one may change things [S24]', async () => {
  const { post, stored } = await startPlatform(facts, { publicOrigin: 'https://zimmer.example' })
  expect((await post({ name: 'a' }, { host: 'localhost', origin: 'http://localhost' })).statusCode).toBe(403)
  expect(await stored()).toEqual([])
  expect((await post({ name: 'a' }, { origin: 'https://zimmer.example' })).statusCode).toBe(201)
})

test('every answer carries the protecting headers and does not name the server [S38 S26]', async () => {
  const { request } = await startPlatform(facts, { publicOrigin: 'https://zimmer.example' })
  for (const url of ['/api/facts', '/api/nothing', '/health/live']) {
    const { headers } = await request({ url })
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000',
      'cache-control': 'no-store',
      'x-request-id': expect.any(String),
    })
    for (const name of ['server', 'x-powered-by', 'access-control-allow-origin'])
      expect(headers).not.toHaveProperty(name)
  }
})

test('browsers use https on the host of the operator alone, unless a setting names the hosts below too [S38]', async () => {
  const policyOf = async (config: object) =>
    (await (await startPlatform(facts, config)).request({ url: '/api/facts' })).headers[
      'strict-transport-security'
    ]
  const publicOrigin = 'https://zimmer.example'
  expect(await policyOf({ publicOrigin })).toBe('max-age=31536000')
  expect(await policyOf({ publicOrigin, hstsSubdomains: true })).toBe('max-age=31536000; includeSubDomains')
  expect(await policyOf({ hstsSubdomains: true })).toBeUndefined()
})

test('a caller with another method gets 405 and the methods of the path [S8]', async () => {
  const { request } = await startPlatform()
  for (const method of ['PUT', 'DELETE', 'OPTIONS'] as const) {
    const answer = await request({ method, url: '/api/facts' })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe('POST, GET, HEAD')
  }
})

test.each(['/api//facts', '/api/facts;a=1', '/api%2ffacts', '/API/facts', '/api/facts/', '/api/unknown'])(
  'the address %s reaches no handler [S8 S7]',
  async (url) => {
    const { request } = await startPlatform()
    const answer = await request({ url })
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ code: 'NotFound', error: 'This does not exist.' })
  },
)

test('an address over 2 KiB is refused [S31]', async () => {
  const { request } = await startPlatform()
  expect((await request({ url: `/api/facts?limit=${'1'.repeat(2100)}` })).statusCode).toBe(414)
})

test('a caller learns nothing of an unexpected error but the id of the request [S7]', async () => {
  const secret = 'select password from /srv/secret'
  const { request } = await startPlatform([
    handle(listFacts, everyone, async () => {
      throw new Error(secret)
    }),
  ])
  const answer = await request({ url: '/api/facts' })
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toMatchObject({ code: 'Unexpected', requestId: answer.headers['x-request-id'] })
  expect(answer.body).not.toContain('secret')
})

test.each([
  ['nobody', 401],
  ['guest', 403],
  ['user', 403],
  ['admin', 201],
])('a call for admins answers %s with %i, before its input is looked at [S2 S4]', async (token, status) => {
  const routes = [handle(addFact, admins, facts[0]!.run as never)]
  const { post, stored, refused } = await startPlatform(routes)
  const answer = await post(status === 201 ? { name: 'a' } : '{broken', { cookie: `sid=${token}` })
  expect(answer.statusCode).toBe(status)
  expect(await stored()).toEqual(status === 201 ? ['a'] : [])
  expect(refused).toHaveLength(status === 403 ? 1 : 0)
})

test('a guest is refused where only registered people may act [S2]', async () => {
  const { post, stored } = await startPlatform([handle(addFact, people, facts[0]!.run as never)])
  expect((await post({ name: 'a' }, { cookie: 'sid=guest' })).statusCode).toBe(403)
  expect(await stored()).toEqual([])
})

test('the server does not start with a call whose impossible id could be refused in two ways [S2]', async () => {
  const ambiguous = {
    ...listFacts,
    path: '/api/facts/:id',
    errors: ['RoomNotFound', 'PostNotFound'],
  } as const
  const started = startPlatform([handle(ambiguous, everyone, async () => [])])
  await expect(started).rejects.toThrow('/api/facts/:id declares RoomNotFound and PostNotFound')
})

test('a caller gets a prepared answer once, and 304 for its tag afterwards', async () => {
  const prepared = new Prepared('[]')
  const { request } = await startPlatform([
    handle(listFacts, everyone, async () => new Finished({ prepared })),
  ])
  const first = await request({ url: '/api/facts', headers: { 'accept-encoding': 'br' } })
  expect(first.headers).toMatchObject({
    etag: prepared.etag,
    'content-encoding': 'br',
    vary: 'accept-encoding',
  })
  const again = await request({ url: '/api/facts', headers: { 'if-none-match': prepared.etag } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('the description of the API lists its calls; health answers without detail [R21]', async () => {
  const { request } = await startPlatform()
  expect((await request({ url: '/openapi.json' })).json()).toHaveProperty('paths./api/facts.post.requestBody')
  expect((await request({ url: '/health/live' })).json()).toEqual({ ok: true })
  expect((await request({ url: '/health/ready' })).json()).toEqual({ ok: true })
})

test('callers read the metrics on this machine alone, or with a token that is set, which this machine needs too [R21 S53]', async () => {
  const token = 'a-token-of-length-16'
  const [open, guarded] = [await startPlatform(), await startPlatform(facts, { metricsToken: token })]
  const authorization = `Bearer ${token}`
  const callers = {
    'of this machine': {},
    'of a proxy on this machine': { headers: { 'x-forwarded-for': '127.0.0.1' } },
    'from elsewhere': { remoteAddress: '203.0.113.9' },
    'of this machine with the token': { headers: { authorization } },
    'of a proxy with the token': { headers: { authorization, 'x-forwarded-for': '203.0.113.9' } },
    'from elsewhere with the token': { headers: { authorization }, remoteAddress: '203.0.113.9' },
    'from elsewhere with another token': {
      headers: { authorization: `${authorization}7` },
      remoteAddress: '203.0.113.9',
    },
  }
  const readers = async ({ request }: typeof open) => {
    const answers = await Promise.all(
      Object.entries(callers).map(async ([who, how]) => ({
        who,
        status: (await request({ url: '/metrics', ...how })).statusCode,
      })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]))
    return answers.filter(({ status }) => status === 200).map(({ who }) => who)
  }
  expect(await readers(open)).toEqual(['of this machine', 'of this machine with the token'])
  expect(await readers(guarded)).toEqual([
    'of this machine with the token',
    'of a proxy with the token',
    'from elsewhere with the token',
  ])
})

test('every metric has the prefix of this program, so that a shared Prometheus does not mix it with those of others [R21]', async () => {
  const { body } = await (await startPlatform()).request({ url: '/metrics' })
  const names = [...body.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !name.startsWith('zimmer_'))).toEqual([])
})

test('callers who send every method to a path, and to paths that do not exist, add time series under one label [R21 R24]', async () => {
  const { request } = await startPlatform()
  await request({ url: '/api/facts' })
  for (const method of METHODS.filter((name) => name !== 'GET' && name !== 'POST' && name !== 'HEAD'))
    for (const url of ['/api/facts', '/api/unknown']) await request({ method: method as 'PUT', url })
  const metrics = (await request({ url: '/metrics' })).body.matchAll(
    /^zimmer_http_request_duration_seconds_count\{method="(\w+)",route="(\S+)",status=/gm,
  )
  const labels = new Set([...metrics].map(([, method, route]) => `${method} ${route}`))
  expect([...labels].toSorted()).toEqual(['GET /api/facts', 'other /api/facts', 'other none'])
})

test('reads are limited by address, but not from this machine [S47]', async () => {
  const { request } = await startPlatform()
  const statuses = async (remoteAddress: string) => {
    const answers = []
    for (let i = 0; i < 601; i++)
      answers.push((await request({ url: '/api/facts', remoteAddress })).statusCode)
    return answers
  }
  expect(new Set((await statuses('203.0.113.9')).slice(0, 600))).toEqual(new Set([200]))
  const over = await request({ url: '/api/facts', remoteAddress: '203.0.113.9' })
  expect([over.statusCode, Number(over.headers['retry-after'])]).toEqual([429, expect.any(Number)])
  expect(new Set(await statuses('127.0.0.1'))).toEqual(new Set([200]))
})

test.each([
  ['takes too long', sql`select pg_sleep(30)`],
  ['waits too long for a lock', sql`lock table instance_facts in access exclusive mode nowait`],
])(
  'a statement that %s answers 503, tells when to come back, is logged and changes nothing [R15]',
  async (_what, statement) => {
    const lines: { msg: string; err?: { cause?: { code?: string } } }[] = []
    const logger = createLog('warn', { write: (line) => void lines.push(JSON.parse(line) as never) })
    const slow = handle(addFact, everyone, async ({ db, input }) => {
      await db.insert(instanceFacts).values({ name: input.name, value: '' })
      await db.execute(sql`set local statement_timeout = 50`)
      await db.execute(statement)
      return { name: input.name }
    })
    const { post, stored, database } = await startPlatform([slow], {}, logger)
    const answer = await database.transaction(async (tx) => {
      await tx.execute(sql`lock table instance_facts in access share mode`)
      return post({ name: 'a' })
    })
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2'])
    expect(answer.json()).toMatchObject({ code: 'Unavailable', error: expect.any(String) })
    expect(lines.map(({ msg }) => msg)).toEqual(['the database took too long'])
    expect(await stored()).toEqual([])
  },
)

test('while the database is unavailable an answer is 503 with a time to retry [R15]', async () => {
  const { request, database } = await startPlatform()
  await database.close()
  const answer = await request({ url: '/api/facts' })
  expect(answer.statusCode).toBe(503)
  expect(answer.headers['retry-after']).toBe('2')
})
