import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { approvePosts, getFeedDay, submitPost } from '#contract/feed/endpoints.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { pendingPosts, postsOfDay } from './queries.ts'

const day = 24 * 60 * 60_000

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
