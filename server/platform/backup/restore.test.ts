import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { filesOf, lastingOf, membersOf, ownMigrations, startBackups } from '#server/testing/backup-places.ts'
import { migrate } from '../database/migrate.ts'
import type { Db } from '../database/pool.ts'
import { writeArchive } from './archive.ts'
import { finishRestore } from './restore.ts'
import { FolderStore } from '../uploads/folder-store.ts'

const here = startBackups()

test('a backup is restored at its own version, and the next start migrates it to the version of the code [R18 R19]', async () => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const newer = await newerMigrations()
  const place = await here.emptyPlace(newer)
  await place.restore()
  expect(await place.content()).toEqual(await lastingOf(db))
  await migrate(place.connection, newer)
  const { rows } = await place.database.execute(sql`select distinct shelf from posts`)
  expect(rows).toEqual([{ shelf: 'top' }])

  await rm(here.file)
  await here.backupOf(place.database)
  const older = await here.emptyPlace()
  await expect(older.restore()).rejects.toThrow(
    'The backup was made by a newer version: restore it with that one.',
  )
  expect(await older.content()).toEqual({})
})

async function newerMigrations() {
  const newer = join(here.folder, 'migrations')
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

test('a backup is restored into uploads that are a disk of their own [R19]', async () => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const place = await here.emptyPlace()
  const disk = join(here.folder, 'disk')
  await mkdir(join(disk, 'lost+found'), { recursive: true })
  // Like a mount point, a link cannot be replaced by a folder.
  await symlink(disk, place.uploads)
  await place.restore()
  expect(Object.keys(await filesOf(disk))).toEqual(['empty', 'litmag/one'])
  expect((await readdir(disk)).toSorted()).toEqual(['empty', 'litmag', 'lost+found'])
  expect(await place.content()).toEqual(await lastingOf(db))
})

test('a restore that was killed is repeated, and until then no server starts there [R19]', async () => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const place = await here.emptyPlace()
  const restoring = join(place.uploads, '.restoring')
  await mkdir(restoring, { recursive: true })
  await writeFile(join(restoring, 'half'), 'half')
  await expect(finishRestore(place.connection, new FolderStore(place.uploads))).rejects.toThrow(
    /^A restore did not end: repeat it/,
  )
  await place.restore()
  expect(Object.keys(await place.uploaded())).toEqual(['empty', 'litmag/one'])
  await finishRestore(place.connection, new FolderStore(place.uploads))
  expect(await place.content()).toEqual(await lastingOf(db))
})

test('a restore that was killed after its commit is ended by the start of the server [R19]', async () => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const place = await here.emptyPlace()
  await place.restore()
  const restoring = join(place.uploads, '.restoring')
  await mkdir(restoring)
  for (const name of ['empty', 'litmag']) await rename(join(place.uploads, name), join(restoring, name))
  await place.database.execute(sql`insert into instance_facts (name, value) values ('restoring', '')`)
  await expect(place.restore()).rejects.toThrow('The database holds data')
  // The kill may come after the first file was moved to its place.
  await rename(join(restoring, 'empty'), join(place.uploads, 'empty'))
  await finishRestore(place.connection, new FolderStore(place.uploads))
  expect(Object.keys(await place.uploaded())).toEqual(['empty', 'litmag/one'])
  expect(await place.content()).toEqual(await lastingOf(db))
})

test.each(['a person', 'an upload'])(
  'restore does not write to an instance that holds %s [R19]',
  async (what) => {
    const { db } = await here.startInstance()
    await here.backupOf(db)
    const place = await here.emptyPlace()
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
  },
)

test('restore does not write to a database with tables of another program [R19]', async () => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const place = await here.emptyPlace()
  await place.database.execute(sql`create schema library; create table library.books as select 1 as n`)
  await expect(place.restore()).rejects.toThrow('The database holds data')
  expect(await place.content()).toEqual({})
})

test('tables of an extension are in no backup, and do not keep a backup from being restored [R19]', async () => {
  const addExtensionTables = (db: Db) =>
    db.execute(sql`
      create schema library; create table library.books as select 1 as n; create table regions as select 1 as n;
      alter table regions add unique (n), add constraint of_region foreign key (n) references regions (n);
      alter extension plpgsql add table library.books; alter extension plpgsql add table regions`)
  const { db } = await here.startInstance()
  const content = await lastingOf(db)
  await addExtensionTables(db)
  await here.backupOf(db)
  expect((await membersOf(here.file)).filter(({ name }) => name.includes('regions'))).toEqual([])
  const place = await here.emptyPlace()
  await addExtensionTables(place.database)
  // A restore drops the foreign keys of our tables and adds them again. Others may belong to another role.
  const foreignKey = sql`select oid from pg_constraint where conname = 'of_region'`
  const { rows } = await place.database.execute(foreignKey)
  await place.restore()
  expect(await place.content()).toEqual({ ...content, regions: ['(1)'] })
  expect((await place.database.execute(foreignKey)).rows).toEqual(rows)
})

test('a backup with rows that violate a foreign key leaves the place empty, and a good backup can then be restored [R19]', async () => {
  const { db } = await here.startInstance()
  await here.backupOf(db)
  const members = await membersOf(here.file)
  const place = await here.emptyPlace()
  const orphaned = join(here.folder, 'orphaned.tar.zst')
  await writeArchive(orphaned, Readable.from(members.filter(({ name }) => !name.startsWith('tables/users/'))))
  await expect(place.restore(orphaned)).rejects.toMatchObject({ code: '23503' })
  expect(Object.values(await place.content()).flat()).toEqual([])
  expect(await place.uploaded()).toEqual({})
  await place.restore()
  expect(await place.content()).toEqual(await lastingOf(db))
})
