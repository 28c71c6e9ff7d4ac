import { METHODS } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { HTTPMethods } from 'fastify'
import { expect, test } from 'vitest'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { uploadIssue } from '#contract/magazine/endpoints.ts'
import { answerHeaders } from '../platform/http/headers.ts'
import { Refused } from '../platform/http/refusal.ts'
import { expectSound } from '../testing/calls.ts'
import { startWorld, type World } from '../testing/world.ts'
import { contentOf } from '../testing/content.ts'
import { startTestApp } from '../testing/test-app.ts'

/** Every path that is mounted, with things in it that exist, and the methods that it takes. */
function pathsOf({ app, room, privateRoom, story, published }: World) {
  const own = app.mounted.filter(({ method }) => typeof method === 'string')
  return [...Map.groupBy(own, ({ url }) => url)].map(([pattern, routes]) => ({
    pattern,
    paths: [room, privateRoom, story, published].map((id) =>
      pattern
        .replace(':id', id)
        .replace(':offset', '0')
        .replace(':day', '2025-06-10')
        .replace(':format', 'txt')
        .replace('*', 'nothing.js'),
    ),
    methods: new Set(routes.map(({ method }) => String(method))),
  }))
}

const isStream = (path: string) => path === '/api/live'

test('a GET or HEAD of any route changes nothing, whoever sends it [S25 S55]', async () => {
  const world = await startWorld()
  const everybody = Object.values(world.callers)
  const before = await contentOf(world.db)
  for (const { pattern, paths, methods } of pathsOf(world).filter((each) => each.methods.has('GET'))) {
    expect([pattern, methods.has('HEAD')]).toEqual([pattern, true])
    for (const who of everybody) {
      for (const url of new Set(paths)) {
        const head = await who.request({ method: 'HEAD', url })
        expect([url, head.body, head.headers['set-cookie']]).toEqual([url, '', undefined])
        expect([url, head.statusCode < 500]).toEqual([url, true])
        if (pattern !== '/api/logout' && !isStream(pattern)) await who.request({ method: 'GET', url })
      }
    }
  }
  const { audit_log: audited, ...after } = await contentOf(world.db)
  const { audit_log: auditedBefore, ...unchanged } = before
  expect(after).toEqual(unchanged)
  // A call of an admin's that is refused is noted whatever its method (S49).
  const added = audited!.filter((line) => !auditedBefore!.includes(line))
  for (const line of added) expect(line).toContain(',admin-call-refused,')
})

test('every method that Node reads and a path does not take answers 405 with those it takes, and changes nothing [S8]', async () => {
  const world = await startWorld()
  const person = await world.person()
  const refusal = JSON.stringify(new Refused('MethodNotAllowed').body)
  const before = await contentOf(world.db)
  for (const { pattern, paths, methods } of pathsOf(world)) {
    for (const method of METHODS.filter((each) => !methods.has(each))) {
      const answer = await person.request({ method: method as HTTPMethods, url: paths[0]! })
      expectSound(answer)
      const got = [pattern, method, answer.statusCode, String(answer.headers.allow).split(', ').toSorted()]
      expect(got).toEqual([pattern, method, 405, [...methods].toSorted()])
      expect([method, answer.body]).toEqual([method, method === 'HEAD' ? '' : refusal])
    }
  }
  expect(await contentOf(world.db)).toEqual(before)
})

test.each([
  ['TRACE', 'TRACE /api/me HTTP/1.1', 405, 'GET, HEAD'],
  ['PROPFIND', 'PROPFIND /dashboard HTTP/1.1', 405, 'GET, HEAD'],
  ['a tunnel', 'CONNECT zimmer.example:443 HTTP/1.1', 405, ''],
  ['a method that Node does not know', 'FETCH /api/me HTTP/1.1', 400, undefined],
])(
  '%s on a real connection is refused with a code and the protecting headers [S7 S8 S38]',
  async (_what, line, status, allow) => {
    const { app } = await startTestApp()
    const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    const [first = '', ...headers] = head.split('\r\n')
    expect([first.split(' ')[1], JSON.parse(body)]).toMatchObject([
      String(status),
      { code: expect.any(String), error: expect.any(String) },
    ])
    for (const [name, value] of Object.entries(
      answerHeaders({ publicOrigin: undefined, hstsSubdomains: false, searchEngines: true }),
    ))
      expect(headers).toContain(`${name}: ${value}`)
    expect(headers.find((each) => each.startsWith('allow:'))?.slice(7)).toBe(allow)
  },
)

test('an address with a fragment, which the router would read as a query, reaches no handler [S8]', async () => {
  const { app } = await startTestApp()
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  for (const [address, status] of [
    ['/api/feed/day/0?limit=1', '200'],
    ['/api/feed/day/0#limit=1', '404'],
    ['/api/feed/day/0?limit=1#a', '404'],
  ]) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect([address, (await text(socket)).split(' ')[1]]).toEqual([address, status])
  }
})

test('an address that has used up its requests gets 429 from every route, and another address its answer [S47 S52 R21]', async () => {
  const world = await startWorld({ config: { limitsRates: true } })
  // The minute of the counters must not end while thousands of requests are sent.
  const ms = world.clock.monotonicMs()
  world.clock.monotonicMs = () => ms
  // Another media type is refused first, like a foreign request.
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const ask = (method: string, url: string, remoteAddress: string) =>
    world.request({
      method: method as HTTPMethods,
      url,
      remoteAddress,
      ...(method === 'POST' && [uploadIssue, uploadCover].some(({ path }) => path === url) && { headers }),
    })
  const greedy = '203.0.113.9'
  // What a browser, a household or a load balancer never comes near, in requests of one minute.
  const enough: [string, string, number][] = [
    ['GET', '/api/config', 600],
    ['POST', '/api/logout', 1200],
    ['GET', '/dashboard', 600],
    ['GET', '/assets/nothing.js', 6000],
    ['GET', `/preview/posts/${world.published}.png`, 120],
    ['GET', '/sitemap.xml', 60],
    ['GET', '/health/live', 600],
  ]
  for (const [method, url, count] of enough) {
    for (let n = 0; n < count; n++)
      expect([url, n, (await ask(method, url, greedy)).statusCode]).not.toEqual([url, n, 429])
    const { statusCode, headers } = await ask(method, url, greedy)
    expect([url, statusCode, Number(headers['retry-after']) > 0]).toEqual([url, 429, true])
  }
  const before = await contentOf(world.db)
  for (const { pattern, paths } of pathsOf(world)) {
    for (const method of METHODS) {
      const { statusCode, headers } = await ask(method, paths[0]!, greedy)
      expect([method, pattern, statusCode]).toEqual([method, pattern, 429])
      expect(headers).toMatchObject({ 'retry-after': expect.any(String), 'cache-control': 'no-store' })
    }
  }
  for (const url of ['/nothing', '/api/nothing', '/health/nothing', '/posts/nothing'])
    expect([url, (await ask('GET', url, greedy)).statusCode]).toEqual([url, 429])
  for (const [method, url] of enough)
    expect([url, (await ask(method, url, '203.0.113.10')).statusCode]).not.toEqual([url, 429])
  expect(await contentOf(world.db)).toEqual(before)
}, 120_000)

test('of an overloaded server people still get its health and their logout, and nothing else [R14]', async () => {
  const { app } = await startTestApp()
  const answering = app.mounted.filter(({ config, method }) => config.alwaysAnswers && method !== 'HEAD')
  expect(answering.map(({ method, url }) => `${String(method)} ${url}`).toSorted()).toEqual([
    'GET /api/logout',
    'GET /health/live',
    'GET /health/ready',
    'GET /metrics',
    'GET /openapi.json',
    'POST /api/logout',
  ])
})

test('a server whose event loop lags answers its health and the logout alone, and asks to try later [R14]', async () => {
  const { person, visitor } = await startTestApp({ maxLoopDelayMs: 0 })
  const [ana, probe] = [await person(), visitor()]
  const status = async (url: string) => (await probe.request({ method: 'GET', url })).statusCode
  await expect.poll(() => status('/api/feed/day/1')).toBe(503)
  expect(await ana.tries(saveDiaryEntry, { input: { date: '2025-06-10', content: 'Rain.' } })).toMatchObject({
    status: 503,
    code: 'Unavailable',
    headers: { 'retry-after': expect.any(String) },
  })
  for (const url of ['/health/live', '/health/ready']) expect([url, await status(url)]).toEqual([url, 200])
  expect((await ana.request({ method: 'POST', url: '/api/logout' })).statusCode).toBe(200)
})

test('an error is never stored by a cache, whatever route it comes from [S55]', async () => {
  const world = await startWorld()
  const person = await world.person()
  const asked: [string, string, object?][] = [
    ['GET', '/nothing'],
    ['HEAD', '/nothing'],
    ['GET', '/posts/nothing'],
    ['GET', '/assets/nothing.js'],
    ['HEAD', '/assets/nothing.js'],
    ['GET', '/assets/..%2findex.html'],
    ['GET', '/icon.svg', { range: 'bytes=999999999-' }],
    ['GET', '/icon.svg', { 'if-match': '"another"' }],
    ['POST', '/dashboard'],
    ['GET', '/api/nothing'],
    ['GET', '/api/feed/day/x'],
    ['GET', '/api/zimmers/rooms?limit=0'],
    ['GET', '/api/admin/users'],
    ['GET', `/${'a'.repeat(3000)}`],
    ['GET', '/%ff'],
  ]
  for (const [method, url, headers = {}] of asked) {
    const answer = await person.request({ method: method as HTTPMethods, url, headers: headers as never })
    const shown = [method, url.slice(0, 40), answer.statusCode >= 400, answer.headers['cache-control']]
    expect(shown).toEqual([method, url.slice(0, 40), true, 'no-store'])
    expect(answer.headers).not.toHaveProperty('etag')
  }
})
