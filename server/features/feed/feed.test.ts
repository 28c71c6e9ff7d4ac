import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  approvePost,
  approvePosts,
  createPost,
  getFeedDay,
  getPost,
  listPendingPosts,
  submitPost,
} from '#contract/feed/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { newId, systemRandom } from '#server/platform/ids.ts'
import { auditLog } from '#server/platform/schema.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { pendingPosts, postsOfDay } from './queries.ts'
import { posts } from './schema.ts'

const hour = 60 * 60_000
const day = 24 * hour
const aPost = (content: string, more: object = {}) => ({ input: { content, authorName: 'Ana', ...more } })
const feedOf = (client: Client, offset = 0) => client.does(getFeedDay, { params: { offset: String(offset) } })
const contents = async (client: Client, offset = 0) =>
  (await feedOf(client, offset)).map(({ content }) => content)
const countPosts = async (db: Db) => (await db.select({ id: posts.id }).from(posts)).length

test('a visitor submits, an admin approves, everybody reads it under the day of approval [POST-07 POST-20 POST-23 FEED-01 FEED-08 ADM-12 API-11 API-14 API-15 API-47 PERM-03]', async () => {
  const { visitor, admin, clock } = await startTestApp()
  const reader = visitor()
  const submitted = await reader.does(submitPost, aPost('First line\n\n  second line\n'))
  expect(submitted).toEqual({ id: expect.any(String), status: 'pending', createdAt: expect.any(String) })
  expect(await feedOf(reader)).toEqual([])
  clock.advance(day)
  const boss = await admin()
  const waiting = await boss.does(listPendingPosts)
  expect(waiting).toMatchObject([{ id: submitted.id, status: 'pending', publishedAt: null }])
  const approved = await boss.does(approvePost, { params: { id: submitted.id } })
  expect(await feedOf(reader)).toEqual([approved])
  expect(await feedOf(reader, 1)).toEqual([])
  expect(await boss.does(listPendingPosts)).toEqual([])
})

test('a post carries every field of the record, its text as typed [POST-01 POST-24 POST-25 S28 S36]', async () => {
  const { person, admin } = await startTestApp()
  const author = await person()
  const content = '<b>Not bold</b>\n\n\ttab, “quotes”, 🌙 and e\u0301'
  const { id } = await author.does(
    submitPost,
    aPost(content, { type: 'premium', authorId: '0000000000', likeCount: 9 }),
  )
  const post = await author.does(getPost, { params: { id } })
  expect(post).toEqual({
    id,
    content,
    authorName: 'Ana',
    authorId: author.me.id,
    postType: 'premium',
    isVisible: true,
    imageUrl: null,
    createdAt: expect.stringMatching(/Z$/),
    publishedAt: expect.stringMatching(/Z$/),
    likeCount: 0,
    shareCount: 0,
    commentCount: 0,
    sortOrder: 0,
  })
  void admin
})

test('line breaks of every system arrive as one kind, and nothing else changes [S28]', async () => {
  const { person } = await startTestApp()
  const author = await person()
  await author.does(submitPost, aPost(' a\r\nb\r\n\r\nc ', { type: 'premium' }))
  expect(await contents(author)).toEqual([' a\nb\n\nc '])
})

test.each([
  ['visitor', undefined, 'pending', null],
  ['visitor', 'premium', 'pending', null],
  ['guest', 'premium', 'pending', 'own'],
  ['person', undefined, 'pending', 'own'],
  ['person', 'standard', 'pending', 'own'],
  ['person', 'premium', 'published', 'own'],
] as const)(
  'what a %s submits as %s is %s [POST-03 POST-08 POST-14 POST-15 POST-22 S45 S3]',
  async (who, type, status, author) => {
    const t = await startTestApp()
    const client = await t[who]()
    const answer = await client.does(submitPost, aPost('A line', type === undefined ? {} : { type }))
    expect(answer.status).toBe(status)
    const [row] = await t.db.select().from(posts)
    expect(row).toMatchObject({ authorId: author === null ? null : client.me.id })
    expect(await contents(client)).toEqual(status === 'published' ? ['A line'] : [])
  },
)

test('a setting changes who publishes at once [POST-22 S45]', async () => {
  const nobody = await startTestApp({ config: { premiumPublish: 'nobody' } })
  expect((await (await nobody.person()).does(submitPost, aPost('a', { type: 'premium' }))).status).toBe(
    'pending',
  )
  const everybody = await startTestApp({ config: { premiumPublish: 'everyone' } })
  expect((await everybody.visitor().does(submitPost, aPost('a', { type: 'premium' }))).status).toBe(
    'published',
  )
})

test.each([
  ['a blank text', { content: ' \n\u200b' }],
  ['a blank author', { authorName: '  ' }],
  ['a text over 50,000 characters', { content: 'a'.repeat(50_001) }],
  ['an author over 80 characters', { authorName: 'a'.repeat(81) }],
  ['a NUL', { content: 'a\u0000b' }],
  ['a number', { content: 5 }],
  ['an unknown type', { type: 'admin' }],
])(
  'a submission with %s is refused and stores nothing [POST-02 POST-11 POST-12 S27 S28 S31]',
  async (_what, change) => {
    const { visitor, db } = await startTestApp()
    const answer = await visitor().tries(submitPost, aPost('A line', change))
    expect(answer).toMatchObject({ status: 400, code: 'InvalidInput', error: expect.stringMatching(/\.$/) })
    expect(await countPosts(db)).toBe(0)
  },
)

test.each(['Z!mmer', ' zimmer ', 'ADMIN', 'The Zimmer', 'Z\u200bimmer', 'Boss Test'])(
  'a visitor cannot sign as %j [S45]',
  async (authorName) => {
    const { visitor, admin, db } = await startTestApp()
    await admin({ firstName: 'Boss' })
    expect(await visitor().tries(submitPost, aPost('A line', { authorName }))).toMatchObject({
      status: 400,
      code: 'AuthorNameReserved',
    })
    expect(await countPosts(db)).toBe(0)
  },
)

test('fifty equal submissions with one key are one post [R6 R7]', async () => {
  const { visitor, db } = await startTestApp()
  const headers = { 'idempotency-key': 'one' }
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => visitor().tries(submitPost, { ...aPost('Once'), headers })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  expect(await countPosts(db)).toBe(1)
})

test('the same text is taken once a day from an address [S47]', async () => {
  const { visitor, db, clock } = await startTestApp()
  await visitor().does(submitPost, aPost('Again'))
  expect(await visitor().tries(submitPost, aPost('Again'))).toMatchObject({
    status: 400,
    code: 'SubmittedAlready',
  })
  expect(await countPosts(db)).toBe(1)
  clock.advance(day + 1000)
  await visitor().does(submitPost, aPost('Again'))
})

test('an address may submit five posts in ten minutes, and let twenty wait [S47]', async () => {
  const { app, db, clock } = await startTestApp()
  let count = 0
  const submit = async () => {
    const payload = { content: `Post ${count++}`, authorName: 'Ana' }
    const answer = await app.inject({
      method: 'POST',
      url: '/api/pending-posts',
      payload,
      remoteAddress: '203.0.113.9',
    })
    return answer.statusCode
  }
  for (let i = 0; i < 5; i++) expect(await submit()).toBe(201)
  expect(await submit()).toBe(429)
  for (let round = 0; round < 3; round++) {
    clock.advance(day)
    for (let i = 0; i < 5; i++) expect(await submit()).toBe(201)
  }
  clock.advance(day)
  expect(await submit()).toBe(429)
  expect(await countPosts(db)).toBe(20)
})

test('a person may publish ten premium posts a day [S47]', async () => {
  const { person, db } = await startTestApp()
  const author = await person()
  for (let i = 0; i < 10; i++) await author.does(submitPost, aPost(`Post ${i}`, { type: 'premium' }))
  expect((await author.tries(submitPost, aPost('Post 10', { type: 'premium' }))).status).toBe(429)
  expect(await countPosts(db)).toBe(10)
})

test('the feed shows higher sort order first, then newest first, and no hidden post [FEED-17 S45 API-10]', async () => {
  const { admin, visitor, clock, db } = await startTestApp()
  const boss = await admin()
  for (const content of ['old', 'new', 'top', 'hidden']) {
    clock.advance(1000)
    await boss.does(createPost, aPost(content, { isVisible: content !== 'hidden' }))
  }
  await db.update(posts).set({ sortOrder: 1 }).where(eq(posts.content, 'top'))
  expect(await contents(visitor())).toEqual(['top', 'new', 'old'])
})

test('a negative day answers the sentence, other texts are no day [FEED-11 FEED-12 FEED-13 S29]', async () => {
  const { visitor } = await startTestApp()
  const tryDay = (offset: string) => visitor().tries(getFeedDay, { params: { offset } })
  expect(await tryDay('-1')).toMatchObject({
    status: 400,
    code: 'FutureDay',
    error: 'Future dates are not available',
  })
  for (const offset of ['1.5', 'x', '01', '1e3', '36501', '999999'])
    expect((await tryDay(offset)).status).toBe(400)
  expect((await tryDay('36500')).status).toBe(200)
})

test('a day begins and ends at midnight of the application, also when the clock is changed [FEED-14 FEED-09 R20]', async () => {
  const { admin, visitor, clock } = await startTestApp()
  clock.set('2025-10-25T21:59:58Z')
  const boss = await admin()
  await boss.does(createPost, aPost('last second of Saturday'))
  clock.set('2025-10-25T22:00:00Z')
  await boss.does(createPost, aPost('first second of Sunday'))
  clock.set('2025-10-26T22:59:58Z')
  expect(await contents(visitor())).toEqual(['first second of Sunday'])
  clock.set('2025-10-26T23:00:00Z')
  expect(await contents(visitor(), 1)).toEqual(['first second of Sunday'])
  expect(await contents(visitor(), 2)).toEqual(['last second of Saturday'])
})

test('who has a day of the feed is told that it is still the same [API-10]', async () => {
  const { admin, request } = await startTestApp()
  const boss = await admin()
  await boss.does(createPost, aPost('A line'))
  const first = await request({ url: '/api/feed/day/0' })
  expect(first.headers).toMatchObject({ 'cache-control': 'public, no-cache', etag: expect.any(String) })
  const headers = { 'if-none-match': String(first.headers.etag) }
  expect((await request({ url: '/api/feed/day/0', headers })).statusCode).toBe(304)
  await boss.does(createPost, aPost('Another line'))
  const changed = await request({ url: '/api/feed/day/0', headers })
  expect([changed.statusCode, changed.json<unknown[]>().length]).toEqual([200, 2])
})

test('a long day is read page by page, each post once [S30]', async () => {
  const { admin, visitor, db } = await startTestApp()
  const boss = await admin()
  await boss.does(createPost, aPost('one'))
  await db.execute(sql`insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'post ' || i, 'Ana', 'standard', app_now(), app_now() - (i / 2) * interval '1 second', '2025-06-10', ''
    from generate_series(1, 229) i`)
  await boss.does(createPost, aPost('two'))
  const seen: string[] = []
  let before: string | undefined
  do {
    const query = before === undefined ? {} : { before, limit: '70' }
    const answer = await visitor().tries(getFeedDay, { params: { offset: '0' }, query })
    seen.push(...(answer.body as { id: string }[]).map(({ id }) => id))
    before = answer.headers['next-before'] as string | undefined
  } while (before !== undefined)
  expect(seen).toHaveLength(231)
  expect(new Set(seen).size).toBe(231)
  expect(
    (await visitor().tries(getFeedDay, { params: { offset: '0' }, query: { before: 'nonsense' } })).status,
  ).toBe(400)
})

test.each(['visitor', 'guest', 'person'] as const)(
  'a %s can neither see what waits nor approve or create [S1 S2 S46 API-13]',
  async (who) => {
    const t = await startTestApp()
    const client = await t[who]()
    const { id } = await t.visitor().does(submitPost, aPost('waits'))
    const status = who === 'visitor' ? 401 : 403
    expect((await client.tries(listPendingPosts)).status).toBe(status)
    expect((await client.tries(approvePost, { params: { id } })).status).toBe(status)
    expect((await client.tries(approvePosts, { input: { postIds: [id] } })).status).toBe(status)
    expect((await client.tries(createPost, aPost('mine'))).status).toBe(status)
    expect((await t.db.select().from(posts)).map(({ publishedAt }) => publishedAt)).toEqual([null])
  },
)

test('an admin creates a post that stands in the feed at once, as its author [API-13 ADM-16 S3]', async () => {
  const { admin, visitor } = await startTestApp()
  const boss = await admin()
  const post = await boss.does(
    createPost,
    aPost('From the house', { authorId: '0000000000', imageUrl: '/assets/lamp.svg' }),
  )
  expect(post).toMatchObject({
    postType: 'admin',
    isVisible: true,
    authorId: boss.me.id,
    imageUrl: '/assets/lamp.svg',
  })
  expect(await contents(visitor())).toEqual(['From the house'])
})

test.each([
  'https://evil.example/x.png',
  '//evil.example/x.png',
  '/\\evil.example',
  'x.png',
  'javascript:alert(1)',
])('an image from %s is refused and nothing is stored [S36]', async (imageUrl) => {
  const { admin, db } = await startTestApp()
  const boss = await admin()
  expect((await boss.tries(createPost, aPost('a', { imageUrl }))).status).toBe(400)
  expect(await countPosts(db)).toBe(0)
})

test('many posts are approved at once or not at all [ADM-13 ADM-18 API-43 S46 S49]', async () => {
  const { admin, visitor, db } = await startTestApp()
  const boss = await admin()
  const ids: string[] = []
  for (const content of ['a', 'b', 'c']) ids.push((await visitor().does(submitPost, aPost(content))).id)
  const unknown = newId({ clock: { now: () => new Date(), offsetMs: 0 }, random: systemRandom })
  expect(await boss.tries(approvePosts, { input: { postIds: [...ids, unknown] } })).toMatchObject({
    status: 400,
    code: 'UnknownPosts',
  })
  for (const postIds of [[], ['nonsense'], 'a', Array.from({ length: 201 }, () => ids[0])]) {
    expect((await boss.tries(approvePosts, { input: { postIds } as object })).status).toBe(400)
  }
  expect(await feedOf(visitor())).toEqual([])
  await boss.does(approvePost, { params: { id: ids[0]! } })
  const { approved } = await boss.does(approvePosts, { input: { postIds: [...ids, ids[2]!] } })
  expect(approved.toSorted()).toEqual(ids.slice(1).toSorted())
  expect((await feedOf(visitor())).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  const audited = await db.select().from(auditLog).where(eq(auditLog.action, 'post-approval'))
  expect(audited.map(({ subjectId }) => subjectId).toSorted()).toEqual(ids.toSorted())
})

test('fifty approvals at once publish a post once, and later ones change nothing [R6 S45 ADM-18]', async () => {
  const { admin, visitor, db, clock } = await startTestApp()
  const boss = await admin()
  const { id } = await visitor().does(submitPost, aPost('Once'))
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => boss.tries(approvePost, { params: { id } })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await db.select().from(auditLog).where(eq(auditLog.action, 'post-approval'))).toHaveLength(1)
  const [before] = await feedOf(visitor())
  clock.advance(hour)
  expect(await boss.does(approvePost, { params: { id } })).toEqual(before)
})

test('a post that waits, is hidden or never was answers as missing [S6 SHELL-94]', async () => {
  const { admin, visitor } = await startTestApp()
  const boss = await admin()
  const waiting = await visitor().does(submitPost, aPost('waits'))
  const hidden = await boss.does(createPost, aPost('hidden', { isVisible: false }))
  const answers = await Promise.all(
    [waiting.id, hidden.id, hidden.id.replace(/.$/, '0'), 'nonsense', '1'].map((id) =>
      visitor().tries(getPost, { params: { id } }),
    ),
  )
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, code: 'PostNotFound' })
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
})

test('at 20,000 posts a day of the feed and the pending list are read from their index, unsorted', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'post ' || i, 'Ana', 'standard', now(), case when i % 50 = 0 then null else now() - i * interval '1 minute' end,
      case when i % 50 = 0 then null else (now() - i * interval '1 minute')::date end, ''
    from generate_series(1, 20000) i`)
  await db.execute(sql`analyze posts`)
  const planOf = async (query: { getSQL(): ReturnType<typeof sql> }) => {
    const { rows } = await db.execute<{ 'QUERY PLAN': string }>(sql`explain ${query.getSQL()}`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  const today = new Date(Date.now() - day).toISOString().slice(0, 10)
  const feed = await planOf(postsOfDay(db, today).limit(201))
  expect(feed).toContain('posts_of_feed_day')
  expect(feed).not.toContain('Sort')
  const pending = await planOf(pendingPosts(db).limit(50))
  expect(pending).toContain('posts_pending')
  expect(pending).not.toContain('Sort')
})

const poemsFile = join(import.meta.dirname, '../../../../shared/data/leaves-of-grass.jsonl')
const hasPoems = existsSync(poemsFile)
if (!hasPoems) console.log('Skipped: the collection of poems is not on this machine.')

test.skipIf(!hasPoems)(
  'a whole book of poems goes through review and comes back byte for byte',
  { timeout: 120_000 },
  async () => {
    const { person, admin, visitor, clock } = await startTestApp({ config: { limitsRates: false } })
    const poems = readFileSync(poemsFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { content: string })
    const authors = [await person(), await person(), await person()]
    const ids: string[] = []
    for (const [line, { content }] of poems.entries()) {
      ids.push((await authors[line % authors.length]!.does(submitPost, aPost(content))).id)
    }
    const batches = [ids.slice(0, 150), ids.slice(150, 300), ids.slice(300)]
    for (const postIds of batches) {
      clock.advance(day)
      // An admin's session ends within the day.
      await (await admin()).does(approvePosts, { input: { postIds } })
    }
    const read = new Map<string, string>()
    for (const offset of [0, 1, 2])
      for (const { id, content } of await feedOf(visitor(), offset)) read.set(id, content)
    expect(ids.map((id) => read.get(id))).toEqual(poems.map(({ content }) => content))
  },
)
