import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { planOf } from '#server/testing/plan.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { selectPublishedBefore } from './words.ts'

test('among 10,000 posts those without words are found without reading the words of all others [R16]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into posts (id, content, author_name, post_type, created_at, published_at, published_on, content_digest)
    select gen_random_uuid(), 'text', 'Ana', 'regular', app_now(), app_now(), '2025-06-10'::date - n / 100, n::text
    from generate_series(1, 10000) n`)
  await db.execute(
    sql`insert into post_words select id, published_at, 'text:1'::tsvector from posts where content_digest <> '7'`,
  )
  await db.execute(sql`analyze posts, post_words`)
  const step = selectPublishedBefore(undefined, '2025-06-01')
  expect(await planOf(db, step)).toMatch(/Index Only Scan using post_words_pkey on post_words .*rows=1 /)
  const { rows } = await db.execute(step)
  expect([rows.length, rows.filter(({ isMissing }) => isMissing).length]).toEqual([999, 1])
})
