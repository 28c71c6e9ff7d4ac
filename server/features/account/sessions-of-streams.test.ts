import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { planOf } from '#server/testing/plan.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { selectEnded } from './sessions.ts'

test('among 20,000 people the sessions of open streams are found by their keys [R16]', async () => {
  const { db } = await startTestApp()
  await db.execute(sql`insert into users (id, username, created_at)
    select lpad(n::text, 10, '0'), 'n' || n, app_now() from generate_series(1, 20000) n`)
  await db.execute(sql`insert into sessions (token_hash, user_id, opened_at, last_seen_at, expires_at)
    select 'hash ' || n, lpad(n::text, 10, '0'), app_now(), app_now(), app_now() + interval '1 day'
    from generate_series(1, 20000) n`)
  await db.execute(sql`insert into api_tokens (token_hash, id, user_id, name, scopes, created_at, expires_at)
    select 'hash ' || n, gen_random_uuid(), lpad(n::text, 10, '0'), 'a script', '{}', app_now(), app_now() + interval '1 day'
    from generate_series(1, 20000) n`)
  await db.execute(sql`analyze users, sessions, api_tokens`)
  const hashes = Array.from({ length: 500 }, (_, n) => `hash ${n + 1}`)
  for (const kind of ['user', 'apiToken'] as const)
    expect(await planOf(db, selectEnded(kind, hashes))).not.toMatch(
      /Seq Scan on (sessions|users|api_tokens)|Hash Join/,
    )
  expect((await db.execute(selectEnded('user', [...hashes, 'no hash']))).rows).toEqual([
    { tokenHash: 'no hash' },
  ])
})
