import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('a migration that fails leaves the old state, and works once it is mended [R18]', async () => {
  await migrate(connection, own)
  const before = await count('drizzle.__drizzle_migrations')
  await addMigration('shelves', 'create table shelves (n int);--> statement-breakpoint\nselect nonsense')
  await expect(migrate(connection, folder)).rejects.toMatchObject({ cause: { code: '42703' } })
  expect(await exists('shelves')).toBe(false)
  expect(await count('drizzle.__drizzle_migrations')).toBe(before)
  await writeFile(join(folder, 'shelves.sql'), 'create table shelves (n int)')
  await migrate(connection, folder)
  expect(await exists('shelves')).toBe(true)
})

test('a table in use is waited for two seconds, not for ever [R18]', async () => {
  await migrate(connection, own)
  await client.query('create table books (n int)')
  await client.query('begin; lock table books')
  await addMigration('pages', 'alter table books add column pages int')
  await expect(migrate(connection, folder)).rejects.toMatchObject({ cause: { code: '55P03' } })
  await client.query('rollback')
  await migrate(connection, folder)
  expect((await client.query('select pages from books')).rows).toEqual([])
})

test('a database written by a newer version is refused and stays as it is [R18]', async () => {
  await addMigration('future', 'create table future (n int)')
  await migrate(connection, folder)
  const before = await count('drizzle.__drizzle_migrations')
  await expect(migrate(connection, own)).rejects.toBeInstanceOf(SchemaIsNewer)
  expect(await count('drizzle.__drizzle_migrations')).toBe(before)
  expect(await exists('future')).toBe(true)
})
