import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { approvePosts, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { planOf } from '#server/testing/plan.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { peopleToLock } from './decisions.ts'
import { findReviewQueue, listPostsOfDay, pendingPosts, reviewQueue } from './queries.ts'

const day = 24 * 60 * 60_000

test('at 20,000 posts a day of the feed and the pending list are read from their index, unsorted', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'post ' || i, 'Ana', 'standard', now(), case when i % 50 = 0 then null else now() - i * interval '1 minute' end,
      case when i % 50 = 0 then null else (now() - i * interval '1 minute')::date end, ''
    from generate_series(1, 20000) i`)
  await db.execute(sql`analyze posts`)
  const today = new Date(Date.now() - day).toISOString().slice(0, 10)
  const feed = await planOf(db, listPostsOfDay(db, today, { limit: 201 }))
  expect(feed).toContain('posts_of_feed_day')
  expect(feed).not.toContain('Sort')
  for (const isOldestFirst of [false, true]) {
    const pending = await planOf(db, pendingPosts(db, { isOldestFirst, longerThanDays: 7 }).limit(50))
    expect(pending).toContain('posts_waiting')
    expect(pending).not.toContain('Sort')
  }
})

test('among 20,000 posts that were set aside the queue and its count are read from the index of the waiting posts alone [S47 R16]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`insert into posts (id, content, author_name, post_type, created_at, is_visible, content_digest)
    select gen_random_uuid(), 'post ' || i, 'Ana', 'standard', now() - i * interval '1 minute', i % 1000 = 0, ''
    from generate_series(1, 20000) i`)
  await db.execute(sql`vacuum analyze posts`)
  expect(await planOf(db, reviewQueue(db))).toContain('Index Only Scan using posts_waiting')
  const page = await planOf(
    db,
    pendingPosts(db, { isOldestFirst: true, longerThanDays: undefined }).limit(11),
  )
  expect(page).toMatch(/posts_waiting/)
  expect(page).not.toContain('Filter')
  expect(await findReviewQueue(db)).toMatchObject({ waiting: 20 })
})

test('among 20,000 people a decision about posts finds the people to lock by index [R16]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`insert into users (id, username, created_at)
    select lpad(n::text, 10, '0'), 'n' || n, app_now() from generate_series(1, 20000) n`)
  await db.execute(sql`insert into posts (id, content, author_name, author_id, post_type, created_at, content_digest)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'A letter', 'Ana', lpad(n::text, 10, '0'), 'standard', now(), ''
    from generate_series(1, 20000) n`)
  await db.execute(sql`vacuum analyze posts, users`)
  const ids = Array.from(
    { length: 200 },
    (_, n) => `00000000-0000-7000-8000-${String(n + 1).padStart(12, '0')}`,
  )
  const people = peopleToLock(db, ids, '0000000777')
  expect(await planOf(db, people)).not.toMatch(/Seq Scan|hashed SubPlan/)
  const found = (await people).map(({ id }) => Number(id))
  expect(found).toEqual([...ids.map((_, n) => n + 1), 777])
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
      const input = { content, authorName: 'Walt' }
      ids.push((await authors[line % authors.length]!.does(submitPost, { input })).id)
    }
    const batches = [ids.slice(0, 150), ids.slice(150, 300), ids.slice(300)]
    for (const postIds of batches) {
      clock.advance(day)
      // An admin's session ends within the day.
      await (await admin()).does(approvePosts, { input: { postIds } })
    }
    const read = new Map<string, string>()
    for (const offset of [0, 1, 2])
      for (const { id, content } of await visitor().does(getFeedDay, { params: { offset: String(offset) } }))
        read.set(id, content)
    expect(ids.map((id) => read.get(id))).toEqual(poems.map(({ content }) => content))
  },
)
