import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'drizzle-orm'
import Fastify, { type FastifyBaseLogger } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { DomainEvents } from './domain-events.ts'
import type { PersonalData } from './feature.ts'
import { users } from './features/account/index.ts'
import { createLog } from './log.ts'
import { openDatabase } from './platform/database/pool.ts'
import { addPurges } from './purges.ts'
import { startTestApp } from './testing/test-app.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'
import { UploadsUnavailable } from '#server/platform/uploads/upload-store.ts'

/** An app with rows that are over, and the purges of a process beside it, which run again and again. */
async function startWith({ rows, guests }: { rows: number; guests: number }) {
  const t = await startTestApp()
  const ana = await t.person()
  await t.guest()
  await t.db.execute(sql`
    insert into audit_log (id, at, action)
    select gen_random_uuid(), app_now() - interval '181 days', 'sign-in' from generate_series(1, ${rows})`)
  await t.db.execute(sql`
    insert into idempotency_keys (person, call, key, input_digest, created_at)
    select 'at somebody', 'POST /api/facts', n, '', app_now() - interval '25 hours' from generate_series(1, ${rows}) n`)
  await t.db.execute(sql`
    insert into sessions (token_hash, user_id, opened_at, last_seen_at, expires_at)
    select n, ${ana.me.id}, app_now(), app_now(), app_now() - interval '1 second' from generate_series(1, ${rows}) n`)
  await t.db.execute(sql`
    insert into abuse_reports
      (id, kind, target_id, category, author_name, content, written_at, created_at, closed_at, outcome)
    select gen_random_uuid(), 'post', 'gone', 'spam', 'Cem', '', app_now(), app_now(), app_now() - make_interval(days => age), 'kept'
    from unnest(array[181, 179]) age`)
  await t.db.execute(sql`
    insert into users (id, username, is_anonymous, is_admin, created_at)
    select 'g' || lpad(n::text, 9, '0'), 'guest' || n, true, false, app_now() - interval '31 days'
    from generate_series(1, ${guests}) n`)
  const lines: { msg: string }[] = []
  const log: FastifyBaseLogger = createLog('error', {
    write: (line) => void lines.push(JSON.parse(line) as never),
  })
  const left = async () => {
    const { rows: counted } = await t.db.execute<
      Record<'audited' | 'keys' | 'sessions' | 'guests' | 'reports', number>
    >(sql`
      select (select count(*) from audit_log) as audited, (select count(*) from idempotency_keys) as keys,
        (select count(*) from sessions) as sessions, (select count(*) from users where is_anonymous) as guests,
        (select count(*) from abuse_reports) as reports`)
    return counted[0]!
  }
  const startPurges = (personalData: readonly PersonalData[] = []) => {
    const app = Fastify({ loggerInstance: log })
    const database = openDatabase({ connection: t.connection, clock: t.clock, statementTimeoutMs: 2000 })
    const place = {
      database,
      personalData,
      dataDir: t.config.dataDir,
      uploads: openUploads(t.config),
      events: new DomainEvents(),
    }
    addPurges(app, place, 10)
    onTestFinished(async () => {
      await app.close()
      await database.close()
    })
  }
  return { ...t, lines, left, startPurges }
}

const kept = { audited: 0, keys: 0, sessions: 2, guests: 1, reports: 1 }

test('rows that one statement could not remove in its time are purged in many, and all guests in one run [S22 S16 S49 S52 R7]', async () => {
  const { db, left, startPurges, lines } = await startWith({ rows: 12_000, guests: 600 })
  // Each row takes its time, as on a slow disk: 12,000 of them take longer than a statement may.
  await db.execute(sql`
    create function takes_time() returns trigger language plpgsql as $$
      begin perform pg_sleep((select count(*) from gone) * 0.0002); return null; end $$`)
  for (const table of ['audit_log', 'idempotency_keys', 'sessions'])
    await db.execute(sql`
      create trigger slow after delete on ${sql.identifier(table)} referencing old table as gone
      for each statement execute function takes_time()`)
  startPurges()
  await expect.poll(left, { timeout: 100_000 }).toEqual(kept)
  expect(lines).toEqual([])
}, 120_000)

test('a purge that fails is logged and keeps no other from its work [S16 S49 R16]', async () => {
  const { db, left, startPurges, lines } = await startWith({ rows: 10, guests: 3 })
  await db.execute(sql`alter table idempotency_keys rename column created_at to made_at`)
  startPurges([
    {
      remove: async (_tx, id) => {
        if (id === 'g000000002') throw new Error('cannot be removed')
      },
      move: async () => {},
    },
  ])
  await expect.poll(left, { timeout: 25_000 }).toEqual({ ...kept, keys: 10, guests: 2 })
  const named = () => [...new Set(lines.map(({ msg }) => msg))].toSorted()
  await expect.poll(named).toEqual(['purge of guests failed', 'purge of idempotency keys failed'])
  const people = await db.select({ id: users.id }).from(users)
  expect(people.map(({ id }) => id)).toContain('g000000002')
})

test('the log has a line about a purge that fails because of the service of the uploads, and none about one that fails because of the database [R15 R16]', async () => {
  const { left, startPurges, lines } = await startWith({ rows: 0, guests: 1 })
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const failures = [cause, new UploadsUnavailable('DELETE a: There was no answer.', { cause })]
  startPurges([
    {
      remove: async () => {
        const failure = failures.shift()
        if (failure) throw failure
      },
      move: async () => {},
    },
  ])
  await expect.poll(left, { timeout: 25_000 }).toEqual(kept)
  expect(lines).toEqual([expect.objectContaining({ msg: 'purge of guests failed' })])
  expect(JSON.stringify(lines)).toContain('There was no answer.')
})

test('rows that a request holds are left for the next purge, which does not wait for them [S22]', async () => {
  const { db, left, startPurges, lines } = await startWith({ rows: 10, guests: 0 })
  await db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from idempotency_keys where key = '7' for update`)
    startPurges()
    await expect.poll(left, { timeout: 25_000 }).toEqual({ ...kept, keys: 1 })
  })
  await expect.poll(left, { timeout: 25_000 }).toEqual(kept)
  expect(lines).toEqual([])
})

test('an incomplete file of a killed process is deleted within an hour, and a file that is still arriving stays [S34]', async () => {
  const { config, startPurges, lines } = await startWith({ rows: 0, guests: 0 })
  const folder = join(config.dataDir, 'uploads/arriving')
  await mkdir(folder, { recursive: true })
  for (const name of ['left', 'arriving']) await writeFile(join(folder, name), 'a')
  const twentyMinutesAgo = Date.now() / 1000 - 20 * 60
  await utimes(join(folder, 'left'), twentyMinutesAgo, twentyMinutesAgo)
  startPurges()
  await expect.poll(() => readdir(folder), { timeout: 25_000 }).toEqual(['arriving'])
  expect(lines).toEqual([])
})

test('old notifications, links that are over, and files that no row names are purged in the same hours [LOOP-23 PPL-07 S34]', async () => {
  const { db, config, person, startPurges, lines } = await startWith({ rows: 0, guests: 0 })
  const { me } = await person()
  await db.execute(sql`
    insert into invitations (id, inviter_id, token_hash, created_at, expires_at)
    values (gen_random_uuid(), ${me.id}, 'over', app_now(), app_now() - interval '1 second')`)
  await db.execute(sql`insert into inboxes (user_id, last_event) values (${me.id}, 1)`)
  await db.execute(sql`
    insert into inbox_events (user_id, number, name, ids, unseen_since)
    values (${me.id}, 1, 'post.shown', '{}', app_now() - interval '91 days')`)
  const id = '00000000-0000-7000-8000-000000000001'
  const files = [`magazine/${id}.pdf`, `covers/${id}.webp`].map((name) =>
    join(config.dataDir, 'uploads', name),
  )
  for (const file of files) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'a')
    await utimes(file, 0, 0)
  }
  startPurges()
  const left = async () => {
    const { rows } = await db.execute<{ count: number }>(sql`
      select (select count(*) from invitations)::int + (select count(*) from inbox_events)::int as count`)
    return [rows[0]!.count, ...files.map((file) => existsSync(file))]
  }
  await expect.poll(left, { timeout: 25_000 }).toEqual([0, false, false])
  expect(lines).toEqual([])
})
