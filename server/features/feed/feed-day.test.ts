import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createPost, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import { testClock } from '#server/platform/clock.ts'
import { planOf } from '#server/testing/plan.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { countFeedDaysAnew, listPostsOfDay } from './queries.ts'
import { posts } from './schema.ts'

const dayAt = (offset: number) => ({ params: { offset: String(offset) } })
const textsOn = async (reader: Client, offset: number) =>
  (await reader.does(getFeedDay, dayAt(offset))).map(({ content }) => content)

/** Publishes a text at the moment of the clock. */
const publish = (by: Client, content: string) =>
  by.does(submitPost, { input: { content, authorName: 'Ana', type: 'premium' } })

test('everybody reads the same days: offset 0 is today, and older days have larger offsets [FEED-02 FEED-08 FEED-09 API-10 POST-01]', async () => {
  const { visitor, guest, person, admin, clock } = await startTestApp()
  const ana = await person()
  await publish(ana, 'on the 10th')
  clock.set('2025-06-11T09:00:00Z')
  await publish(ana, 'on the 11th')
  clock.set('2025-06-13T09:00:00Z')
  await publish(ana, 'on the 13th')
  for (const reader of [visitor(), await guest(), ana, await admin()]) {
    expect(await textsOn(reader, 0)).toEqual(['on the 13th'])
    expect(await textsOn(reader, 1)).toEqual([])
    expect(await textsOn(reader, 2)).toEqual(['on the 11th'])
    expect(await textsOn(reader, 3)).toEqual(['on the 10th'])
    expect(await textsOn(reader, 36_500)).toEqual([])
  }
  const [post] = await visitor().does(getFeedDay, dayAt(0))
  expect(post).toEqual({
    id: expect.any(String),
    content: 'on the 13th',
    authorName: 'Ana',
    authorId: null,
    postType: 'premium',
    isVisible: true,
    imageUrl: null,
    createdAt: expect.stringMatching(/^2025-06-13T09:00:/),
    publishedAt: expect.stringMatching(/^2025-06-13T09:00:/),
    editedAt: null,
    category: null,
    tags: [],
    form: null,
    likeCount: 0,
    shareCount: 0,
    commentCount: 0,
    sortOrder: 0,
    authorHasPage: false,
  })
})

test.each(['-1', '-36500', '-999999999'])(
  'a reader who asks for day %s gets the sentence that future dates are not available [FEED-12 FEED-13 S29]',
  async (offset) => {
    const { visitor } = await startTestApp()
    const answer = await visitor().tries(getFeedDay, { params: { offset } })
    expect(answer).toMatchObject({
      status: 400,
      code: 'FutureDay',
      error: 'Future dates are not available',
    })
  },
)

test.each(['36501', '999999999', '1.5', '+1', '01', '-0', '1e2', '0x1', 'today', '٣', '%20', "1'--"])(
  'a reader who asks for day %s is refused, because it is not a day of the feed [S29 S32]',
  async (offset) => {
    const { request } = await startTestApp()
    const answer = await request({
      url: `/api/feed/day/${offset === '%20' ? offset : encodeURIComponent(offset)}`,
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'InvalidInput', error: expect.any(String) })
  },
)

test.each([
  [
    'the night the clocks go forward',
    ['2025-03-29T22:59:00Z', '2025-03-29T23:01:00Z', '2025-03-30T21:59:00Z', '2025-03-30T22:01:00Z'],
  ],
  [
    'the night the clocks go back',
    ['2025-10-25T21:59:00Z', '2025-10-25T22:01:00Z', '2025-10-26T22:59:00Z', '2025-10-26T23:01:00Z'],
  ],
] as const)(
  'a day of the feed is a calendar day in the time zone of the application, also in %s [FEED-14 R20]',
  async (_what, [before, first, last, after]) => {
    const clock = testClock(before)
    const { visitor, person } = await startTestApp({ clock })
    const ana = await person()
    await publish(ana, 'the evening before')
    clock.set(first)
    await publish(ana, 'first of the day')
    expect(await textsOn(visitor(), 0)).toEqual(['first of the day'])
    clock.set(last)
    await publish(ana, 'last of the day')
    expect(await textsOn(visitor(), 0)).toEqual(['last of the day', 'first of the day'])
    clock.set(after)
    expect(await textsOn(visitor(), 0)).toEqual([])
    expect(await textsOn(visitor(), 1)).toEqual(['last of the day', 'first of the day'])
    expect(await textsOn(visitor(), 2)).toEqual(['the evening before'])
  },
)

test('an instance that changes its time zone computes the days of all posts again [FEED-14]', async () => {
  const { db, visitor, person, clock } = await startTestApp()
  clock.set('2025-06-10T23:30:00Z')
  await publish(await person(), 'half past one in Berlin')
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'Line ' || n, 'Ana', 'admin', at, at, (at at time zone 'Europe/Berlin')::date, n::text
    from generate_series(1, 12000) n, lateral (select timestamptz '2025-05-01 22:30Z' + n * interval '1 minute' as at) t`)
  await visitor().does(getFeedDay, dayAt(0))
  const wrongDays = async (zone: string) =>
    db.$count(posts, sql`published_on <> (published_at at time zone ${zone})::date`)
  expect(await wrongDays('Europe/Berlin')).toBe(0)
  await countFeedDaysAnew(db, 'America/Los_Angeles')
  expect(await wrongDays('America/Los_Angeles')).toBe(0)
  await countFeedDaysAnew(db, 'America/Los_Angeles')
  await countFeedDaysAnew(db, 'Europe/Berlin')
  expect(await wrongDays('Europe/Berlin')).toBe(0)
})

test('a day is ordered by sortOrder, then newest first, and its pages together hold every post once [FEED-17 API-10 S30]', async () => {
  const { db, visitor } = await startTestApp()
  // Many posts share a time and a sortOrder, so that the id decides.
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, sort_order, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Line ' || n, 'Ana', 'admin', at, at,
      '2025-06-10', n % 3 - 1, n::text
    from generate_series(1, 450) n, lateral (select timestamptz '2025-06-10 08:00Z' + n / 20 * interval '1 ms' as at) t`)
  const all = await db.select({ id: posts.id, sortOrder: posts.sortOrder, at: posts.publishedAt }).from(posts)
  const expected = all
    .toSorted((a, b) => b.sortOrder - a.sortOrder || b.at!.localeCompare(a.at!) || b.id.localeCompare(a.id))
    .map(({ id }) => id)
  const reader = visitor()
  const read = async (query: { limit?: string }) => {
    const found: string[] = []
    const sizes: number[] = []
    let before: string | undefined
    do {
      const answer = await reader.tries(getFeedDay, {
        ...dayAt(0),
        query: { ...query, ...(before && { before }) },
      })
      const page = answer.body as { id: string }[]
      found.push(...page.map(({ id }) => id))
      sizes.push(page.length)
      before = answer.headers['next-before'] as string | undefined
    } while (before !== undefined)
    return { found, sizes }
  }
  expect(await read({})).toEqual({ found: expected, sizes: [200, 200, 50] })
  expect(await read({ limit: '5000' })).toEqual({ found: expected, sizes: [200, 200, 50] })
  expect(await read({ limit: '150' })).toEqual({ found: expected, sizes: [150, 150, 150] })
})

test.each([
  ['limit', '0'],
  ['limit', '-1'],
  ['limit', '1.5'],
  ['limit', 'all'],
  ['before', ''],
  ['before', 'x'],
  ['before', '0_2025-06-10T08:00:00.000Z'],
  ['before', '0_2025-02-30T08:00:00.000Z_00000000-0000-7000-8000-000000000001'],
  ['before', '0_0000-01-01T08:00:00.000Z_00000000-0000-7000-8000-000000000001'],
  ['before', '99999999999_2025-06-10T08:00:00.000Z_00000000-0000-7000-8000-000000000001'],
  ['before', "0_2025-06-10T08:00:00.000Z_' or 1=1"],
])('a page of the feed with %s=%s is refused [S30 S32]', async (name, value) => {
  const { request } = await startTestApp()
  const answer = await request({ url: '/api/feed/day/0', query: { [name]: value } })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 'InvalidInput' })
})

test('a day of the feed says its date, on each page of it and from the cache, also after midnight [LOOP-22]', async () => {
  const { request, clock } = await startTestApp()
  const dateOf = async (path: string) => (await request({ url: `/api/feed/day/${path}` })).headers['feed-day']
  for (const path of ['0', '0', '0?limit=5']) expect(await dateOf(path)).toBe('2025-06-10')
  expect(await dateOf('3')).toBe('2025-06-07')
  clock.set('2025-06-10T22:00:01Z')
  for (const path of ['0', '0', '0?limit=5']) expect(await dateOf(path)).toBe('2025-06-11')
  expect(await dateOf('3')).toBe('2025-06-08')
})

test('a reader opens a public post by its address, and no post that waits, is hidden or is missing [S6 S45]', async () => {
  const { visitor, person, admin, db } = await startTestApp()
  const ana = await person()
  const { id } = await publish(ana, 'for all')
  expect(await visitor().does(getPost, { params: { id } })).toMatchObject({ id, content: 'for all' })
  const waiting = await ana.does(submitPost, { input: { content: 'waits', authorName: 'Ana' } })
  const boss = await admin()
  const hidden = await boss.does(createPost, {
    input: { content: 'hidden', authorName: 'Boss', isVisible: false },
  })
  await db.update(posts).set({ isVisible: false }).where(eq(posts.id, hidden.id))
  const missing = '00000000-0000-7000-8000-000000000001'
  const answers = await Promise.all(
    [waiting.id, hidden.id, missing, 'x', id.toUpperCase()].map((each) =>
      boss.tries(getPost, { params: { id: each } }),
    ),
  )
  for (const answer of answers) {
    expect(answer.status).toBe(404)
    expect(answer.body).toEqual(answers[2]!.body)
  }
  expect(await textsOn(boss, 0)).toEqual(['for all'])
})

test('a deleted person is named in the feed no longer, from the next request on [S15]', async () => {
  const { visitor, person } = await startTestApp()
  const ana = await person()
  await publish(ana, 'stays')
  await visitor().does(getFeedDay, dayAt(0))
  await ana.request({ method: 'DELETE', url: '/api/delete-account' })
  expect(await visitor().does(getFeedDay, dayAt(0))).toMatchObject([
    { content: 'stays', authorName: 'Deleted user', authorId: null },
  ])
})

test('a later page of a long day is read from the index, without a sort [FEED-17 S30]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'Line ' || n, 'Ana', 'admin', at, at, at::date, n::text
    from generate_series(1, 20000) n, lateral (select timestamptz '2025-06-10 23:59Z' - n * interval '1 minute' as at) t`)
  await db.execute(sql`analyze posts`)
  const before = {
    sortOrder: 0,
    publishedAt: '2025-06-05T12:00:00.000Z',
    id: '00000000-0000-7000-8000-000000000001',
  }
  const plan = await planOf(db, listPostsOfDay(db, '2025-06-05', { limit: 201, before }))
  expect(plan).toContain('posts_of_feed_day')
  expect(plan).not.toContain('Sort')
  // How Postgres looks for the author of a post depends on how many people it saw before in this database.
  const [scanOfPosts] = plan.split('SubPlan')
  // The suspensions are read once.
  expect(scanOfPosts!.match(/Filter: .*/g)).toEqual([expect.stringMatching(/hashed $/)])
})
