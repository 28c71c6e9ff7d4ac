import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openCaller } from '#server/testing/raw-callers.ts'
import { createReader } from '#server/testing/read-raw.ts'
import { until } from '#server/testing/stream-client.ts'
import { facts, listFacts, startPlatform } from '#server/testing/test-platform.ts'
import type { PlatformSettings } from '../../settings.ts'
import { Finished } from './finished.ts'
import { handle } from '../endpoints/handle.ts'
import { everyone, type Policy, sameForAll, type Visitor } from '../endpoints/policy.ts'
import { Prepared } from './prepared.ts'

const path = '/api/facts'
const waits = '/api/facts?limit=waits'
const get = (headers = '') => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`

interface Options {
  config?: Partial<PlatformSettings>
  policy?: Policy<Visitor>
  text?: string
  /** Called between the reading of the answer and its sending. */
  onRead?: () => void
  beforeClose?: () => Promise<void>
}

/** A listening server whose list of facts is a cached answer. With a query the list waits for `release`. */
async function start({
  config = {},
  policy = sameForAll,
  text = '[{"name":"a"}]',
  onRead,
  beforeClose,
}: Options = {}) {
  const gate = Promise.withResolvers<void>()
  const cached = (of: string) => ({
    prepared: new Prepared(of),
    version: undefined,
    begunAt: 0,
    validUntil: Infinity,
  })
  let current = cached(text)
  const routes = [
    facts[0]!,
    handle(listFacts, policy, { answersFromMemory: true }, async ({ query }) => {
      if (query.limit !== undefined) await gate.promise
      const answer = { ...current, nextBefore: 'somewhere' }
      onRead?.()
      return new Finished(answer, query.limit === undefined ? () => current : undefined)
    }),
  ]
  const platform = await startPlatform(routes, config)
  if (beforeClose !== undefined) platform.app.addHook('preClose', beforeClose)
  const origin = await platform.app.listen({ port: 0, host: '127.0.0.1' })
  const metric = async (line: string) => {
    const { body } = await platform.request({ url: '/metrics', headers: { host: 'localhost' } })
    return Number(
      body
        .split('\n')
        .find((each) => each.startsWith(line))
        ?.split(' ')
        .at(-1),
    )
  }
  return {
    ...platform,
    origin,
    read: createReader(origin),
    release: gate.resolve,
    countEarly: () => metric('zimmer_http_early_answers_total'),
    countAll: () =>
      metric(`zimmer_http_request_duration_seconds_count{method="GET",route="${path}",status="200"}`),
    change: (changed: string) => (current = cached(changed)),
  }
}

/** Without what belongs to the moment and to the connection. */
function lasting({ headers, status, body }: Awaited<ReturnType<ReturnType<typeof createReader>>>) {
  const { date, connection, 'keep-alive': keepAlive, 'x-request-id': id, ...rest } = headers
  expect([typeof date, connection, keepAlive, typeof id]).toEqual([
    'string',
    'keep-alive',
    'timeout=5',
    'string',
  ])
  return { status, headers: rest, body: body.toString('base64') }
}

test('the second reader of a cached answer gets it early, with the bytes and headers of the first, and is counted as others [R21 S38]', async () => {
  const { read, countEarly, countAll } = await start()
  const { etag } = new Prepared('[{"name":"a"}]')
  const forms: Record<string, string>[] = [
    {},
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'gzip, deflate, br' },
    { 'if-none-match': etag },
    { 'if-none-match': `"x", ${etag}`, 'accept-encoding': 'br' },
  ]
  const ids = new Set()
  for (const [n, headers] of forms.entries()) {
    const first = await read(path, headers)
    const second = await read(path, headers)
    expect(lasting(second)).toEqual(lasting(first))
    for (const { headers: all } of [first, second]) ids.add(all['x-request-id'])
    // The two last forms have one answer.
    expect(await countEarly()).toBe(n < 4 ? n + 1 : 6)
  }
  expect(ids.size).toBe(10)
  // Of the ten answers four were 304.
  expect(await countAll()).toBe(6)
})

test('a changed answer is sent at once, also to a caller who has the old one [R24]', async () => {
  const { read, change, countEarly } = await start()
  const { etag } = (await read(path)).headers
  await read(path)
  change('[{"name":"b"}]')
  expect((await read(path)).body.toString()).toBe('[{"name":"b"}]')
  const known = await read(path, { 'if-none-match': etag! })
  expect([known.status, known.body.toString()]).toEqual([200, '[{"name":"b"}]'])
  expect(await countEarly()).toBe(2)
})

test('an answer that changes while it is read is not repeated [R24]', async () => {
  const started = await start({ onRead: () => void started.change('[{"name":"b"}]') })
  expect((await started.read(path)).body.toString()).toBe('[{"name":"a"}]')
  expect((await started.read(path)).body.toString()).toBe('[{"name":"b"}]')
})

test('an answer that began with the headers before a switch is not repeated after it [INST-07]', async () => {
  let reads = 0
  const started = await start({
    onRead: () => {
      if (reads++ === 0) started.headers.follow(() => true)
    },
  })
  const reservation = async () => (await started.read(path)).headers['tdm-reservation']
  expect([await reservation(), await reservation(), await reservation()]).toEqual(['1', undefined, undefined])
  expect(await started.countEarly()).toBe(1)
})

test('a request of another method, with a body or of another address is left to the framework [R13]', async () => {
  const { read, origin, countEarly } = await start()
  await read(path)
  expect((await read(path, {}, 'HEAD')).body.length).toBe(0)
  expect((await read(path, {}, 'DELETE')).status).toBe(405)
  expect((await read(`/${path}`)).status).toBe(404)
  expect((await read(`${path}?limit=1&limit=2`)).status).toBe(400)
  for (const head of ['content-length: 2\r\n', 'transfer-encoding: chunked\r\n']) {
    const caller = await openCaller(origin, get(head))
    caller.socket.end('2\r\n{}\r\n0\r\n\r\n')
    await until(() => caller.said.startsWith('HTTP/1.1 200 ') || undefined)
  }
  expect(await countEarly()).toBe(0)
})

test('early answers count towards the limit of their address, and one over it is refused [S47]', async () => {
  const { read, countEarly } = await start({ config: { trustProxy: '127.0.0.1' } })
  const ana = { 'x-forwarded-for': '203.0.113.7' }
  for (let n = 0; n < 600; n++) expect((await read(path, ana)).status).toBe(200)
  expect(await countEarly()).toBe(599)
  const refused = await read(path, ana)
  expect(refused.status).toBe(429)
  // The minute began with the first of the 600 requests.
  const retryAfter = Number(refused.headers['retry-after'])
  expect(retryAfter > 0 && retryAfter <= 60).toBe(true)
  // What the client itself writes to the left does not count.
  expect((await read(path, { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' })).status).toBe(429)
  expect((await read(path, { 'x-forwarded-for': '203.0.113.8' })).status).toBe(200)
  expect(await countEarly()).toBe(600)
})

test('the callers of a proxy that is not trusted share the limit of its address, and this machine has none [S47 S53]', async () => {
  const { read, countEarly } = await start()
  for (let n = 0; n < 600; n++) await read(path, { 'x-forwarded-for': `203.0.113.${n % 200}` })
  expect((await read(path, { 'x-forwarded-for': '198.51.100.1' })).status).toBe(429)
  expect((await read(path)).status).toBe(200)
  expect(await countEarly()).toBe(1)
})

test.each([
  [503, 'there are 600 requests of others', Array.from({ length: 61 }, (_each, n) => `203.0.113.${n}`), 10],
  [429, 'there are 400 of its own address', ['127.0.0.1'], 400],
])(
  'a read of a cached answer is refused with %i while %s in work [R14 R25]',
  async (status, _, addresses, count) => {
    const { read, request, release, countEarly } = await start({ config: { limitsRates: false } })
    await read(path)
    const waiting = addresses.flatMap((remoteAddress) =>
      Array.from({ length: count }, () => request({ url: waits, remoteAddress })),
    )
    await until(async () => (await read(path)).status === status || undefined)
    release()
    await Promise.all(waiting)
    const before = await countEarly()
    expect((await read(path)).status).toBe(200)
    expect(await countEarly()).toBe(before + 1)
  },
)

test('a reader who takes nothing of an early answer for 10 s is cut off [R11]', async () => {
  const { app, clock, origin, read, countEarly } = await start({ text: 'x'.repeat(32 * 1024 * 1024) })
  await read(path)
  const served = once(app.server, 'connection')
  const slow = await openCaller(origin, get(), { reads: false })
  const [connection] = (await served) as [Socket]
  await until(() => connection.writableLength > 0 || undefined)
  clock.advance(9000)
  expect([slow.socket.closed, await countEarly()]).toEqual([false, 0])
  await until(() => {
    clock.advance(1000)
    return connection.destroyed || undefined
  })
  await until(async () => (await countEarly()) === 1 || undefined)
})

test('requests that arrive at once on one connection are answered in their order [R25]', async () => {
  const { origin, read } = await start()
  await read(path)
  const missing = get().replace(path, '/nowhere')
  const caller = await openCaller(origin, `${get()}${missing}${get()}${missing}${get()}`)
  const statuses = () => [...caller.said.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  await until(() => statuses().length === 5 || undefined)
  expect(statuses()).toEqual(['200', '404', '200', '404', '200'])
})

test('a closing server refuses a cached answer with 503 [R17]', async () => {
  const gate = Promise.withResolvers<void>()
  const { app, origin, read } = await start({ beforeClose: () => gate.promise })
  await read(path)
  const isClosed = app.close()
  const late = await openCaller(origin, get())
  await until(() => late.socket.closed || undefined)
  expect(late.said).toMatch(/^HTTP\/1\.1 503 /)
  gate.resolve()
  await isClosed
})

test('only an answer that is the same for everybody can be repeated [S2]', async () => {
  const { read } = await start({ policy: everyone as Policy<Visitor> })
  expect((await read(path)).status).toBe(500)
})
