import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { allFileKinds } from '#server/features.ts'
import { createLog } from '#server/log.ts'
import { lastingOf, startBackups } from '#server/testing/backup-places.ts'
import type { Database } from '../database/pool.ts'
import { countMissingFiles, keepDailyBackup } from './daily.ts'
import { listFiles } from './backup.ts'
import { FolderStore } from '../uploads/folder-store.ts'

const here = startBackups()

/** Runs as an account that may not read the files of root. */
async function withoutRights<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return work()
  process.seteuid!(65534)
  try {
    return await work()
  } finally {
    process.seteuid!(0)
  }
}

/** Puts into the folder of the uploads whatever a disk, a person or another program may have left there. */
async function addStrangeFiles(uploads: string) {
  await mkdir(join(uploads, 'lost+found'))
  await writeFile(join(uploads, 'lost+found/#12'), 'found')
  await writeFile(join(uploads, 'litmag/one\\two'), 'odd')
  await writeFile(Buffer.from(`${uploads}/latin-\xe9`, 'latin1'), 'odd')
  await mkdir(Buffer.from(`${uploads}/latin-\xe9-folder`, 'latin1'))
  await symlink('/etc', join(uploads, 'link'))
  await writeFile(join(uploads, 'huge'), '')
  await truncate(join(uploads, 'huge'), 2 ** 31 + 1)
  const socket = createServer().listen(join(uploads, 'socket'))
  await once(socket, 'listening')
  onTestFinished(() => void socket.close())
}

const strange = {
  'lost+found': 'not an upload',
  'litmag/one\\two': 'odd name',
  'latin-\ufffd': 'odd name',
  'latin-\ufffd-folder/': 'odd name',
  link: 'neither a file nor a folder',
  huge: 'ERR_FS_FILE_TOO_LARGE',
  socket: 'neither a file nor a folder',
  'still-coming.part': 'not complete',
}

test('a backup leaves out and names what it cannot read or restore cannot write, and everything else is restored [R19 R29]', async () => {
  const { db } = await here.startInstance()
  await addStrangeFiles(here.uploads)
  const { missing, excluded } = await here.backupOf(db)
  expect([Object.fromEntries(excluded), missing.size]).toEqual([strange, 0])
  const place = await here.emptyPlace()
  await place.restore()
  expect(Object.keys(await place.uploaded())).toEqual(['empty', 'litmag/one'])
  expect(await place.content()).toEqual(await lastingOf(db))
})

test('a backup goes on without a file and a folder that the account of the server cannot read, and names them [R19 R29]', async () => {
  await mkdir(join(here.uploads, 'private'), { recursive: true })
  await mkdir(join(here.uploads, 'lost+found'))
  for (const name of ['secret', 'shown']) await writeFile(join(here.uploads, name), name)
  await chmod(here.folder, 0o755)
  const hidden = ['private', 'lost+found', 'secret'].map((name) => join(here.uploads, name))
  for (const path of hidden) await chmod(path, 0o000)
  const excluded = new Map<string, string>()
  const members = await withoutRights(() => Array.fromAsync(new FolderStore(here.uploads).members(excluded)))
  for (const path of hidden) await chmod(path, 0o700)
  expect(members.map(({ name }) => name)).toEqual(['uploads/shown'])
  expect(Object.fromEntries(excluded)).toEqual({
    'private/': 'EACCES',
    'lost+found': 'not an upload',
    secret: 'EACCES',
  })
})

test('a restored upload may have any name that a backup takes [R19 R29]', async () => {
  const { db } = await here.startInstance()
  const names = [
    '-rf',
    'new\nline',
    ' blank ',
    '\u202egnp.exe',
    'é',
    'e\u0301',
    'a'.repeat(255),
    '...',
    'tables',
    '.hidden',
    '\ufffd',
  ]
  for (const name of names) await writeFile(join(here.uploads, name), name)
  await mkdir(join(here.uploads, 'uploads/.restoring'), { recursive: true })
  await writeFile(join(here.uploads, 'uploads/.restoring/lost+found'), '')
  const { excluded } = await here.backupOf(db)
  expect([...excluded.keys()]).toEqual(['still-coming.part'])
  const place = await here.emptyPlace()
  await place.restore()
  expect(Object.keys(await place.uploaded()).toSorted()).toEqual(
    [...names, 'uploads/.restoring/lost+found', 'empty', 'litmag/one'].toSorted(),
  )
})

test('an operator does not read of a folder that was removed while the backup listed the uploads [R29]', async () => {
  await mkdir(join(here.uploads, 'gone'), { recursive: true })
  await mkdir(join(here.uploads, 'kept'))
  await writeFile(join(here.uploads, 'file'), '')
  await writeFile(join(here.uploads, 'kept/file'), '')
  const excluded = new Map<string, string>()
  const members = new FolderStore(here.uploads).members(excluded)
  await members.next()
  await rm(join(here.uploads, 'gone'), { recursive: true })
  expect((await Array.fromAsync(members)).map(({ name }) => name)).toEqual(['uploads/kept/file'])
  expect(excluded.size).toBe(0)
})

const [issue, cover] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222']

/** Adds the rows of an issue without a file and of a cover whose file cannot be read. */
async function addRowsWithoutFiles(db: Database) {
  await db.execute(sql`insert into magazine_issues (id, uploaded_at) values (${issue}, app_now())`)
  await db.execute(
    sql`insert into covers (id, uploaded_at, bytes, width, height) values (${cover}, app_now(), 1, 1, 1)`,
  )
  await mkdir(join(here.uploads, `covers/${cover}.webp`), { recursive: true })
}

const lacking = {
  [`magazine/${issue}.pdf`]: 'not found',
  [`covers/${cover}.webp`]: 'not found',
}

test('a backup names each file that the database names and the backup does not contain, and the rest can be restored [R19 R29]', async () => {
  const { db } = await here.startInstance()
  await addRowsWithoutFiles(db)
  await symlink('/nowhere', join(here.uploads, 'magazine'))
  const { missing, excluded } = await here.backupOf(db)
  expect(Object.fromEntries(missing)).toEqual(lacking)
  expect([...excluded.keys()].toSorted()).toEqual(['magazine', 'still-coming.part'])
  const place = await here.emptyPlace()
  await place.restore()
  expect(await place.content()).toEqual(await lastingOf(db))
})

test('a daily backup without a file that the database names is made, says so in the log, and the installation knows it until the next one [R19 R29]', async () => {
  const { db, config, clock } = await here.startInstance()
  await addRowsWithoutFiles(db)
  const lines: { level: number; msg: string; files: string }[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line) as never) })
  const keep = () =>
    keepDailyBackup({
      config: { ...config, dataDir: here.folder },
      database: db,
      clock,
      uploads: new FolderStore(here.uploads),
      kinds: allFileKinds,
      log,
    })
  await keep()
  expect(await readdir(join(here.folder, 'backups'))).toHaveLength(1)
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, 'the daily backup leaves out files'],
    [50, 'the daily backup lacks files that the database names'],
  ])
  expect(lines[0]!.files).toBe('"still-coming.part" (not complete)')
  expect(lines[1]!.files).toContain(`"magazine/${issue}.pdf" (not found)`)
  expect(await countMissingFiles(db)).toBe(2)

  await db.execute(sql`delete from magazine_issues`)
  await db.execute(sql`delete from covers`)
  await rm(join(here.uploads, 'still-coming.part'))
  clock.advance(24 * 60 * 60 * 1000)
  lines.length = 0
  await keep()
  expect([lines, await countMissingFiles(db)]).toEqual([[], 0])
})

test('a long list of files that are left out stays short, and control characters are not printed [R29]', () => {
  const files = new Map(Array.from({ length: 100 }, (_, i) => [`\u001b[2J${i}`, 'odd name']))
  const text = listFiles(files)
  expect(text).toMatch(/^"\\u001b\[2J0" \(odd name\), .* and 80 more$/)
  expect(text).not.toContain('\u001b')
})

test('a backup knows every kind of file that a feature stores [R29]', () => {
  const root = join(import.meta.dirname, '../..')
  const stored = globSync('features/**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/new StoredFiles\(\w+, (\w+)\)/g)])
    .map(([, kind]) => kind)
  expect([...new Set(stored)]).toHaveLength(allFileKinds.length)
})
