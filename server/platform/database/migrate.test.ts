import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { atDatabase, createDatabase, dropDatabase } from '#server/testing/databases.ts'
import { SchemaIsNewer, migrate } from './migrate.ts'

const own = fileURLToPath(new URL('../../../migrations', import.meta.url))
const name = `zimmer_migrate_${process.pid}`
const connection = atDatabase(inject('server'), name)
let folder: string
let client: Client

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zimmer-migrations-'))
  await cp(own, folder, { recursive: true })
  await createDatabase(inject('server'), name)
  client = new Client(connection)
  await client.connect()
})
afterEach(async () => {
  await client.end()
  await dropDatabase(inject('server'), name)
  await rm(folder, { recursive: true })
})

async function removeMigrationsAfter(last: string) {
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { tag: string }[] }
  const end = journal.entries.findIndex(({ tag }) => tag === last) + 1
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, end) }))
}

async function addMigration(tag: string, sql: string) {
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: object[] }
  const idx = journal.entries.length
  journal.entries.push({ idx, version: '7', when: 2_000_000_000_000 + idx, tag, breakpoints: true })
  await writeFile(path, JSON.stringify(journal))
  await writeFile(join(folder, `${tag}.sql`), sql)
}

const count = async (from: string) =>
  Number((await client.query(`select count(*) from ${from}`)).rows[0].count)
const exists = async (table: string) =>
  Boolean((await client.query('select to_regclass($1) is not null as found', [table])).rows[0].found)

test('servers that start together migrate once [R18]', async () => {
  await addMigration(
    'shelves',
    'create table shelves (n int); insert into shelves select 1 from pg_sleep(0.2)',
  )
  await Promise.all([migrate(connection, folder), migrate(connection, folder), migrate(connection, folder)])
  expect(await count('shelves')).toBe(1)
  await migrate(connection, folder)
  expect(await count('shelves')).toBe(1)
})

/** Rows for the tables of the first version. */
const rows = `
  insert into users (id, first_name, username, created_at)
  select lpad(n::text, 10, '0'), 'Ana', 'ana' || n, now() from generate_series(1, 100) n;
  insert into emails (address, user_id) select username || '@example.org', id from users;
  insert into posts (id, content, author_name, author_id, post_type, created_at, content_digest)
  select gen_random_uuid(), 'A post', 'Ana', id, 'standard', now(), id from users;
  insert into audit_log (id, at, action, actor_id) select gen_random_uuid(), now(), 'sign-in', id from users`

test.each(['0001_house', '0018_closed_reports'])(
  'an installation of the version %s with people and posts is brought to the schema of a new one and keeps them [R18]',
  async (last) => {
    await removeMigrationsAfter(last)
    await migrate(connection, folder)
    await client.query(rows)
    await migrate(connection, own)
    const updated = await schema()
    for (const table of ['users', 'emails', 'posts', 'audit_log']) expect(await count(table)).toBe(100)
    // The search of admins compares each of these posts until the server has stored its trigrams.
    expect(await count('posts join post_trigrams on post_id = id where trigrams is null')).toBe(100)
    await client.query('drop schema public, drizzle cascade; create schema public')
    await migrate(connection, own)
    expect(updated).toEqual(await schema())
  },
)

/** The columns, indexes and constraints. */
const schema = async () => {
  const { rows: found } = await client.query<{ part: string }>(`
    select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) as part
    from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
    where connamespace = 'public'::regnamespace order by part`)
  return found.map(({ part }) => part)
}

test('a migration that fails leaves the old schema, and succeeds after it is fixed [R18]', async () => {
  await migrate(connection, own)
  const before = await count('drizzle.__drizzle_migrations')
  await addMigration('shelves', 'create table shelves (n int);--> statement-breakpoint\nselect nonsense')
  await expect(migrate(connection, folder)).rejects.toMatchObject({ code: '42703' })
  expect(await exists('shelves')).toBe(false)
  expect(await count('drizzle.__drizzle_migrations')).toBe(before)
  await writeFile(join(folder, 'shelves.sql'), 'create table shelves (n int)')
  await migrate(connection, folder)
  expect(await exists('shelves')).toBe(true)
})

async function lockBooks() {
  await migrate(connection, own)
  await client.query('create table books (n int)')
  await client.query('begin; lock table books in share mode')
  await addMigration('pages', 'alter table books add column pages int')
}

test('a migration waits half a second for a table in use, lets others read it, and succeeds once the table is free [R18]', async () => {
  await lockBooks()
  const migrating = migrate(connection, folder)
  const reader = new Client(connection)
  await reader.connect()
  await migrationWaits(reader)
  // This statement waits behind the migration, until the migration gives up its first try.
  await reader.query('select 1 from books')
  await client.query('commit')
  await migrating
  expect((await reader.query('select pages from books')).rows).toEqual([])
  await reader.end()
})

test('a migration fails after eight tries when the table stays in use, and changes nothing [R18]', async () => {
  await lockBooks()
  const before = await count('drizzle.__drizzle_migrations')
  await expect(migrate(connection, folder)).rejects.toMatchObject({ code: '55P03' })
  expect(await count('drizzle.__drizzle_migrations')).toBe(before)
  await client.query('rollback')
})

test('a migration changes two tables that serving processes always lock in the other order [R18]', async () => {
  await migrate(connection, own)
  await client.query('create table books (n int); create table readers (n int)')
  await addMigration(
    'pages',
    'alter table books add column pages int;--> statement-breakpoint\nalter table readers add column age int',
  )
  let transactions = 0
  let isOver = false
  // At every moment one of them holds the readers and will want the books.
  const serving = Array.from({ length: 4 }, async () => {
    const server = new Client(connection)
    await server.connect()
    for (; !isOver; transactions++)
      await server.query(
        'begin; insert into readers values (1); select pg_sleep(0.02); insert into books values (1); commit',
      )
    await server.end()
  })
  while (transactions < 20) await delay(5)
  try {
    await migrate(connection, folder)
  } finally {
    isOver = true
    await Promise.all(serving)
  }
  expect(await count('books where pages is null')).toBe(transactions)
  expect(await count('readers where age is null')).toBe(transactions)
})

test('a migration that only refers to a table does not wait for a backup that reads it, not even when it tries again [R18]', async () => {
  await migrate(connection, own)
  await client.query('create table books (n int primary key)')
  await addMigration(
    'pages',
    'create table pages (n int);--> statement-breakpoint\nalter table pages add foreign key (n) references books (n)',
  )
  // A backup reads for minutes in one transaction.
  const [backup, writer] = [new Client(connection), new Client(connection)]
  for (const each of [backup, writer]) await each.connect()
  await backup.query('begin; select 1 from books')
  await writer.query('begin; insert into books values (1)')
  const migrating = migrate(connection, folder)
  const second = `select 1 from pg_stat_activity where datname = '${name}' and query like 'lock table "books"%'`
  while ((await client.query(second)).rowCount === 0) await delay(10)
  await writer.query('commit')
  await migrating
  for (const each of [backup, writer]) await each.end()
  expect(await exists('pages')).toBe(true)
})

test('people write in a table while a migration builds an index of it, and a migration that fails leaves no index behind [R18]', async () => {
  await migrate(connection, own)
  await client.query('create table books (n int); insert into books values (1), (1)')
  // Stands for a long statement of a writer: the build of the index waits for its end, and no other statement waits for the build.
  await client.query('begin; insert into books values (2)')
  const index = 'CREATE INDEX "books_by_n" ON "books" USING btree ("n");--> statement-breakpoint\n'
  await addMigration('index', `${index}alter table books add column pages int`)
  const migrating = migrate(connection, folder)
  const writer = new Client(connection)
  await writer.connect()
  await migrationWaits(writer)
  await writer.query("set lock_timeout = '1ms'; insert into books values (3)")
  await client.query('commit')
  await migrating
  expect(await indexesOfBooks()).toEqual(['books_by_n'])

  await addMigration('bad', `${index.replace('books_by_n', 'more_books')}select nonsense`)
  await expect(migrate(connection, folder)).rejects.toMatchObject({ code: '42703' })
  expect(await indexesOfBooks()).toEqual(['books_by_n'])
  await writer.end()
})

test('a migration whose second index cannot be built leaves no index behind [R18]', async () => {
  await migrate(connection, own)
  await client.query('create table books (n int); insert into books values (1), (1)')
  const index = 'CREATE INDEX "books_by_n" ON "books" USING btree ("n");--> statement-breakpoint\n'
  await addMigration('unique', `${index}CREATE UNIQUE INDEX "books_unique" ON "books" USING btree ("n")`)
  await expect(migrate(connection, folder)).rejects.toMatchObject({ code: '23505' })
  expect(await indexesOfBooks()).toEqual([])
})

/** Released migrations up to this one build indexes in the transaction that adds the column. */
const lastWithIndexesOfNewColumns = 20

test('no migration keeps people from writing while it builds an index of a column that it has added itself [R18]', async () => {
  const path = join(own, 'meta/_journal.json')
  const { entries } = JSON.parse(await readFile(path, 'utf8')) as { entries: { idx: number; tag: string }[] }
  for (const { tag } of entries.filter(({ idx }) => idx > lastWithIndexesOfNewColumns)) {
    const migration = await readFile(join(own, `${tag}.sql`), 'utf8')
    const added = migration.matchAll(/ALTER TABLE "(\w+)" ADD COLUMN "(\w+)"/g)
    for (const [, table, column] of added) {
      const indexes = migration.match(new RegExp(`INDEX "\\w+" ON "${table}".*`, 'g')) ?? []
      expect([tag, indexes.filter((index) => index.includes(column!))]).toEqual([tag, []])
    }
  }
})

const indexesOfBooks = async () => {
  const { rows } = await client.query<{ name: string }>(
    "select indexname as name from pg_indexes where tablename = 'books'",
  )
  return rows.map((row) => row.name)
}

/**
 * Waits until a migration waits for a lock. `observer` must not be in a transaction: inside one, Postgres repeats its first
 * answer about the activity of others.
 */
async function migrationWaits(observer: Client) {
  const waiting = `select 1 from pg_stat_activity
    where application_name = 'zimmer migrate' and wait_event_type = 'Lock' and datname = '${name}'`
  while ((await observer.query(waiting)).rowCount === 0) await delay(10)
}

test('a start refuses a database of a newer version and leaves it unchanged [R18]', async () => {
  await addMigration('future', 'create table future (n int)')
  await migrate(connection, folder)
  const before = await count('drizzle.__drizzle_migrations')
  await expect(migrate(connection, own)).rejects.toBeInstanceOf(SchemaIsNewer)
  expect(await count('drizzle.__drizzle_migrations')).toBe(before)
  expect(await exists('future')).toBe(true)
})
