import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { users } from '#server/features/account/index.ts'
import { connectClient } from '#server/platform/database/connection.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { startTestApp } from './test-app.ts'

const nameOf = async (db: Database) => {
  const { rows } = await db.execute<{ name: string }>(sql`select current_database() as name`)
  return rows[0]!.name
}

test('the next test takes the database of an app that has closed, and finds no row in it', async () => {
  const first = await startTestApp()
  await first.person()
  const name = await nameOf(first.db)
  await first.close()
  const next = await startTestApp({ clock: first.clock })
  expect(await nameOf(next.db)).toBe(name)
  expect(await next.db.select().from(users)).toEqual([])
})

type App = Awaited<ReturnType<typeof startTestApp>>

test.each<[string, (app: App) => unknown]>([
  [
    'a trigger',
    ({ db }) =>
      db.execute(
        sql`create trigger extra before update on users execute function suppress_redundant_updates_trigger()`,
      ),
  ],
  ['a column', ({ db }) => db.execute(sql`alter table users add column extra int`)],
  [
    'a setting',
    async ({ db }) => db.execute(sql.raw(`alter database "${await nameOf(db)}" set work_mem = '1MB'`)),
  ],
  ['a lock', ({ db }) => db.execute(sql`select pg_advisory_lock(1)`)],
  ['a connection', ({ connection }) => connectClient(connection, 'left')],
  [
    'a spy',
    ({ db }) => {
      vi.spyOn(db, 'execute')
      onTestFinished(() => void vi.restoreAllMocks())
    },
  ],
  [
    'many rows',
    ({ db }) =>
      db.execute(
        sql`insert into instance_facts (name, value) select i::text, '' from generate_series(1, 3000) i`,
      ),
  ],
])('a database in which a test leaves %s is used by no other test', async (_what, leave) => {
  const first = await startTestApp()
  const name = await nameOf(first.db)
  await leave(first)
  await first.close()
  const next = await startTestApp()
  expect(await nameOf(next.db)).not.toBe(name)
})
