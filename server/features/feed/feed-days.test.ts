import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { Post } from '#contract/feed/post.ts'
import { DomainEvents } from '#server/domain-events.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { createLocalBus } from '#server/platform/live/bus.ts'
import { AnswerCache } from '#server/platform/http/answers/answer-cache.ts'
import type { Prepared } from '#server/platform/http/answers/prepared.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { createFeedDays, type FeedDays } from './feed-days.ts'
import { posts } from './schema.ts'

const dayAt = (offset: number) => ({ params: { offset: String(offset) } })
const textsOn = async (reader: Client, offset: number) =>
  (await reader.does(getFeedDay, dayAt(offset))).map(({ content }) => content)

/** Publishes a text at the moment of the clock. */
const publish = (by: Client, content: string) =>
  by.does(submitPost, { input: { content, authorName: 'Ana', type: 'premium' } })

test('a browser caches a feed day and revalidates it: 304 while the day is the same, the new day once it changed [API-10 S38]', async () => {
  const { request, visitor, person } = await startTestApp()
  const ana = await person()
  await publish(ana, 'first')
  const headers = (more: Record<string, string>) => ({ url: '/api/feed/day/0', headers: more })
  const plain = await request(headers({}))
  expect(plain.headers).toMatchObject({ 'cache-control': 'public, no-cache', vary: 'accept-encoding' })
  expect(plain.headers['set-cookie']).toBeUndefined()
  const etag = plain.headers.etag!
  for (const [encoding, open] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const answer = await request(headers({ 'accept-encoding': encoding }))
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(open(answer.rawPayload).toString()).toBe(plain.body)
  }
  const same = await request(headers({ 'if-none-match': etag }))
  expect([same.statusCode, same.body, same.headers.etag]).toEqual([304, '', etag])
  await publish(ana, 'second')
  const changed = await request(headers({ 'if-none-match': etag }))
  expect([changed.statusCode, changed.json()]).toMatchObject([
    200,
    [{ content: 'second' }, { content: 'first' }],
  ])
  expect(await textsOn(visitor(), 0)).toEqual(['second', 'first'])
})

const textOf = async (prepared: Prepared) => (await prepared.in('plain')).toString()
const todaysText = async (feedDays: FeedDays) => textOf((await feedDays.get(0)).prepared)
const megabytes = (count: number) => count * 1024 * 1024

/** The real database. It counts how often a day is read. */
function counted(db: Database) {
  const counter = { readings: 0 }
  const database = new Proxy(db, {
    get(target, name, receiver) {
      if (name === 'select') counter.readings++
      return Reflect.get(target, name, receiver) as unknown
    },
  })
  return { counter, database }
}

test('many readers of a day cause one read of the database, and the day is evicted when other days need the memory [FEED-08]', async () => {
  const { db, clock, person } = await startTestApp()
  await publish(await person(), 'first')
  const { counter, database } = counted(db)
  const feedDays = createFeedDays({
    database,
    clock,
    timeZone: 'Europe/Berlin',
    answers: new AnswerCache({ memory: megabytes(1), bus: createLocalBus(), clock }),
    events: new DomainEvents(),
  })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const found = await Promise.all(Array.from({ length: 100 }, () => feedDays.get(0)))
  expect([counter.readings, new Set(found).size]).toEqual([1, 1])
  const [first] = found
  expect(Post.safeParse((JSON.parse(await textOf(first!.prepared)) as unknown[])[0]).success).toBe(true)

  // Another process publishes a post. Its message may be lost, but the cached day expires all the same.
  vi.advanceTimersByTime(6000)
  const again = await feedDays.get(0)
  expect([counter.readings, again.prepared === first!.prepared]).toEqual([2, true])
  await db.update(posts).set({ content: 'changed elsewhere' })
  expect(await todaysText(feedDays)).toContain('first')
  vi.advanceTimersByTime(6000)
  expect(await todaysText(feedDays)).toContain('changed elsewhere')
  expect(counter.readings).toBe(3)

  for (let offset = 1; offset <= 400; offset++) await feedDays.get(offset)
  await feedDays.get(0)
  expect(counter.readings).toBe(404)
})

test('a read that began before a change answers the readers who wait for it, and is not cached [R5]', async () => {
  const { db, clock, person } = await startTestApp()
  const ana = await person()
  const events = new DomainEvents()
  const feedDays = createFeedDays({
    database: db,
    clock,
    timeZone: 'Europe/Berlin',
    answers: new AnswerCache({ memory: megabytes(100), bus: createLocalBus(), clock }),
    events,
  })
  const early = feedDays.get(0)
  await publish(ana, 'just now')
  events.emit('feedDayChanged', '2025-06-10')
  await early
  expect(await todaysText(feedDays)).toContain('just now')
})
