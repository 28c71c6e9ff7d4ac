import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { getFeedDay, submitPost } from '#contract/feed/endpoints.ts'
import { Post } from '#contract/feed/post.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { PreparedAnswers } from '#server/platform/http/prepared-answers.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { createFeedDays, type FeedDays } from './feed-days.ts'
import { posts } from './schema.ts'

const dayAt = (offset: number) => ({ params: { offset: String(offset) } })
const textsOn = async (reader: Client, offset: number) =>
  (await reader.does(getFeedDay, dayAt(offset))).map(({ content }) => content)

/** Publishes a text at the moment of the clock. */
const publish = (by: Client, content: string) =>
  by.does(submitPost, { input: { content, authorName: 'Ana', type: 'premium' } })

test('the feed day may be kept, and asks again: 304 while it is the same, new once it changes [API-10 S38]', async () => {
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

const todaysText = async (feedDays: FeedDays) => (await feedDays.get(0)).prepared.plain.toString()
const megabytes = (count: number) => count * 1024 * 1024

/** The real database, with its readings counted. */
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

test('a day is read once for all who come, kept by its content, and evicted when other days need the memory [FEED-08]', async () => {
  const { db, clock, person } = await startTestApp()
  await publish(await person(), 'first')
  const { counter, database } = counted(db)
  const feedDays = createFeedDays({
    database,
    clock,
    timeZone: 'Europe/Berlin',
    answers: new PreparedAnswers(megabytes(1)),
  })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const found = await Promise.all(Array.from({ length: 100 }, () => feedDays.get(0)))
  expect([counter.readings, new Set(found).size]).toEqual([1, 1])
  const [first] = found
  expect(Post.safeParse((JSON.parse(first!.prepared.plain.toString()) as unknown[])[0]).success).toBe(true)

  // Another process publishes: its message may be lost, the age of what is kept is not.
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

test('a reading that began before a change answers who waits for it, and is not kept [R5]', async () => {
  const { db, clock, person } = await startTestApp()
  const ana = await person()
  const feedDays = createFeedDays({
    database: db,
    clock,
    timeZone: 'Europe/Berlin',
    answers: new PreparedAnswers(megabytes(100)),
  })
  const early = feedDays.get(0)
  await publish(ana, 'just now')
  feedDays.drop('2025-06-10')
  await early
  expect(await todaysText(feedDays)).toContain('just now')
})
