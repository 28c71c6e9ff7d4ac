import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { approvePost, createPost, submitPost } from '#contract/feed/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { createRoom } from '#contract/rooms/endpoints.ts'
import { feedFormats, type FeedOf, feedPath } from '#contract/syndication/paths.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { takeEndedStories } from './hub.ts'

const origin = 'https://zimmer.example'
const minuteMs = 60_000
/** A busy machine may be late by much. */
const patience = { timeout: 60_000 }
vi.setConfig({ testTimeout: 180_000 })
const addressesOf = (of: FeedOf) => feedFormats.map((format) => origin + feedPath(of, format))

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const accept: Answer = (_request, response) => response.writeHead(204).end()

/** A hub that gives this answer, and records the feeds that it is notified of. */
async function startHub(answer: Answer = accept) {
  const hub = { notified: [] as string[], requests: [] as string[], answer }
  const server = createServer(async (request, response) => {
    hub.requests.push(`${request.method} ${request.url} ${request.headers['content-type']}`)
    const sent = new URLSearchParams(await text(request))
    expect(sent.get('hub.mode')).toBe('publish')
    hub.notified.push(sent.get('hub.url')!)
    hub.answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/publish`
  /** Waits until the hub was notified of exactly these feeds since the last call. */
  const expectNotified = async (...feeds: FeedOf[]) => {
    const expected = feeds.flatMap(addressesOf).toSorted()
    await expect.poll(() => hub.notified.toSorted(), patience).toEqual(expected)
    hub.notified.length = 0
  }
  return { hub, address, expectNotified }
}

async function startWith(webSubHub: string) {
  const t = await startTestApp({ config: { limitsRates: false, publicOrigin: origin, webSubHub } })
  const [ana, boss] = [await t.person({ firstName: 'Ana', lastName: 'Lima' }), await t.admin()]
  const submit = async (content: string, more = {}) =>
    (await ana.does(submitPost, { input: { content, authorName: 'Ana Lima', ...more } })).id
  const change = (id: string, isVisible: boolean) =>
    boss.does(changePostVisibility, { params: { id }, input: { isVisible } })
  return { ...t, ana, boss, submit, change, ofAna: { kind: 'person', id: ana.me.id } as const }
}

const posts: FeedOf = { kind: 'posts' }
const stories: FeedOf = { kind: 'stories' }

test('the hub is notified when a post is published, approved or shown again, and of no other post [PUB-12]', async () => {
  const { hub, address, expectNotified } = await startHub()
  const { boss, submit, change, ofAna } = await startWith(address)
  const waiting = await submit('Waits')
  await submit('Published at once', { type: 'premium' })
  await expectNotified(posts, ofAna)
  await boss.does(createPost, {
    input: { content: 'Hidden', authorName: 'Boss', postType: 'admin', isVisible: false },
  })
  await boss.does(approvePost, { params: { id: waiting } })
  await expectNotified(posts, ofAna)
  await change(waiting, false)
  await boss.does(createPost, { input: { content: 'By an admin', authorName: 'Boss', postType: 'admin' } })
  await expectNotified(posts)
  await change(waiting, true)
  await expectNotified(posts, ofAna)
  expect(new Set(hub.requests)).toEqual(
    new Set(['POST /publish application/x-www-form-urlencoded;charset=UTF-8']),
  )
})

test('the hub does not learn who wrote under a pen name, nor the feed of an author without a page [PUB-03 PUB-12]', async () => {
  const { hub, address, expectNotified } = await startHub()
  const { ana, submit, ofAna } = await startWith(address)
  await submit('By a pen name', { type: 'premium', authorName: 'Night Owl' })
  await expectNotified(posts)
  await ana.does(changeSettings, { input: { hasPage: false } })
  await submit('Signed', { type: 'premium' })
  await expectNotified(posts)
  await ana.does(changeSettings, { input: { hasPage: true } })
  await submit('Signed again', { type: 'premium' })
  await expectNotified(posts, ofAna)
  expect(hub.requests).toHaveLength(4 * feedFormats.length)
})

test('a hub that fails, redirects or does not answer is notified again, and a redirect is not followed [PUB-12]', async () => {
  const { hub, address, expectNotified } = await startHub()
  const { submit, clock, ofAna } = await startWith(address)
  const failures: Answer[] = [
    (_request, response) => response.writeHead(500).end(),
    (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end(),
    (request) => request.socket.destroy(),
  ]
  for (const [n, failure] of failures.entries()) {
    hub.answer = failure
    await submit(`A poem ${n}`, { type: 'premium' })
    await expect.poll(() => hub.notified.length, patience).toBeGreaterThan(0)
    hub.answer = accept
    hub.notified.length = 0
    clock.advance(10 * minuteMs)
    await expectNotified(posts, ofAna)
  }
  expect(hub.requests.filter((request) => !request.startsWith('POST /publish '))).toEqual([])
})

test('a writer does not wait for a hub that never answers [PUB-12]', async () => {
  const { hub, address } = await startHub(() => {})
  const { submit, request } = await startWith(address)
  await submit('One', { type: 'premium' })
  await expect.poll(() => hub.notified.length, patience).toBe(1)
  await submit('Two', { type: 'premium' })
  expect((await request({ url: '/feed.json' })).json<{ items: unknown[] }>().items).toHaveLength(2)
})

test('the hub is notified once when public stories end, by one of all processes [PUB-12]', async () => {
  const { address, expectNotified } = await startHub()
  const { ana, boss, clock, db } = await startWith(address)
  expect(await takeEndedStories(db)).toBe(false)
  await boss.does(createRoom, { input: aRoom({ duration: 15, isPublic: false }) })
  clock.advance(16 * minuteMs)
  expect(await takeEndedStories(db)).toBe(false)
  await ana.does(createRoom, { input: aRoom({ duration: 15 }) })
  clock.advance(16 * minuteMs)
  await expectNotified(stories)
  expect(await takeEndedStories(db)).toBe(false)
})

test('of many processes that look for finished stories one finds them [PUB-12]', async () => {
  const { person, clock, db } = await startTestApp()
  const ana = await person()
  await takeEndedStories(db)
  await ana.does(createRoom, { input: aRoom({ duration: 15 }) })
  clock.advance(16 * minuteMs)
  const found = await Promise.all(Array.from({ length: 10 }, () => takeEndedStories(db)))
  expect(found.filter(Boolean)).toHaveLength(1)
})

test('feeds name the hub of the settings, and without one they name none [PUB-12]', async () => {
  for (const webSubHub of [undefined, 'https://hub.example/?a=1&b']) {
    const { request } = await startTestApp({ config: { webSubHub } })
    const bodies = await Promise.all(
      feedFormats.map(async (format) => (await request({ url: feedPath(stories, format) })).body),
    )
    const named = [
      'rel="hub" href="https://hub.example/?a=1&amp;b"',
      '"type":"WebSub","url":"https://hub.example/?a=1&b"',
    ]
    expect(bodies.map((body) => named.some((each) => body.includes(each)))).toEqual(
      Array(3).fill(webSubHub !== undefined),
    )
    expect(bodies.map((body) => /hub/i.test(body))).toEqual(Array(3).fill(webSubHub !== undefined))
  }
})
