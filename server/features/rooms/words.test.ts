import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { planOf } from '#server/testing/plan.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { selectMadeBefore } from './words.ts'

test('among 10,000 rooms those without words are found without reading the words of all others [R16]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`
    insert into rooms (id, name, description, is_public, duration, created_at, expires_at)
    select gen_random_uuid(), 'Room ' || n, '', true, 30, app_now() - make_interval(mins => n), app_now() from generate_series(1, 10000) n`)
  await db.execute(
    sql`insert into room_words select id, 'room:1'::tsvector from rooms where name <> 'Room 7'`,
  )
  await db.execute(sql`analyze rooms, room_words`)
  const step = selectMadeBefore(undefined, '-infinity')
  expect(await planOf(db, step)).toMatch(/Index Only Scan using room_words_pkey on room_words .*rows=1 /)
  const { rows } = await db.execute(step)
  expect([rows.length, ...rows.filter(({ isMissing }) => isMissing).map(({ name }) => name)]).toEqual([
    100,
    'Room 7',
  ])
})
