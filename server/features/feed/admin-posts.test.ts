import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { countAdminUsers } from '#contract/admin/endpoints.ts'
import { approvePost, listPendingPosts } from '#contract/feed/endpoints.ts'
import {
  type AdminPost,
  changePostsVisibility,
  generateContent,
  listAdminPosts,
  listTodaysPosts,
} from '#contract/feed/review/endpoints.ts'
import { planOf } from '#server/testing/plan.ts'
import { startReview } from '#server/testing/reviewing.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { idsOfToday } from './admin-posts.ts'

test('an admin reads all posts, newest first, with their status; filters and pages keep the order [API-38 S30 ADM-18]', async () => {
  const { boss, submit, publish } = await startReview()
  const published = await publish('Published')
  const waiting = await submit('Waits')
  const hidden = await publish('Hidden')
  const aside = await submit('Set aside')
  await boss.does(changePostsVisibility, { input: { postIds: [hidden, aside], isVisible: false } })
  const idsOf = async (query: object) => (await boss.does(listAdminPosts, { query })).map(({ id }) => id)
  expect(await boss.does(listAdminPosts)).toMatchObject([
    { id: aside, status: 'pending', isVisible: false },
    { id: hidden, status: 'published', isVisible: false },
    { id: waiting, status: 'pending', isVisible: true, decidedAt: null, decidedBy: null, reason: null },
    { id: published, status: 'published', isVisible: true, decidedBy: 'Bela Reed' },
  ])
  expect(await idsOf({ status: 'pending' })).toEqual([aside, waiting])
  expect(await idsOf({ status: 'published', isVisible: 'true' })).toEqual([published])
  expect(await idsOf({ isVisible: 'false' })).toEqual([aside, hidden])
  const first = await boss.tries(listAdminPosts, { query: { limit: '3' } })
  const before = first.headers['next-before'] as string
  expect(await idsOf({ limit: '3', before })).toEqual([published])
  for (const query of [
    { status: 'x' },
    { isVisible: '1' },
    { q: 'x'.repeat(65) },
    { q: '\0' },
    { before: 'x' },
  ])
    expect(await boss.tries(listAdminPosts, { query: query as object })).toMatchObject({ status: 400 })
})

test('an admin finds posts by a part of the text or of the name, also far back, and % and _ stand for themselves [API-38]', async () => {
  const { boss, db, publish } = await startReview()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest, published_at, published_on)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      case n when 1 then 'A LANTERN in the hall' when 4500 then 'Another lantern' when 4501 then '100% wool' else 'Line' end,
      case n when 2 then 'Lanterner' else 'Ana' end, 'standard', timestamptz '2025-01-01Z' + n * interval '1 second', '',
      timestamptz '2025-01-01Z', '2025-01-01' from generate_series(1, 4501) n`)
  const newest = await publish('lantern of today')
  const find = async (q: string, more: object = {}) =>
    (await boss.does(listAdminPosts, { query: { q, ...more } })).map(({ content }) => content)
  expect(await find('lantern')).toEqual([
    'lantern of today',
    'Another lantern',
    'Line',
    'A LANTERN in the hall',
  ])
  expect(await find('0% w')).toEqual(['100% wool'])
  expect(await find('%')).toEqual(['100% wool'])
  expect(await find('_')).toEqual([])
  const first = await boss.tries(listAdminPosts, { query: { q: 'lantern', limit: '2' } })
  expect((first.body as AdminPost[]).map(({ id }) => id)[0]).toBe(newest)
  const before = first.headers['next-before'] as string
  expect(await find('lantern', { before })).toEqual(['Line', 'A LANTERN in the hall'])
})

test('a search finds letters of all scripts in any case, just as Postgres compares them [API-38]', async () => {
  const { boss, db, publish } = await startReview()
  await publish('ÜBER die Brücke in İstanbul, bei 300 \u212a')
  await publish(String.raw`50% of C:\iKing_1`)
  await publish('Дом и сад')
  const find = async (q: string) =>
    (await boss.does(listAdminPosts, { query: { q } })).map(({ content }) => ({ content }))
  for (const q of ['über DIE brü', 'ÜCKE', 'дОМ И', String.raw`% OF c:\Ik`, 'kING_'])
    expect([q, await find(q)]).toMatchObject([q, [{}]])
  for (const q of ['kINGS', 'öber', 'дым']) expect([q, await find(q)]).toEqual([q, []])
  // Whether these are found depends on the locale of the database.
  for (const q of ['in istanbul', 'IN İSTANBUL', '300 k', '300 K', '300 \u212a']) {
    const { rows } = await db.execute(sql`select content from posts where content ilike ${`%${q}%`}`)
    expect([q, await find(q)]).toEqual([q, rows])
  }
})

test('a search that takes a second answers what it has found, and the next page goes on from there [API-38 S32]', async () => {
  const { boss, clock, db } = await startReview()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, case n when 1 then 'lantern' else 'Line' end,
      'Ana', 'standard', timestamptz '2025-01-01Z' + n * interval '1 second', '' from generate_series(1, 4500) n`)
  let ms = clock.monotonicMs()
  clock.monotonicMs = () => (ms += 600)
  const found: string[] = []
  let [before, pages]: [string | undefined, number] = [undefined, 0]
  do {
    const query = { q: 'lantern', ...(before !== undefined && { before }) }
    const answer = await boss.tries(listAdminPosts, { query })
    found.push(...(answer.body as AdminPost[]).map(({ content }) => content))
    before = answer.headers['next-before'] as string | undefined
    pages++
  } while (before !== undefined)
  expect(found).toEqual(['lantern'])
  expect(pages).toBeGreaterThan(1)
})

test('a page of long texts ends after 4 MB, and the next page goes on [S30 S31]', async () => {
  const { boss, db } = await startReview()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, repeat('x', 1500000), 'Ana', 'standard', app_now() + n * interval '1 second', ''
    from generate_series(1, 5) n`)
  const first = await boss.tries(listAdminPosts)
  expect(first.body).toHaveLength(3)
  const before = first.headers['next-before'] as string
  expect(await boss.does(listAdminPosts, { query: { before } })).toHaveLength(2)
})

test('a page of a search ends after 4 MB of long texts, also when each part of the search finds one of them [S30 S31]', async () => {
  const { boss, clock, db } = await startReview()
  // The search is never over its time.
  clock.monotonicMs = () => 0
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
      case when n % 500 = 0 then n || repeat(' lantern', 190000) else 'Line' end, 'Ana', 'standard', app_now() + n * interval '1 second', ''
    from generate_series(1, 2500) n`)
  const find = async (more: object) => {
    const { body, headers } = await boss.tries(listAdminPosts, { query: { q: 'lantern', ...more } })
    return { found: (body as AdminPost[]).map(({ content }) => parseInt(content)), headers }
  }
  const first = await find({})
  expect(first.found).toEqual([2500, 2000, 1500])
  const rest = await find({ before: first.headers['next-before'] })
  expect(rest.found).toEqual([1000, 500])
  expect(rest.headers).not.toHaveProperty('next-before')
})

test('the 121st search of an admin in a minute is refused, of posts and of people together; the list of posts is not [S31 S47]', async () => {
  const { admin } = await startTestApp()
  const boss = await admin()
  const query = { q: 'a' }
  for (let n = 0; n < 60; n++) {
    await boss.does(listAdminPosts, { query })
    await boss.does(countAdminUsers, { query })
  }
  expect(await boss.tries(listAdminPosts, { query })).toMatchObject({ status: 429 })
  expect(await boss.does(listAdminPosts, { query: { q: ' ' } })).toEqual([])
})

test('a page of the queue ends after 4 MB of long texts in both orders, and the next page goes on [S30 S31]', async () => {
  const { boss, db } = await startReview()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, repeat('x', 1500000), 'Ana', 'standard', app_now() + n * interval '1 second', ''
    from generate_series(1, 5) n`)
  for (const order of ['newest', 'oldest'] as const) {
    const first = await boss.tries(listPendingPosts, { query: { order } })
    expect(first.body).toHaveLength(3)
    const before = first.headers['next-before'] as string
    const rest = await boss.tries(listPendingPosts, { query: { order, before } })
    expect(rest.body).toHaveLength(2)
    expect(rest.headers).not.toHaveProperty('next-before')
    const ids = [first, rest].flatMap(({ body }) => (body as { id: string }[]).map(({ id }) => id))
    expect(ids).toEqual(order === 'oldest' ? ids.toSorted() : ids.toSorted().toReversed())
    expect(new Set(ids).size).toBe(5)
  }
})

test("the list of today's posts has what was submitted or published today in the zone of the installation [API-39]", async () => {
  const { admin, clock, submit, publish } = await startReview()
  const early = await submit('Waits since yesterday')
  await publish('Of yesterday')
  // In Berlin it is already the 12th.
  clock.set('2025-06-11T22:30:00Z')
  // The session of the other admin has ended within the day.
  const boss = await admin()
  expect(await boss.does(listTodaysPosts)).toEqual([])
  const fresh = await submit('Of today')
  await boss.does(approvePost, { params: { id: early } })
  const listed = await boss.does(listTodaysPosts)
  expect(listed).toMatchObject([
    { id: fresh, status: 'pending' },
    { id: early, status: 'published' },
  ])
})

test('an admin generates three posts with a call without a body [API-44 API-45]', async () => {
  const { boss } = await startReview()
  const { status, body } = await boss.tries(generateContent)
  expect([status, body]).toMatchObject([201, { posts: [{}, {}, {}] }])
  expect(await boss.does(listAdminPosts)).toHaveLength(3)
})

test("the pages of today's posts end with older posts that were first shown today, also when they were hidden since [API-39 API-45]", async () => {
  const { admin, boss, clock, submit } = await startReview()
  const [old, hidden] = [await submit('Public since today'), await submit('Public since today, hidden since')]
  const { posts: made } = await boss.does(generateContent, { input: { count: 2 } })
  clock.set('2025-06-11T22:30:00Z')
  const chief = await admin()
  for (const id of [old, hidden]) await chief.does(approvePost, { params: { id } })
  const show = (postIds: string[], isVisible: boolean) =>
    chief.does(changePostsVisibility, { input: { postIds, isVisible } })
  await show([made[0]!.id], true)
  await show([hidden], false)
  const fresh = [await submit('First'), await submit('Second')]
  const { posts: hiddenStill } = await chief.does(generateContent, { input: { count: 1 } })
  const listed: string[] = []
  let before: string | undefined
  do {
    const query = { limit: '2', ...(before !== undefined && { before }) }
    const { body, headers } = await chief.tries(listTodaysPosts, { query })
    listed.push(...(body as AdminPost[]).map(({ id }) => id))
    before = headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(listed.slice(0, 3).toSorted()).toEqual([...fresh, hiddenStill[0]!.id].toSorted())
  expect(listed.slice(3).toSorted()).toEqual([old, hidden, made[0]!.id].toSorted())
})

test("the list of today's posts is read from two indexes, not out of all posts [API-39]", async () => {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest, published_at, published_on)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Line', 'Ana', 'standard', at, '', at, at::date
    from generate_series(1, 5000) n, lateral (select app_now() - n * interval '1 hour' as at) t`)
  await db.execute(sql`analyze posts`)
  const today = { day: '2025-06-10', start: new Date('2025-06-10T00:00:00Z') }
  const { submitted, publishedLater } = idsOfToday(db, today, { limit: 50, before: undefined })
  expect(await planOf(db, submitted)).toMatch(/Index.* Scan using posts_by_creation/)
  expect(await planOf(db, publishedLater)).toMatch(/Index.* Scan using posts_counted/)
})

test('an admin lists the queue oldest first, and only the posts whose week ends soon or is over [ADM-07 S30]', async () => {
  const { boss, db } = await startReview()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n || ' days', 'Ana', 'standard',
      app_now() - n * interval '1 day', '' from generate_series(0, 9) n`)
  const list = async (query: object) =>
    (await boss.does(listPendingPosts, { query })).map(({ content }) => parseInt(content))
  expect(await list({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(await list({ order: 'oldest' })).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  expect(await list({ due: 'overdue' })).toEqual([7, 8, 9])
  expect(await list({ due: 'soon', order: 'oldest' })).toEqual([9, 8, 7, 6, 5])
  const first = await boss.tries(listPendingPosts, { query: { order: 'oldest', limit: '4' } })
  const before = first.headers['next-before'] as string
  expect(await list({ order: 'oldest', limit: '4', before })).toEqual([5, 4, 3, 2])
  expect(await boss.tries(listPendingPosts, { query: { order: 'x' } as object })).toMatchObject({
    status: 400,
  })
})
