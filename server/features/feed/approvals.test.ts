import { asc, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import {
  approvePost,
  approvePosts,
  createPost,
  listPendingPosts,
  submitPost,
} from '#contract/feed/endpoints.ts'
import { getFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { auditLog } from '#server/platform/schema.ts'
import { type Client, startTestApp } from '#server/testing/test-app.ts'
import { posts } from './schema.ts'

const today = { params: { offset: '0' } }
const missing = '00000000-0000-7000-8000-000000000001'

const stored = (db: Db) => db.select().from(posts).orderBy(posts.id)
const audited = (db: Db) =>
  db
    .select({ action: auditLog.action, actorId: auditLog.actorId, subjectId: auditLog.subjectId })
    .from(auditLog)
    .orderBy(asc(auditLog.id))

async function submit(by: Client, ...texts: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const content of texts) {
    const { id } = await by.does(submitPost, { input: { content, authorName: 'Nightingale' } })
    ids.push(id)
  }
  return ids
}

test('an admin approves a waiting post, which keeps its id and appears in the feed of that day [ADM-12 ADM-18 POST-23 API-15 S49]', async () => {
  const { visitor, admin, clock, db } = await startTestApp()
  const [id] = await submit(visitor(), 'A poem\n\n  of two lines')
  clock.set('2025-06-12T09:00:00Z')
  const boss = await admin()
  expect(await visitor().does(getFeedDay, today)).toEqual([])
  const approved = await boss.does(approvePost, { params: { id: id! } })
  expect(approved).toMatchObject({
    id,
    content: 'A poem\n\n  of two lines',
    authorName: 'Nightingale',
    isVisible: true,
    createdAt: expect.stringMatching(/^2025-06-10T12:00/),
    publishedAt: expect.stringMatching(/^2025-06-12T09:00/),
  })
  expect(approved).not.toHaveProperty('status')
  expect(await visitor().does(getFeedDay, today)).toEqual([{ ...approved, authorHasPage: false }])
  expect(await visitor().does(getPost, { params: { id: id! } })).toEqual({
    ...approved,
    authorHasPage: false,
  })
  expect(await boss.does(listPendingPosts)).toEqual([])
  expect(await audited(db)).toEqual([{ action: 'post-approval', actorId: boss.me.id, subjectId: id }])
})

test('an admin who approves a post again gets the same post, and nothing changes [S45 ADM-12]', async () => {
  const { visitor, admin, clock, db } = await startTestApp()
  const [id] = await submit(visitor(), 'Once')
  const boss = await admin()
  const first = await boss.does(approvePost, { params: { id: id! } })
  clock.advance(3_600_000)
  expect(await boss.does(approvePost, { params: { id: id! } })).toEqual(first)
  expect(await boss.does(approvePosts, { input: { postIds: [id] } })).toEqual({ approved: [] })
  expect(await stored(db)).toMatchObject([{ publishedAt: first.publishedAt }])
  expect(await audited(db)).toHaveLength(1)
})

test('50 approvals of one post at the same time publish it once [R6 S45]', async () => {
  const { visitor, admin, db } = await startTestApp()
  const [id] = await submit(visitor(), 'Once')
  const boss = await admin()
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      i % 2 === 0
        ? boss.tries(approvePost, { params: { id: id! } })
        : boss.tries(approvePosts, { input: { postIds: [id] } }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await audited(db)).toHaveLength(1)
  expect(await visitor().does(getFeedDay, today)).toHaveLength(1)
})

test('an admin approves many posts with one call, and each of them counts once [ADM-13 API-43 S46 S49]', async () => {
  const { visitor, admin, db } = await startTestApp()
  const ids = await submit(visitor(), 'one', 'two', 'three', 'four')
  const boss = await admin()
  await boss.does(approvePost, { params: { id: ids[1]! } })
  const postIds = [ids[2]!, ids[0]!, ids[1]!, ids[0]!]
  const { approved } = await boss.does(approvePosts, { input: { postIds } })
  expect(approved.toSorted()).toEqual([ids[0], ids[2]].toSorted())
  const read = await visitor().does(getFeedDay, today)
  // Posts that are approved together have one time: the later submission comes first.
  expect(read.map(({ content }) => content)).toEqual(['three', 'one', 'two'])
  expect(await boss.does(listPendingPosts)).toMatchObject([{ id: ids[3], content: 'four' }])
  expect(await audited(db)).toHaveLength(3)
})

test('two admins approve the same posts in different orders, and both calls succeed [R5 R6]', async () => {
  const { visitor, admin, db } = await startTestApp()
  const texts = Array.from({ length: 30 }, (_, i) => `Line ${i}`)
  const postIds = await submit(visitor(), ...texts)
  const boss = await admin()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      boss.tries(approvePosts, { input: { postIds: i % 2 === 0 ? postIds : postIds.toReversed() } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  const changed = answers.flatMap(({ body }) => (body as { approved: string[] }).approved)
  expect(changed.toSorted()).toEqual(postIds.toSorted())
  expect(await audited(db)).toHaveLength(30)
})

test.each([
  ['an unknown id', { postIds: ['known', missing] }, 'UnknownPosts'],
  ['a text that is no id', { postIds: ['known', 'x'] }, 'InvalidInput'],
  ['a number', { postIds: ['known', 5] }, 'InvalidInput'],
  ['no post', { postIds: [] }, 'InvalidInput'],
  ['no list', { postIds: undefined }, 'InvalidInput'],
  ['201 posts', { postIds: Array.from({ length: 201 }, () => 'known') }, 'InvalidInput'],
])(
  'bulk approval with %s is refused, and nothing is approved [ADM-13 S31 S46 R5]',
  async (_what, input, code) => {
    const { visitor, admin, db } = await startTestApp()
    const [known] = await submit(visitor(), 'waits')
    const boss = await admin()
    const postIds = input.postIds?.map((id) => (id === 'known' ? known : id))
    const answer = await boss.tries(approvePosts, { input: { ...(postIds && { postIds }) } })
    expect(answer).toMatchObject({ status: 400, code })
    expect(await stored(db)).toMatchObject([{ publishedAt: null, publishedOn: null }])
    expect(await audited(db)).toEqual([])
  },
)

test.each([missing, 'x', '1'])(
  'an admin who approves the id %s gets the answer that no such post exists [S31]',
  async (id) => {
    const { admin } = await startTestApp()
    const boss = await admin()
    expect(await boss.tries(approvePost, { params: { id } })).toMatchObject({
      status: 404,
      code: 'PostNotFound',
    })
  },
)

test('a post stays unpublished when the audit log cannot store its approval [R5 S49]', async () => {
  const { visitor, admin, db } = await startTestApp()
  const [id] = await submit(visitor(), 'waits')
  const boss = await admin()
  await db.execute(sql`alter table audit_log add check (action not like 'post-%')`)
  const answers = [
    await boss.tries(approvePost, { params: { id: id! } }),
    await boss.tries(approvePosts, { input: { postIds: [id] } }),
    await boss.tries(createPost, { input: { content: 'x', authorName: 'y' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
  expect(await stored(db)).toMatchObject([{ id, publishedAt: null }])
  expect(await visitor().does(getFeedDay, today)).toEqual([])
})

test('an admin reads the waiting posts newest first, as a whole and in pages, with their status [API-14 POST-23 S30]', async () => {
  const { visitor, admin, db } = await startTestApp()
  const boss = await admin()
  const [sent] = await submit(visitor(), 'The newest\nof all')
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'Line ' || n, 'Ana', 'standard',
      timestamptz '2025-06-09 08:00Z' + n / 20 * interval '1 ms', n::text from generate_series(1, 1010) n`)
  const list = await boss.tries(listPendingPosts)
  expect(list.headers).toMatchObject({ 'cache-control': 'no-store' })
  const first = list.body as { id: string }[]
  expect(first).toHaveLength(1000)
  expect(first[0]).toEqual({
    id: sent,
    content: 'The newest\nof all',
    authorName: 'Nightingale',
    authorId: null,
    postType: 'standard',
    isVisible: true,
    imageUrl: null,
    createdAt: expect.stringMatching(/^2025-06-10T12:00:/),
    publishedAt: null,
    editedAt: null,
    category: null,
    tags: [],
    form: null,
    likeCount: 0,
    shareCount: 0,
    commentCount: 0,
    sortOrder: 0,
    status: 'pending',
    replacesId: null,
  })
  const before = list.headers['next-before'] as string
  const second = await boss.tries(listPendingPosts, { query: { before } })
  expect(second.headers['next-before']).toBeUndefined()
  const ids = [...first, ...(second.body as { id: string }[])].map(({ id }) => id)
  expect(ids).toEqual(
    (await db.select().from(posts))
      .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
      .map(({ id }) => id),
  )
  for (const bad of ['x', '2025-02-30T00:00:00.000Z_00000000-0000-7000-8000-000000000001'])
    expect(await boss.tries(listPendingPosts, { query: { before: bad } })).toMatchObject({ status: 400 })
})

test('an admin publishes an article without review, under the own id of the admin [ADM-16 API-13 S3 S49]', async () => {
  const { visitor, person, admin, db } = await startTestApp()
  const [boss, ben] = [await admin(), await person()]
  const input = {
    content: 'News of the house',
    authorName: 'The house',
    authorId: ben.me.id,
    imageUrl: '/assets/house.webp',
    likeCount: 500,
    publishedAt: '2020-01-01T00:00:00.000Z',
  }
  const answer = await boss.tries(createPost, { input })
  expect(answer).toMatchObject({
    status: 201,
    body: {
      content: 'News of the house',
      authorName: 'The house',
      authorId: boss.me.id,
      postType: 'admin',
      isVisible: true,
      imageUrl: '/assets/house.webp',
      likeCount: 0,
      publishedAt: expect.stringMatching(/^2025-06-10T12:00/),
    },
  })
  expect(await visitor().does(getFeedDay, today)).toEqual([
    { ...(answer.body as Post), authorId: null, authorHasPage: false },
  ])
  const [row] = await stored(db)
  expect(await audited(db)).toEqual([{ action: 'post-creation', actorId: boss.me.id, subjectId: row!.id }])
})

test('an article that is not visible stays out of the feed, and only the server sets its counts [POST-25 ADM-18 S45]', async () => {
  const { visitor, admin, db } = await startTestApp()
  const boss = await admin()
  const input = { content: 'Later', authorName: 'Boss', isVisible: false }
  const { id } = await boss.does(createPost, { input })
  expect(await visitor().does(getFeedDay, today)).toEqual([])
  expect((await boss.tries(getPost, { params: { id } })).status).toBe(404)
  const counts = { likeCount: 12, shareCount: 3, commentCount: 4 }
  await db
    .update(posts)
    .set({ isVisible: true, ...counts })
    .where(eq(posts.id, id))
  expect(await visitor().does(getPost, { params: { id } })).toMatchObject(counts)
})

test.each([
  ['an unknown type', { postType: 'sponsored' }],
  ['a text for isVisible', { isVisible: 'true' }],
  ['a picture of another server', { imageUrl: 'https://example.org/a.png' }],
  ['a picture of another host', { imageUrl: '//example.org/a.png' }],
  ['a script for a picture', { imageUrl: 'javascript:alert(1)' }],
  ['no text', { content: ' ' }],
])('an article with %s is refused, and nothing is stored [POST-02 S27 S36 S46]', async (_what, change) => {
  const { admin, db } = await startTestApp()
  const boss = await admin()
  const answer = await boss.tries(createPost, { input: { content: 'News', authorName: 'Boss', ...change } })
  expect(answer).toMatchObject({ status: 400, code: 'InvalidInput' })
  expect(await stored(db)).toEqual([])
})

test('an admin who loses the right cannot approve posts from the next request on [S4]', async () => {
  const { visitor, admin, db } = await startTestApp()
  const [id] = await submit(visitor(), 'waits')
  const boss = await admin()
  await boss.does(listPendingPosts)
  await db.execute(sql`update users set is_admin = false`)
  expect(await boss.tries(approvePost, { params: { id: id! } })).toMatchObject({ status: 403 })
  expect(await stored(db)).toMatchObject([{ publishedAt: null }])
})
