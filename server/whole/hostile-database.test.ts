import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect as connectTo, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Client, type ClientConfig } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { createRoom, listPassages, sendPassage } from '#contract/rooms/endpoints.ts'
import { createLog } from '../log.ts'
import { allFileKinds } from '#server/features.ts'
import { makeBackup } from '../platform/backup/backup.ts'
import { checkBackup, restoreBackup } from '../platform/backup/restore.ts'
import { systemClock } from '../platform/clock.ts'
import { migrate } from '../platform/database/migrate.ts'
import { openDatabase } from '../platform/database/pool.ts'
import { DatabaseUnusable, findDurabilityFault } from '../platform/database/usable.ts'
import { createNotifyBus } from '../platform/live/notify-bus.ts'
import { ownMigrations } from '../testing/backup-places.ts'
import { contentOf } from '../testing/content.ts'
import { settleRooms } from '../testing/settled-rooms.ts'
import { atDatabase, dropDatabase, urlOf } from '../testing/databases.ts'
import { aRoom } from '../testing/rooms.ts'
import { startTestApp } from '../testing/test-app.ts'
import { FolderStore } from '#server/platform/uploads/folder-store.ts'

const log = createLog('silent')
const text = `It's \\n "odd" {a,NULL} $1 🖋 Ünïcödé`

// Settings that an administrator may give a database or an account, and that Postgres applies to each connection.
test.each([
  'default_transaction_isolation = serializable',
  'default_transaction_isolation = "repeatable read"',
  'DateStyle = "German, DMY"',
  'DateStyle = "SQL, DMY"',
  'IntervalStyle = sql_standard',
  'TimeZone = "Pacific/Kiritimati"',
  'search_path = library, pg_catalog',
  "search_path = ''",
  'client_encoding = LATIN1',
  'standard_conforming_strings = off',
  'bytea_output = escape',
  'statement_timeout = 1',
  'lock_timeout = 1',
  'idle_in_transaction_session_timeout = 1',
])('a database with %s is migrated, serves people and is restored as any other [R26 R6]', async (setting) => {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-hostile-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const place = await placeWith(setting)
  await migrate(place.connection, ownMigrations)
  const t = await startTestApp({
    place,
    config: { limitsRates: false, diaryKey: 'a1'.repeat(32) },
    busFor: (connection) => createNotifyBus({ connection, log }),
  })
  const heard: unknown[] = []
  const otherBus = createNotifyBus({ connection: place.connection, log })
  onTestFinished(() => otherBus.close())
  otherBus.subscribe((word) => heard.push(word))

  const ana = await t.person({ lastName: 'O\\Neil' })
  expect(await ana.does(getMe)).toMatchObject({ lastName: 'O\\Neil' })
  const entry = { date: '2025-06-10', content: text }
  const saves = await tenTimes(() => ana.tries(saveDiaryEntry, { input: entry }))
  expect(saves.filter(({ status }) => status >= 500)).toEqual([])
  expect(await ana.does(getDiaryEntry, { params: { day: entry.date } })).toMatchObject({ content: text })
  const submission = { content: text, authorName: 'Ana', type: 'premium' as const }
  const headers = { 'idempotency-key': 'one' }
  const posts = await tenTimes(() => ana.tries(submitPost, { input: submission, headers }))
  expect(new Set(posts.map(({ status }) => status))).toEqual(new Set([201]))
  const feed = await t.visitor().does(getFeedDay, { params: { offset: '0' } })
  expect(feed).toMatchObject([{ content: text }])
  const { id } = await ana.does(createRoom, { input: aRoom() })
  await tenTimes((n) => ana.does(sendPassage, { params: { id }, input: { content: `${n} ${text}` } }))
  expect(await ana.does(listPassages, { params: { id } })).toHaveLength(10)
  await expect.poll(() => heard.length).toBeGreaterThan(0)

  await settleRooms(t.db)
  const file = join(folder, 'backup.tar.zst')
  const uploads = new FolderStore(join(folder, 'uploads'))
  await makeBackup({ connection: place.connection, uploads, kinds: allFileKinds, now: t.clock.now() }, file)
  const { connection } = await placeWith(setting)
  const contents = await checkBackup(file, ownMigrations)
  await restoreBackup(file, contents, { connection, uploads, migrations: ownMigrations })
  const restored = openDatabase({ connection, clock: t.clock })
  const expected = { ...(await contentOf(t.db)), sessions: [], api_tokens: [], idempotency_keys: [] }
  expect(await contentOf(restored).finally(() => restored.close())).toEqual(expected)
})

test('a database that ends quiet connections keeps ours [R26]', async () => {
  const { connection } = await placeWith('idle_session_timeout = 500')
  const bus = createNotifyBus({ connection, log })
  onTestFinished(() => bus.close())
  const database = openDatabase({ connection, clock: systemClock })
  onTestFinished(() => database.close())
  const countQuiet = async () => {
    const { rows } = await database.execute<{ count: number }>(sql`select count(*) from pg_stat_activity
      where datname = current_database() and application_name = 'zimmer live' and state_change < now() - interval '1 s'`)
    return rows[0]!.count
  }
  await expect.poll(countQuiet, { timeout: 5000 }).toBe(1)
})

test('a database that ends long transactions lets ours finish (needs Postgres 17) [R26]', async (context) => {
  if ((await serverVersion()) < 170_000) context.skip('This server has no transaction_timeout.')
  const { connection } = await placeWith('transaction_timeout = 500')
  const database = openDatabase({ connection, clock: systemClock })
  onTestFinished(() => database.close())
  const { rows } = await database.transaction(async (tx) => {
    await tx.execute(sql`select pg_sleep(0.6)`)
    return tx.execute(sql`select 1 as one`)
  })
  expect(rows).toEqual([{ one: 1 }])
})

test('options in the address of the database are kept beside ours [R26]', async () => {
  const { connection } = await placeWith('DateStyle = "German, DMY"')
  const url = urlOf(connection)
  url.searchParams.set('options', '-c work_mem=77kB -c DateStyle=SQL')
  const database = openDatabase({ connection: { connectionString: url.href }, clock: systemClock })
  onTestFinished(() => database.close())
  const { rows } = await database.execute(
    sql`select current_setting('work_mem') as work, current_setting('datestyle') as dates`,
  )
  expect(rows).toEqual([{ work: '77kB', dates: 'ISO, MDY' }])
})

test.each([
  ['LATIN1', /^The database zimmer_\w+ is encoded as LATIN1, .* createdb --encoding=UTF8 .*\.$/],
  ['SQL_ASCII', /^The database zimmer_\w+ is encoded as SQL_ASCII, .*\.$/],
])(
  'a database encoded as %s is refused with the way out, and stays empty [R26]',
  async (encoding, sentence) => {
    const { connection } = await makePlace(
      (name) =>
        `create database "${name}" template template0 encoding ${encoding} locale_provider libc locale 'C'`,
    )
    expect(await refusalOf(connection)).toMatch(sentence)
  },
)

test('a database that can only be read is refused, and stays empty [R26]', async () => {
  const { connection } = await placeWith('default_transaction_read_only = on')
  expect(await refusalOf(connection)).toMatch(/^The database zimmer_\w+ can only be read: .*\.$/)
})

test('a database that does not enforce foreign keys is refused, and stays empty [R26 R5]', async () => {
  const { connection } = await placeWith('session_replication_role = replica')
  expect(await refusalOf(connection)).toMatch(/^The database zimmer_\w+ does not enforce foreign keys: .*\.$/)
})

test('a server before version 15 is refused, and the database stays empty [R26]', async () => {
  const version = String(await serverVersion())
  const { connection } = await placeWith('DateStyle = ISO')
  const throughProxy = await proxyTo(connection, { [version]: '140009' })
  expect(await refusalOf(throughProxy)).toMatch(
    /^Postgres 14 is too old: set DATABASE_URL to a server of version 15 or newer\.$/,
  )
})

test('a pooler that drops our settings is refused, and the database stays empty [R26]', async () => {
  const { connection } = await placeWith('search_path = library, public')
  // Postgres takes this name for the setting of an extension, so the search path is not set.
  const throughProxy = await proxyTo(connection, { 'search_path=public': 'a.searchpat=public' })
  expect(await refusalOf(throughProxy)).toMatch(
    /^The connection .* does not take the setting search_path: .*\.$/,
  )
})

test('a server that answers before it writes to disk is named, one that does not is left alone [R1 R26]', async () => {
  const server = openDatabase({ connection: inject('server'), clock: systemClock })
  onTestFinished(() => server.close())
  const { rows } = await server.execute<{ name: string }>(
    sql`select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off'`,
  )
  const sentenceOf = async (setting: string) => {
    const { connection } = await placeWith(setting)
    const database = openDatabase({ connection, clock: systemClock })
    return findDurabilityFault(database).finally(() => database.close())
  }
  expect(await sentenceOf('synchronous_commit = off')).toMatch(
    /synchronous_commit = off\): a power cut loses/,
  )
  const durable = await sentenceOf('synchronous_commit = local')
  expect(durable?.includes('synchronous_commit') ?? false).toBe(false)
  expect(durable !== undefined).toBe(rows.length > 0)
})

const tenTimes = <T>(work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: 10 }, (_, n) => work(n)))

/** The sentence with which the database is refused, after which it must be as empty as before. */
async function refusalOf(connection: ClientConfig) {
  const refusal = await migrate(connection, ownMigrations).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(DatabaseUnusable)
  const client = new Client(connection)
  await client.connect()
  const { rows } = await client
    .query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace
      or relnamespace = (select oid from pg_namespace where nspname = 'drizzle')`,
    )
    .finally(() => client.end())
  expect(rows).toEqual([])
  return (refusal as Error).message
}

/** An empty database to which an administrator gave a setting. */
const placeWith = (setting: string) =>
  makePlace(
    (name) => `create database "${name}"`,
    (name) => `alter database "${name}" set ${setting}`,
  )

async function makePlace(...statements: ((name: string) => string)[]) {
  const name = `zimmer_hostile_${randomUUID().replaceAll('-', '')}`
  const drop = () => dropDatabase(inject('server'), name)
  onTestFinished(drop)
  for (const statement of statements) await askServer(statement(name))
  return { name, connection: atDatabase(inject('server'), name), drop }
}

async function askServer<R extends object>(statement: string) {
  const client = new Client(inject('server'))
  await client.connect()
  return (await client.query<R>(statement).finally(() => client.end())).rows
}

async function serverVersion() {
  const [row] = await askServer<{ version: number }>(
    `select current_setting('server_version_num')::int as version`,
  )
  return row!.version
}

/** Stands between us and the server, and puts one text of the protocol for another of the same length. */
async function proxyTo(connection: ClientConfig, replaced: Record<string, string>): Promise<ClientConfig> {
  const url = urlOf(connection)
  const host = url.searchParams.get('host')
  const replacing = (bytes: string | Buffer) => {
    const before = bytes.toString('latin1')
    let after = before
    for (const [one, other] of Object.entries(replaced)) after = after.replaceAll(one, other)
    return Buffer.from(after, 'latin1')
  }
  const proxy = createServer((near) => {
    const far =
      host === null ? connectTo(Number(url.port), url.hostname) : connectTo(`${host}/.s.PGSQL.${url.port}`)
    near.on('data', (bytes) => far.write(replacing(bytes)))
    far.on('data', (bytes) => near.write(replacing(bytes)))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('close', () => other.destroy())
      one.on('error', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  const { user, password, database } = {
    user: url.username,
    password: url.password,
    database: url.pathname.slice(1),
  }
  return { host: '127.0.0.1', port: (proxy.address() as AddressInfo).port, user, password, database }
}
