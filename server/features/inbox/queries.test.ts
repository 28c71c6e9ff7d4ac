import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { planOf } from '#server/testing/plan.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { inboxesToLock } from './queries.ts'

test('among 20,000 people the deletion of a person finds the counters to lock by index [R16]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`insert into users (id, username, created_at)
    select lpad(n::text, 10, '0'), 'n' || n, app_now() from generate_series(1, 20000) n`)
  await db.execute(sql`insert into inboxes (user_id, last_event)
    select lpad(n::text, 10, '0'), 1 from generate_series(1, 20000) n`)
  await db.execute(sql`insert into inbox_events (user_id, number, name, ids)
    select lpad(n::text, 10, '0'), 1, 'friends.changed', jsonb_build_object('friendUserId', lpad((n - 1)::text, 10, '0'))
    from generate_series(1, 20000) n`)
  await db.execute(sql`vacuum analyze users, inboxes, inbox_events`)
  const query = inboxesToLock({ ofPeople: ['0000000007', '0000000003'], thatName: '0000000777' })
  expect(await planOf(db, query)).not.toMatch(/Seq Scan|hashed SubPlan/)
  const { rowCount } = await db.execute(query)
  expect(rowCount).toBe(3)
})
