import { sql } from 'drizzle-orm'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { changeSettings } from '#contract/account/settings/endpoints.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import { changePostVisibility } from '#contract/feed/review/endpoints.ts'
import { createRoom } from '#contract/rooms/endpoints.ts'
import { defaultInstance } from '#server/features/instance/index.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { Server } from '#server/platform/http/server.ts'
import { aRoom } from '#server/testing/rooms.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { addSitemap } from './sitemap.ts'
import { listPostsInOrder, listStoriesInOrder } from './sitemap-queries.ts'
import { childrenOf, parseXml, textOf } from './testing.ts'

const origin = 'https://zimmer.example'
const timeZone = 'Europe/Berlin'
const start = () => startTestApp({ config: { limitsRates: false, publicOrigin: origin } })

/** The paths in a sitemap, each with its last change. */
function read(document: string): [path: string, changedAt: string | undefined][] {
  const root = parseXml(document)
  return childrenOf(root, root.name === 'urlset' ? 'url' : 'sitemap').map((entry) => {
    const address = textOf(entry, 'loc')!
    expect(address.startsWith(`${origin}/`)).toBe(true)
    return [address.slice(origin.length), textOf(entry, 'lastmod')]
  })
}

test('a search engine finds every public page with its last change, and no other [PUB-03 PUB-08]', async () => {
  const { person, admin, clock, request } = await start()
  const [ana, boss] = [await person({ firstName: 'Ana', lastName: 'Lima' }), await admin()]
  const sitemap = async () => {
    const { statusCode, headers, body } = await request({
      url: '/sitemap.xml',
      headers: { host: 'evil.example' },
    })
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
    return read(body)
  }
  expect(await sitemap()).toEqual([
    ['/about', undefined],
    ['/privacy', undefined],
    ['/dashboard', undefined],
    ['/projects/finished', undefined],
  ])
  const submit = (content: string, authorName = 'Ana Lima') =>
    ana.does(submitPost, { input: { content, authorName } })
  const { id } = await submit('A poem')
  const { publishedAt } = await boss.does(approvePost, { params: { id } })
  await submit('Still waiting')
  const { id: hidden } = await submit('Hidden')
  await boss.does(approvePost, { params: { id: hidden } })
  await boss.does(changePostVisibility, { params: { id: hidden }, input: { isVisible: false } })
  const { id: story } = await ana.does(createRoom, { input: aRoom({ duration: 15 }) })
  await ana.does(createRoom, { input: aRoom({ duration: 15, isPublic: false }) })
  clock.advance(16 * 60_000)
  await ana.does(createRoom, { input: aRoom() })
  const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const found = await sitemap()
  expect(found).toEqual([
    ['/about', undefined],
    ['/privacy', undefined],
    ['/dashboard', publishedAt],
    ['/projects/finished', instant],
    [`/posts/${id}`, publishedAt],
    [`/people/${ana.me.id}`, publishedAt],
    [`/stories/${story}`, instant],
  ])
  await ana.does(changeSettings, { input: { hasPage: false } })
  await boss.does(changeSettings, { input: { hasPage: true } })
  expect(await sitemap()).toEqual(found.with(5, [`/people/${boss.me.id}`, boss.me.createdAt]))
})

const addRows = async (db: Db, count: number) => {
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, sort_order, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'A line', 'Ana Lima', 'standard', at, at,
      (at at time zone ${timeZone})::date, n % 2, n::text
    from generate_series(1, ${count}::int) n, lateral (select timestamptz '2025-06-10 00:00Z' - (n / 2) * interval '37 minutes' as at) t`)
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Story', 'd', true, 30, at - interval '30 minutes', at
    from generate_series(1, ${count}::int) n, lateral (select timestamptz '2025-06-10 00:00Z' - (n / 2) * interval '37 minutes' as at) t`)
  await db.execute(sql`
    insert into users (id, username, first_name, has_page, created_at)
    select lpad(n::text, 10, '0'), 'person' || n, 'Ana', n % 3 > 0, app_now() from generate_series(1, ${count}::int) n`)
}

/** Serves a sitemap with parts so small that some hundred rows need many of them. Returns a function that reads a part. */
function startSmallParts({ db, config }: Awaited<ReturnType<typeof start>>) {
  const app = Fastify()
  onTestFinished(() => app.close())
  const server = { app, traffic: { reserveStreamed: () => {} } } as unknown as Server
  addSitemap(server, { config, database: db, instance: defaultInstance, maxOfFile: 100 })
  return async (url: string) => read((await app.inject({ url })).body)
}

test('a large instance has an index of parts, which together list every page once [PUB-08 R24]', async () => {
  const t = await start()
  const { db, request } = t
  await addRows(db, 250)
  const whole = read((await request({ url: '/sitemap.xml' })).body)
  expect(whole).toHaveLength(4 + 250 + 167 + 250)
  const get = startSmallParts(t)
  const parts = await get('/sitemap.xml')
  expect(parts).toHaveLength(1 + 3 * 3)
  const found = []
  for (const [path] of parts) {
    const part = await get(path)
    expect(part.length).toBeLessThanOrEqual(100)
    found.push(...part)
  }
  expect(found).toEqual(whole)
  for (const query of [
    'posts=x',
    'posts=0_2025-02-30T00:00:00.000Z_x',
    'people=%00',
    'stories=1',
    'posts=1&posts=2',
  ])
    expect([query, (await request({ url: `/sitemap.xml?${query}` })).statusCode]).toEqual([query, 400])
})

test('the index of a large instance names no empty part [PUB-08]', async () => {
  const t = await start()
  const { db } = t
  await addRows(db, 250)
  await db.execute(sql`delete from rooms`)
  await db.execute(sql`update users set has_page = false where id < lpad('101', 10, '0')`)
  const get = startSmallParts(t)
  const parts = await get('/sitemap.xml')
  const sizes = []
  for (const [path] of parts) sizes.push((await get(path)).length)
  expect(sizes).toEqual([4, 100, 100, 50, expect.any(Number), expect.any(Number)])
  expect(Math.min(...sizes)).toBeGreaterThan(0)
})

test('a part of a sitemap and its start are read from an index without a sort [PUB-08 S30]', async () => {
  const { db } = await start()
  // Postgres takes half of the posts for hidden ones. Of fewer posts, a part would be most of what it expects.
  await addRows(db, 40_000)
  await db.execute(sql`vacuum analyze posts`)
  await db.execute(sql`vacuum analyze rooms`)
  const time = '2025-01-01T12:00:00.000Z'
  const id = '00000000-0000-7000-8000-000000000001'
  const place = { createdAt: time, publishedAt: time, id, sortOrder: 0 }
  for (const range of [{ limit: 1000 }, { offset: 9999, limit: 2 }])
    for (const after of [undefined, place]) {
      const planOf = async (query: { getSQL: () => ReturnType<typeof sql> }) =>
        JSON.stringify((await db.execute(sql`explain ${query.getSQL()}`)).rows)
      const plans = [
        await planOf(listPostsInOrder(db, timeZone, after, range)),
        await planOf(listStoriesInOrder(db, after, range)),
      ]
      expect(plans[0]).toMatch(/Index (Only )?Scan using posts_of_feed_day/)
      expect(plans[1]).toMatch(/Index (Only )?Scan using rooms_public_by_end/)
      for (const plan of plans) expect(plan).not.toContain('Sort')
    }
})
