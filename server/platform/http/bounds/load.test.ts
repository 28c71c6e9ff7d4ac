import { EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { logout } from '#contract/account/endpoints.ts'
import { endpoint } from '#contract/endpoint.ts'
import { errors } from '#contract/errors.ts'
import { listOpenRooms } from '#contract/rooms/endpoints.ts'
import { openCaller, type RawCaller, unfinishedPost } from '#server/testing/raw-callers.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { facts, listFacts, startPlatform } from '#server/testing/test-platform.ts'
import { handle, oneStatement } from '../endpoints/handle.ts'
import { watchLoad, watchQueue } from './overload.ts'
import { everyone, sameForAll } from '../endpoints/policy.ts'

/** A server on a port, for callers that write single bytes. */
async function startListening() {
  const t = await startTestApp({ config: { limitsRates: false } })
  const url = await t.app.listen({ port: 0, host: '127.0.0.1' })
  const open = (text?: string) => openCaller(url, text)
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, {
      ...init,
      headers: { connection: 'close' },
    })
    await answer.arrayBuffer()
    return answer
  }
  return { ...t, open, ask }
}

const done = Promise.resolve([])

const getPage = endpoint({
  summary: 'Answers a page.',
  method: 'GET',
  path: '/api/page',
  output: z.object({ ok: z.literal(true) }),
  errors: [],
})

/** All that the server sends until it closes the connection. */
async function answersTo(caller: RawCaller) {
  if (!caller.socket.closed) await once(caller.socket, 'close')
  return caller.said
}

test('a connection has 10 s for its headers, 120 s for a request with a file, and 5 s without a request [R13]', async () => {
  const { app } = await startListening()
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections, timeout } = app.server
  expect({ headersTimeout, requestTimeout, keepAliveTimeout, maxConnections, timeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 120_000,
    keepAliveTimeout: 5000,
    maxConnections: 10_000,
    timeout: 30_000,
  })
})

test('a caller that sends headers or a body too slowly gets 408, loses the connection and may try again [R13]', async () => {
  const { app, open, ask } = await startListening()
  app.server.headersTimeout = 100
  app.server.requestTimeout = 200
  const slow = [await open(), await open('GET /api/feed HTTP/1.1\r\nhost: local'), await open(unfinishedPost)]
  const answers = await Promise.all(slow.map(answersTo))
  expect(answers[0]).toMatch(/^$|^HTTP\/1\.1 408 /)
  for (const said of answers.slice(1)) {
    expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(said).toMatch(/\r\nconnection: close\r\n/i)
  }
  expect((await ask('/api/feed/day/0')).status).toBe(200)
})

test('the server closes an idle connection [R13]', async () => {
  const { app, open } = await startListening()
  app.server.keepAliveTimeout = 100
  expect(await answersTo(await open('GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n'))).toContain(
    ' 200 OK',
  )
})

test('with 500 requests in work callers with many get 503, others are served until there are 600, health and logout are answered, and all callers are served afterwards [R14]', async () => {
  const gate = Promise.withResolvers<[]>()
  const { request } = await startPlatform([
    handle(listFacts, sameForAll, ({ query }) => (query.limit ? gate.promise : done)),
    handle(logout, everyone, { alwaysAnswers: true }, async () => ({ ok: true as const })),
  ])
  const waiting = Promise.all(
    Array.from({ length: 500 }, (_, n) =>
      request({ url: '/api/facts?limit=1', remoteAddress: `203.0.113.${n % 2}` }),
    ),
  )
  const ofMany = () => request({ url: '/api/facts', remoteAddress: '203.0.113.1' })
  await until(async () => (await ofMany()).statusCode === 503)
  expect((await request({ url: '/api/facts' })).statusCode).toBe(200)
  const others = Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      request({ url: '/api/facts?limit=1', remoteAddress: `203.0.113.${100 + (n % 10)}` }),
    ),
  )
  await until(async () => (await request({ url: '/api/facts' })).statusCode === 503)
  const refused = await request({ url: '/api/facts' })
  expect(refused.json()).toEqual({ code: 'Unavailable', error: errors.Unavailable.error })
  expect(['1', '2', '3', '4', '5']).toContain(refused.headers['retry-after'])
  expect((await request({ url: '/health/live' })).statusCode).toBe(200)
  expect((await request({ url: '/health/ready' })).statusCode).toBe(200)
  expect((await request({ method: 'POST', url: '/api/logout' })).statusCode).toBe(200)
  gate.resolve([])
  const answers = [...(await waiting), ...(await others)]
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect((await request({ url: '/api/facts' })).statusCode).toBe(200)
})

test('one address has at most 400 requests in work, and one person 100; others are served [R25]', async () => {
  const gate = Promise.withResolvers<[]>()
  const { request } = await startPlatform([
    handle(listFacts, everyone, ({ query }) => (query.limit ? gate.promise : done)),
  ])
  const begin = (count: number, cookie: string, remoteAddress: string) =>
    Array.from({ length: count }, () =>
      request({ url: '/api/facts?limit=1', headers: { cookie }, remoteAddress }),
    )
  const ofPerson = begin(101, 'sid=ana', '127.0.0.1')
  expect(await Promise.race(ofPerson)).toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } })
  const ofAddress = begin(301, '', '127.0.0.1')
  expect(await Promise.race(ofAddress)).toMatchObject({ statusCode: 429, headers: { 'retry-after': '1' } })
  expect((await request({ url: '/api/facts', remoteAddress: '203.0.113.9' })).statusCode).toBe(200)
  gate.resolve([])
  const statuses = (await Promise.all([...ofPerson, ...ofAddress])).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status !== 200)).toEqual([429, 429])
  expect((await request({ url: '/api/facts' })).statusCode).toBe(200)
})

test('checks of readiness that come at once share one query of the database [R14 R21]', async () => {
  const { request, database } = await startPlatform()
  const held = await Promise.all(Array.from({ length: 20 }, () => database.pool.connect()))
  const checks = Promise.all(Array.from({ length: 50 }, () => request({ url: '/health/ready' })))
  await until(async () => database.pool.waitingCount > 0)
  expect(database.pool.waitingCount).toBe(1)
  for (const connection of held) connection.release()
  expect(new Set((await checks).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})

test.each([
  ['one long block', [500], false],
  ['two in a row', [900, 201], false],
  ['a pause between', [900, 900, 200, 900, 900], false],
  ['three in a row', [201, 900, 500], true],
  ['a first quiet half second', [900, 900, 900, 900, 10], false],
])(
  'after %s of the event loop new requests are put off only while it stays over 200 ms [R14]',
  (_name, means, isOverloaded) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const delay = { mean: 0, enable: () => true, disable: () => true, reset: () => {} }
    const load = watchLoad(undefined, delay)
    onTestFinished(load.stop)
    for (const mean of means) {
      delay.mean = mean * 1e6
      vi.advanceTimersByTime(500)
    }
    expect(load.isOverloaded(true)).toBe(isOverloaded)
  },
)

/** A pool whose queue and connections a test sets. */
function startQueue() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const pool = Object.assign(new EventEmitter(), { waitingCount: 0 })
  const queue = watchQueue(pool as unknown as Parameters<typeof watchQueue>[0])
  onTestFinished(queue.stop)
  return {
    pool,
    queue,
    /** Lets so many requests wait, while the pool gives out so many connections a second. */
    passHalfSecond: (waiting: number, perSecond: number) => {
      pool.waitingCount = waiting
      for (let tick = 0; tick < 10; tick++) {
        for (let n = 0; n < perSecond / 20; n++) pool.emit('acquire')
        vi.advanceTimersByTime(50)
      }
    },
  }
}

test.each([
  ['40 wait for a database that has stopped', 40, 0, [false, false]],
  ['41 wait for a database that has stopped', 41, 0, [true, true]],
  ['150 wait, and 1000 a second get a connection', 150, 1000, [false, false]],
  ['200 wait, and 1000 a second get a connection', 200, 1000, [true, false]],
  ['310 wait, and 1000 a second get a connection', 310, 1000, [true, true]],
])(
  'while %s, a new request of a caller with many and of one with few requests is put off only if it would wait too long [R14]',
  (_name, waiting, perSecond, [many, few]) => {
    const { queue, passHalfSecond } = startQueue()
    passHalfSecond(waiting, perSecond)
    expect([queue.isTooLong(false), queue.isTooLong(true)]).toEqual([many, few])
  },
)

test('450 requests that come at once after a quiet time are all admitted, and nobody is put off once they are served [R14]', () => {
  const { pool, queue, passHalfSecond } = startQueue()
  passHalfSecond(0, 0)
  pool.waitingCount = 450
  expect(queue.isTooLong(false)).toBe(false)
  passHalfSecond(430, 400)
  expect(queue.isTooLong(false)).toBe(true)
  passHalfSecond(10, 400)
  expect(queue.isTooLong(false)).toBe(false)
})

test('for two seconds after a queue that was too long, requests that come at once are admitted only while they would not wait too long [R14]', () => {
  const { pool, queue, passHalfSecond } = startQueue()
  passHalfSecond(430, 400)
  passHalfSecond(0, 400)
  pool.waitingCount = 60
  expect(queue.isTooLong(false)).toBe(false)
  pool.waitingCount = 70
  expect(queue.isTooLong(false)).toBe(true)
  for (let half = 0; half < 4; half++) passHalfSecond(0, 400)
  pool.waitingCount = 450
  expect(queue.isTooLong(false)).toBe(false)
})

test('of 100 requests that were admitted at the same moment under load, only those that are served soon wait for the database [R14]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { request, database } = await startPlatform()
  const hold = () => Promise.all(Array.from({ length: 20 }, () => database.pool.connect()))
  const ask = () => request({ url: '/api/facts' })
  const heldBefore = await hold()
  const before = Array.from({ length: 60 }, ask)
  await until(async () => database.pool.waitingCount === 60)
  vi.advanceTimersByTime(50)
  for (const connection of heldBefore) connection.release()
  await Promise.all(before)

  const held = await hold()
  const answers = Array.from({ length: 100 }, ask)
  await until(async () => database.pool.waitingCount > 40)
  for (const connection of held) connection.release()
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(41)
  expect(statuses.filter((status) => status === 503)).toHaveLength(59)
})

test('of 80 requests whose sessions are read by one query under load, only those that are served soon wait for the database [R14]', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { db, guest, visitor } = await startTestApp()
  const guests = await Promise.all(Array.from({ length: 80 }, () => guest()))
  const hold = () => Promise.all(Array.from({ length: 10 }, () => db.pool.connect()))
  const release = (held: Awaited<ReturnType<typeof hold>>) => held.forEach((each) => each.release())
  const heldBefore = await hold()
  const before = Array.from({ length: 60 }, () => visitor().tries(listOpenRooms))
  await until(async () => db.pool.waitingCount > 40)
  // Until the connections for the guests are no longer counted.
  vi.advanceTimersByTime(500)
  release(heldBefore)
  await Promise.all(before)

  const held = await hold()
  const answers: Promise<{ status: number }>[] = []
  for (const half of [guests.slice(0, 40), guests.slice(40)]) {
    answers.push(...half.map((each) => each.tries(listOpenRooms)))
    await delay(20)
  }
  release(held)
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
})

test('while too many wait for the database new requests get 503 and change nothing, but health, logout and answers from memory are sent [R14]', async () => {
  const { request, post, stored, database } = await startPlatform([
    ...facts,
    handle(getPage, sameForAll, { answersFromMemory: true }, async () => ({ ok: true as const })),
    handle(logout, everyone, { alwaysAnswers: true, ...oneStatement }, async () => ({ ok: true as const })),
  ])
  const held = await Promise.all(Array.from({ length: 20 }, () => database.pool.connect()))
  let answered = 0
  const waiting = Array.from({ length: 60 }, () => request({ url: '/api/facts' }).then(() => answered++))
  const isRefused = (answer?: { statusCode: number }) => answer?.statusCode === 503
  const ask = () => request({ url: '/api/facts?limit=1' })
  await until(async () => isRefused((await Promise.race([ask(), delay(100)])) ?? undefined))
  const refused = await post({ name: 'late' })
  // Those who came before still wait, so this was no time-out of the pool.
  expect(answered).toBe(0)
  expect(refused.json()).toEqual({ code: 'Unavailable', error: errors.Unavailable.error })
  expect(['1', '2', '3', '4', '5']).toContain(refused.headers['retry-after'])
  expect((await request({ url: '/api/page' })).statusCode).toBe(200)
  expect((await request({ url: '/api/page?limit=1' })).statusCode).toBe(503)
  expect((await request({ url: '/health/live' })).statusCode).toBe(200)
  expect((await request({ method: 'POST', url: '/api/logout' })).statusCode).toBe(200)
  for (const connection of held) connection.release()
  await Promise.all(waiting)
  await until(async () => (await post({ name: 'on time' })).statusCode === 201)
  expect(await stored()).toEqual(['on time'])
})

async function until(isSo: () => Promise<boolean>) {
  for (const deadline = Date.now() + 5000; !(await isSo()); await delay(20)) {
    if (Date.now() > deadline) throw new Error('It did not come about within 5 s.')
  }
}
