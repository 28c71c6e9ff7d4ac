import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { submitPost } from '#contract/feed/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { contentOf } from '#server/testing/content.ts'
import { emptyPlaceIn, filesOf, lastingOf, ownMigrations } from '#server/testing/backup-places.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { migrate } from '../database/migrate.ts'
import type { Database } from '../database/pool.ts'
import { BackupRefused, readArchive, type Member, writeArchive } from './archive.ts'
import { makeBackup } from './backup.ts'
import { checkBackup } from './restore.ts'

const now = new Date('2025-06-10T12:00:00Z')

let folder: string
let file: string
let uploads: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zimmer-backup-'))
  file = join(folder, 'backup.tar.zst')
  uploads = join(folder, 'uploads')
})
afterEach(() => rm(folder, { recursive: true }))

const emptyPlace = (migrations?: string) => emptyPlaceIn(folder, migrations)
const backupOf = (db: Database) => makeBackup({ connection: db.connection, uploads, now }, file)

const oddTexts = [
  'tab\tand\\n and \\.\nline',
  '\\N',
  '"quotes", {braces} and $1',
  'Ünïcödé 🖋 \u202e',
  'x'.repeat(49_000),
]

/** People, posts and an encrypted diary, with texts that a careless format would change. */
async function startHouse() {
  const t = await startTestApp({ config: { diaryKey: 'a1'.repeat(32), limitsRates: false } })
  const ana = await t.person({ writingSample: oddTexts[0] })
  for (const content of oddTexts) await ana.does(submitPost, { input: { content, authorName: 'Ana' } })
  await ana.does(saveDiaryEntry, {
    input: { date: '2025-06-10', content: oddTexts[3]! },
    headers: { 'idempotency-key': 'one' },
  })
  await t.guest()
  await mkdir(join(uploads, 'litmag'), { recursive: true })
  await writeFile(join(uploads, 'litmag/one'), Buffer.from([0, 255, 10, 13, 37]))
  await writeFile(join(uploads, 'empty'), '')
  await writeFile(join(uploads, 'still-coming.part'), 'half')
  return t
}

test('a restored instance has every row and every upload, byte by byte [R19]', async () => {
  const { db } = await startHouse()
  await backupOf(db)
  const place = await emptyPlace()
  await place.restore()
  expect(await place.content()).toEqual(await lastingOf(db))
  const { 'still-coming.part': half, ...whole } = await filesOf(uploads)
  expect(half).toBe('half')
  expect(await place.uploaded()).toEqual(whole)
  await migrate(place.connection, ownMigrations)
  expect(await place.content()).toEqual(await lastingOf(db))
  await expect(
    place.database.execute(sql`insert into emails (address, user_id) values ('a@example.org', 'nobody')`),
  ).rejects.toMatchObject({ cause: { code: '23503' } })
})

test('no session and no answer to a change is in a backup: who was signed out stays so [S23 R19]', async () => {
  const { db } = await startHouse()
  const { sessions, idempotency_keys: keys } = await contentOf(db)
  expect([sessions!.length, keys!.length]).toEqual([2, 1])
  await backupOf(db)
  const names = (await Array.fromAsync(readArchive(file))).map(({ name }) => name.split('/')[1])
  expect(names).toContain('users')
  expect(names).not.toContain('sessions')
  expect(names).not.toContain('idempotency_keys')
  const place = await emptyPlace()
  await place.restore()
  expect(await place.content()).toMatchObject({ sessions: [], idempotency_keys: [] })
})

test('a backup that is made while people sign up and write holds one moment, without halves [R19 R5]', async () => {
  const t = await startHouse()
  let isOver = false
  const writers = Array.from({ length: 3 }, async () => {
    while (!isOver) {
      const person = await t.person()
      await person.does(submitPost, { input: { content: oddTexts[4]!, authorName: 'Ana', type: 'premium' } })
    }
  })
  await t.person()
  await backupOf(t.db)
  isOver = true
  await Promise.all(writers)
  await t.person()

  const place = await emptyPlace()
  await place.restore()
  const [then, later] = [await place.content(), await contentOf(t.db)]
  const people = then.emails!.length
  expect(people).toBeGreaterThan(1)
  expect(people).toBeLessThan(later.emails!.length)
  expect([then.credentials!.length, then.users!.length]).toEqual([people, people + 1])
  for (const table of ['emails', 'users', 'credentials', 'posts', 'audit_log'])
    expect(then[table]!.filter((row) => !later[table]!.includes(row))).toEqual([])
})

test('only the owner of a backup may read it: it holds addresses and digests of passwords [R19]', async () => {
  const { db } = await startHouse()
  await backupOf(db)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a backup never replaces a file, and one that fails leaves none [R19]', async () => {
  const { db } = await startHouse()
  await writeFile(file, 'mine')
  await expect(backupOf(db)).rejects.toThrow(/^There is a file .* already: name one that is not there\.$/)
  expect(await readFile(file, 'utf8')).toBe('mine')
  await rm(file)
  await rm(uploads, { recursive: true })
  await writeFile(uploads, 'a file where a folder should be')
  await expect(backupOf(db)).rejects.toThrow('ENOTDIR')
  expect(await readdir(folder)).toEqual(['uploads'])
})

test('a backup that is damaged anywhere, cut or no backup at all is refused before anything is written [R19]', async () => {
  const { db } = await startHouse()
  await backupOf(db)
  const whole = await readFile(file)
  const tar = zstdDecompressSync(whole)
  const bad = join(folder, 'bad.tar.zst')
  const place = await emptyPlace()
  const refused = async (content: Buffer) => {
    await writeFile(bad, content)
    await expect(place.restore(bad)).rejects.toThrow(
      /^bad\.tar\.zst is damaged or no backup: nothing was restored\.$/,
    )
  }
  for (let i = 0; i < 60; i++) {
    const damaged = Buffer.from(whole)
    const at = Math.floor((whole.length * i) / 60) + (i % 7)
    damaged[at] = damaged[at]! ^ (1 << (i % 8))
    if (!isWhole(damaged, tar)) await refused(damaged)
  }
  for (const length of [0, 1, 100, whole.length >> 1, whole.length - 5])
    await refused(whole.subarray(0, length))
  await refused(Buffer.from('a novel'))
  await expect(place.restore(join(folder, 'none'))).rejects.toThrow(/^There is no file /)
  expect([await place.content(), await place.uploaded()]).toEqual([{}, {}])
})

/** A few bits of the compression mean nothing: all that was written can still be read. */
function isWhole(archive: Buffer, tar: Buffer) {
  try {
    return zstdDecompressSync(archive).equals(tar)
  } catch {
    return false
  }
}

const replaced = (tar: Buffer, one: string, other: string) =>
  Buffer.from(tar.toString('latin1').replace(one, other), 'latin1')
const header = 'uploads/empty\0'

test.each([
  ['changed', (tar: Buffer) => replaced(tar, 'Person1', 'Nobody1')],
  ['renamed', (tar: Buffer) => replaced(tar, header, 'uploads/emptx\0')],
  [
    'left out',
    (tar: Buffer) =>
      Buffer.concat([tar.subarray(0, tar.indexOf(header)), tar.subarray(tar.indexOf(header) + 512)]),
  ],
])('a backup of which a part was %s is refused by its checksums [R19]', async (_what, change) => {
  const { db } = await startHouse()
  await backupOf(db)
  const place = await emptyPlace()
  const tar = zstdDecompressSync(await readFile(file))
  await writeFile(file, zstdCompressSync(tar))
  expect((await checkBackup(file, ownMigrations)).format).toBe(1)
  expect(change(tar)).not.toEqual(tar)
  await writeFile(file, zstdCompressSync(change(tar)))
  await expect(place.restore()).rejects.toBeInstanceOf(BackupRefused)
  expect(await place.content()).toEqual({})
})

test.each(['uploads/../../stolen', '/etc/stolen', 'uploads//stolen', 'uploads\\..\\stolen'])(
  'a backup with a file named %j writes nothing anywhere [R19]',
  async (name) => {
    const { db } = await startHouse()
    await backupOf(db)
    const members = await Array.fromAsync(readArchive(file))
    const crafted = join(folder, 'crafted.tar.zst')
    await writeArchive(crafted, Readable.from([...members, { name, content: Buffer.from('mine now') }]))
    const place = await emptyPlace()
    await expect(place.restore(crafted)).rejects.toThrow('crafted.tar.zst holds a file with an odd name.')
    expect([await place.content(), await place.uploaded()]).toEqual([{}, {}])
  },
)

test.each(['a person', 'an upload'])('a place that holds %s is not written to [R19]', async (what) => {
  const { db } = await startHouse()
  await backupOf(db)
  const place = await emptyPlace()
  await migrate(place.connection, ownMigrations)
  if (what === 'a person')
    await place.database.execute(sql`insert into users (id, created_at) values ('someone', '2025-01-01')`)
  else {
    await mkdir(place.uploads)
    await writeFile(join(place.uploads, 'mine'), 'mine')
  }
  const before = [await place.content(), await place.uploaded()]
  await expect(place.restore()).rejects.toThrow(/a backup is restored into an empty place only\.$/)
  expect([await place.content(), await place.uploaded()]).toEqual(before)
})

test('a database with tables of somebody else is not written to [R19]', async () => {
  const { db } = await startHouse()
  await backupOf(db)
  const place = await emptyPlace()
  await place.database.execute(sql`create schema library; create table library.books as select 1 as n`)
  await expect(place.restore()).rejects.toThrow('The database holds data')
  expect(await place.content()).toEqual({})
})

test('rows that break the rules of the tables leave the place empty, and it can be filled by a good backup [R19]', async () => {
  const { db } = await startHouse()
  await backupOf(db)
  const place = await emptyPlace()
  const orphaned = join(folder, 'orphaned.tar.zst')
  await writeArchive(orphaned, without(/^tables\/users\//))
  await expect(place.restore(orphaned)).rejects.toMatchObject({ code: '23503' })
  expect(Object.values(await place.content()).flat()).toEqual([])
  expect(await place.uploaded()).toEqual({})
  await place.restore()
  expect(await place.content()).toEqual(await lastingOf(db))
})

test('a backup is restored at its own version, which the next start brings to the one of the code [R18 R19]', async () => {
  const { db } = await startHouse()
  await backupOf(db)
  const newer = await newerMigrations()
  const place = await emptyPlace(newer)
  await place.restore()
  expect(await place.content()).toEqual(await lastingOf(db))
  await migrate(place.connection, newer)
  const { rows } = await place.database.execute(sql`select distinct shelf from posts`)
  expect(rows).toEqual([{ shelf: 'top' }])

  await rm(file)
  await backupOf(place.database)
  const older = await emptyPlace()
  await expect(older.restore()).rejects.toThrow(
    'The backup was made by a newer version: restore it with that one.',
  )
  expect(await older.content()).toEqual({})
})

test('no row is numbered by the database, which a backup would have to count on', async () => {
  const { db } = await startHouse()
  const { rows } = await db.execute(sql`select sequencename from pg_sequences where schemaname <> 'drizzle'`)
  expect(rows).toEqual([])
})

async function* without(pattern: RegExp): AsyncGenerator<Member> {
  for await (const member of readArchive(file)) if (!pattern.test(member.name)) yield member
}

async function newerMigrations() {
  const newer = join(folder, 'migrations')
  await cp(ownMigrations, newer, { recursive: true })
  const path = join(newer, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: object[] }
  const idx = journal.entries.length
  journal.entries.push({ idx, version: '7', when: 2_000_000_000_000, tag: 'shelves', breakpoints: true })
  await writeFile(path, JSON.stringify(journal))
  await writeFile(
    join(newer, 'shelves.sql'),
    "alter table posts add column shelf text not null default 'top'",
  )
  return newer
}
