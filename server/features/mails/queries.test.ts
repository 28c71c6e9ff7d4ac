import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { planOf } from '#server/testing/plan.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { deleteMailsTo } from './queries.ts'

test('the deletion of an account finds its mails among 20,000 that wait without reading the others [S15 REACH-06]', async () => {
  const { db, person } = await startTestApp()
  const ana = await person()
  await db.execute(sql`
    insert into mails (id, kind, address, created_at, attempt_at, give_up_at)
    select gen_random_uuid(), 'reset', 'person' || n || '@example.net', app_now(), app_now() + interval '1 day', app_now() + interval '2 days'
    from generate_series(1, 20000) n`)
  for (const known of [false, true]) {
    if (known) await db.execute(sql`analyze mails, emails`)
    const plan = await planOf(db, deleteMailsTo(db, ana.me.id))
    expect(plan).toContain('mails_to_address')
    expect(plan).not.toContain('Seq Scan on mails')
  }
})
