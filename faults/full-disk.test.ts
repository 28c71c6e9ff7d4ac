import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { getMe, login } from '#contract/account/endpoints.ts'
import { getFeedDay, listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { stopEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { isAlive } from '#server/platform/database/processes.ts'
import { freeBytes } from '#server/platform/disk.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { administrator, startServer } from '../scripts/testing/running-server.ts'
import { zimmer } from './command-line.ts'
import { storedPosts } from './instance.ts'

test('on a full disk changes are put off, reads work, nothing is damaged, and space brings all back within 5 s [R15]', async (context) => {
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
    // Needs hardly any room; so many of them would use up the log of the database.
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

test('a backup ends before it takes the room that the database needs, says so and leaves nothing [R15 R19]', async (context) => {
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
  // Of random bytes, which cannot be made smaller.
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

test('a full disk of the database is noticed where the data folder is on another disk [R15]', async (context) => {
  const disk = await smallDisk()
  if (disk === undefined) return context.skip('A disk of its own may not be mounted here.')
  const home = join(disk, 'home')
  await mkdir(home, { mode: 0o711 })
  const dataDir = await mkdtemp(join(tmpdir(), `${folderName}${process.pid}-`))
  onTestFinished(() => removeDisk(dataDir))
  await writeFile(join(dataDir, 'postgres-folder'), `${home}\n`)
  const server = await startServer({ dataDir })
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
  await rm(join(disk, 'filler'))
  await until(async () => (await submit()).status === 201)
})

const folderName = 'zimmer-disk-'

/** A folder that is a disk of 400 MB; undefined where nothing may be mounted. */
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

/** Of a run that was killed. */
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
