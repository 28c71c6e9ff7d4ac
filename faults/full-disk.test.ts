import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import { listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { getCurrentIssue, uploadIssue } from '#contract/magazine/endpoints.ts'
import { stopEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { isAlive } from '#server/platform/database/processes.ts'
import { freeBytes, keptFreeBytes } from '#server/platform/disk.ts'
import { filesOf } from '#server/testing/backup-places.ts'
import { aPdf, aPng, pdfText } from '#server/testing/uploads.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { administrator, startServer } from '../scripts/testing/running-server.ts'
import { zimmer } from './command-line.ts'
import { connectToDatabase, startInstance, startUsedDatabase, storedPosts } from './instance.ts'
import { sendFile } from './send-file.ts'

test('on a full disk changes are refused, reads work and nothing is damaged; within 5 s after there is space changes work again [R15]', async (context) => {
  const dataDir = await smallDisk()
  if (dataDir === undefined) return context.skip('A disk of its own may not be mounted here.')
  let server = await startServer({ dataDir })
  onTestFinished(async () => {
    await server.end('SIGKILL')
    await stopEmbeddedPostgres(dataDir)
  })
  const admin = new HttpClient(() => server.url)
  await admin.does(login, { input: administrator })
  const kept: string[] = []
  let count = 0
  const submit = async () => {
    const content = `Line ${++count} ${'of a long poem '.repeat(2000)}`
    const answer = await admin.tries(submitPost, { input: { content, authorName: 'Ana' } })
    if (answer.status === 201) kept.push(content)
    return answer
  }
  const reads = async () => {
    const calls = [
      admin.tries(getFeedDay, { params: { offset: '0' } }),
      admin.tries(getMe),
      admin.tries(listPendingPosts),
    ]
    return (await Promise.all(calls)).map(({ status }) => status)
  }
  for (let i = 0; i < 5; i++) expect((await submit()).status).toBe(201)

  const filler = join(dataDir, 'filler')
  await fill(filler)
  await until(async () => (await submit()).status === 503)
  for (let i = 0; i < 100; i++) {
    const refused = await submit()
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // A log-out needs hardly any space, but this many would fill the log of the database.
    const entry = { date: '2025-06-10', content: `Text ${i} ${'again '.repeat(2000)}` }
    expect((await admin.tries(saveDiaryEntry, { input: entry })).status).toBe(503)
    expect(await reads()).toEqual([200, 200, 200])
    await delay(20)
  }
  expect(server.process.exitCode).toBeNull()

  await rm(filler)
  await until(async () => (await submit()).status === 201)
  expect((await storedPosts(admin)).map(([content]) => content)).toEqual(kept.toSorted())
  await server.end('SIGTERM')
  server = await startServer({ dataDir })
  expect((await storedPosts(admin)).map(([content]) => content)).toEqual(kept.toSorted())
})

test('an admin who uploads to a full disk, or to one that fills up meanwhile, is refused with 503; no file and no row stays, people write on, and with space again the uploads work [R15 S34]', async (context) => {
  const dataDir = await smallDisk()
  if (dataDir === undefined) return context.skip('A disk of its own may not be mounted here.')
  const server = await startServer({ dataDir })
  onTestFinished(async () => {
    await server.end('SIGKILL')
    await stopEmbeddedPostgres(dataDir)
  })
  const admin = new HttpClient(() => server.url)
  await admin.does(login, { input: administrator })
  const issue = (bytes: number) => sendFile(admin, uploadIssue, aPdf(pdfText.padStart(bytes, '%PDF-1.7\n')))
  const cover = () => sendFile(admin, uploadCover, aPng())
  const url = await urlOf(await issue(megabyte))
  expect((await cover()).status).toBe(201)
  const submits = async (content: string) =>
    (await admin.tries(submitPost, { input: { content, authorName: 'Ana' } })).status === 201
  const uploads = () => filesOf(join(dataDir, 'uploads'))
  const before = [await uploads(), await uploadedRows(dataDir)]

  const filler = join(dataDir, 'filler')
  for (const [free, sends] of [
    // The disk reaches the space that is kept for the database while the file arrives.
    [keptFreeBytes + 8 * megabyte, [() => issue(19 * megabyte)]],
    // The space that is kept for the database.
    [keptFreeBytes - 8 * megabyte, [() => issue(megabyte), cover]],
    [0, [() => issue(megabyte), cover]],
  ] as const) {
    await leaveFree(dataDir, filler, free)
    for (const send of sends) {
      const refused = await send()
      expect([free, refused.status, await refused.json()]).toEqual([
        free,
        503,
        expect.objectContaining({ code: 'Unavailable' }),
      ])
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect([free, free === 0 || (await submits(`With ${free} bytes`))]).toEqual([free, true])
    expect(await admin.does(getCurrentIssue)).toEqual({ url })
  }
  expect(server.process.exitCode).toBeNull()

  await rm(filler)
  expect([await uploads(), await uploadedRows(dataDir)]).toEqual(before)
  await until(async () => (await cover()).status === 201)
  const newest = await urlOf(await issue(19 * megabyte))
  expect(await admin.does(getCurrentIssue)).toEqual({ url: newest })
  expect((await (await fetch(`${server.url}${newest}`)).arrayBuffer()).byteLength).toBe(19 * megabyte)
})

test('a backup ends with a message before it takes the space that the database needs, and leaves no file [R15 R19]', async (context) => {
  const dataDir = await smallDisk()
  if (dataDir === undefined) return context.skip('A disk of its own may not be mounted here.')
  const server = await startServer({ dataDir })
  onTestFinished(async () => {
    await server.end('SIGKILL')
    await stopEmbeddedPostgres(dataDir)
  })
  const admin = new HttpClient(() => server.url)
  await admin.does(login, { input: administrator })
  await mkdir(join(dataDir, 'uploads'))
  // Random bytes, which cannot be compressed.
  await writeFile(join(dataDir, 'uploads/magazine'), randomBytes(170 * 1024 * 1024))
  await mkdir(join(dataDir, 'backups'), { recursive: true })

  let least = Infinity
  const watching = setInterval(
    () => void freeBytes(dataDir).then((free) => (least = Math.min(least, free))),
    5,
  )
  onTestFinished(() => clearInterval(watching))
  const refused = await zimmer(dataDir, ['backup', join(dataDir, 'backups/mine.tar.zst')])
  clearInterval(watching)
  expect(refused).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/^The disk of .*\/backups has no room for the backup: .*\.\n$/),
  })
  expect(await readdir(join(dataDir, 'backups'))).toEqual([])
  expect(least).toBeGreaterThan(40 * 1024 * 1024)
  expect((await admin.tries(submitPost, { input: { content: 'A line', authorName: 'Ana' } })).status).toBe(
    201,
  )
})

test('changes are refused when the disk of the database is full and the data folder is on another disk [R15]', async (context) => {
  const disk = await smallDisk()
  if (disk === undefined) return context.skip('A disk of its own may not be mounted here.')
  const home = join(disk, 'home')
  await mkdir(home, { mode: 0o711 })
  const dataDir = await mkdtemp(join(tmpdir(), `${folderName}${process.pid}-`))
  onTestFinished(() => removeDisk(dataDir))
  await writeFile(join(dataDir, 'postgres-folder'), `${home}\n`)
  const server = await startServer({ dataDir, settings: { LOG_LEVEL: 'info' } })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const admin = new HttpClient(() => server.url)
  await admin.does(login, { input: administrator })
  const submit = () =>
    admin.tries(submitPost, { input: { content: `Line ${Math.random()}`, authorName: 'Ana' } })
  expect((await submit()).status).toBe(201)
  const filler = await open(join(disk, 'filler'), 'w')
  const free = await freeBytes(disk)
  await filler.write(Buffer.alloc(free - 16 * 1024 * 1024))
  await filler.close()
  await until(async () => (await submit()).status === 503)
  const says = (sentence: string) => until(async () => server.output().includes(sentence))
  await says(`"folder":"${join(home, 'postgres')}","msg":"The disk is full: all changes are refused.`)
  await rm(join(disk, 'filler'))
  await until(async () => (await submit()).status === 201)
  await says('The disk has space again: changes are accepted.')
})

test('while the disk of a database with its own server is full, changes are refused without new connections, and people read [R15]', async (context) => {
  const disk = await smallDisk()
  if (disk === undefined) return context.skip('A disk of its own may not be mounted here.')
  const database = await startUsedDatabase()
  const { client } = await startInstance({ DATABASE_URL: database.url })
  const observer = new Client({ connectionString: database.url })
  await observer.connect()
  onTestFinished(() => observer.end())
  const folder = join(disk, 'posts')
  await mkdir(folder)
  const { uid, gid } = await stat(await clusterFolder(observer))
  await chown(folder, uid, gid)
  await observer.query(`create tablespace small location '${folder}'`)
  await observer.query('alter table posts set tablespace small')
  const visitor = client()
  const submit = () =>
    visitor.tries(submitPost, {
      input: { content: `Line ${Math.random()} ${'of a long poem '.repeat(500)}`, authorName: 'Ana' },
    })
  await fill(join(disk, 'filler'))
  await until(async () => (await submit()).status === 503)
  const countConnections = async () => Number((await observer.query(connectionsEver)).rows[0].sessions)
  const before = await countConnections()
  for (let round = 0; round < 20; round++) {
    const refused = await Promise.all(Array.from({ length: 5 }, submit))
    expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    expect((await visitor.tries(getFeedDay, { params: { offset: '0' } })).status).toBe(200)
  }
  // Background work opens some.
  expect((await countConnections()) - before).toBeLessThan(20)
  await rm(join(disk, 'filler'))
  await until(async () => (await submit()).status === 201)
})

/** How many connections the database has had. */
const connectionsEver = 'select sessions from pg_stat_database where datname = current_database()'

const clusterFolder = async (db: Client): Promise<string> =>
  (await db.query('show data_directory')).rows[0].data_directory

const megabyte = 1024 * 1024

const urlOf = async (answer: Response) => ((await answer.json()) as { url: string }).url

/** The ids of the rows that name uploaded files. */
async function uploadedRows(dataDir: string) {
  const db = await connectToDatabase(dataDir)
  try {
    return (await db.query('select id from magazine_issues union all select id from covers order by id')).rows
  } finally {
    await db.end()
  }
}

/** Fills the disk with one file, which is replaced, until only so many bytes are free. */
async function leaveFree(disk: string, filler: string, bytes: number) {
  if (bytes === 0) return fill(filler)
  await rm(filler, { force: true })
  const size = (await freeBytes(disk)) - bytes
  const file = await open(filler, 'w')
  try {
    for (let written = 0; written < size; written += megabyte) await file.write(Buffer.alloc(megabyte))
  } finally {
    await file.close()
  }
}

const folderName = 'zimmer-disk-'

/** Mounts a disk of 400 MB and returns its folder. Returns undefined where mounting is not permitted. */
async function smallDisk() {
  await removeLeftovers()
  const folder = await mkdtemp(join(tmpdir(), `${folderName}${process.pid}-`))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=755', 'zimmer-test', folder])
  if (mounted.status === 0) {
    onTestFinished(() => removeDisk(folder))
    return folder
  }
  await rm(folder, { recursive: true })
  return undefined
}

/** Removes the disks of runs that were killed. */
async function removeLeftovers() {
  for (const name of await readdir(tmpdir())) {
    const maker = new RegExp(`^${folderName}(\\d+)-`).exec(name)?.[1]
    if (maker !== undefined && !isAlive(Number(maker))) await removeDisk(join(tmpdir(), name))
  }
}

async function removeDisk(folder: string) {
  await stopEmbeddedPostgres(folder)
  spawnSync('umount', [folder])
  await rm(folder, { recursive: true, force: true })
}

async function fill(path: string) {
  const file = await open(path, 'w')
  try {
    for (const size of [1024 * 1024, 4096]) await writeUntilFull(() => file.write(Buffer.alloc(size)))
  } finally {
    await file.close()
  }
}

async function writeUntilFull(write: () => Promise<unknown>) {
  for (;;) {
    try {
      await write()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}

async function until(isSo: () => Promise<boolean>) {
  for (const deadline = Date.now() + 5000; !(await isSo()); await delay(20)) {
    if (Date.now() > deadline) throw new Error('It did not come about within 5 s.')
  }
}
