import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, inject, onTestFinished } from 'vitest'
import { createApiToken } from '#contract/account/tokens/endpoints.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { allFileKinds } from '#server/features.ts'
import { contentOf } from '#server/testing/content.ts'
import { startTestApp } from '#server/testing/test-app.ts'
import { patient } from '#server/testing/warm-database.ts'
import { atDatabase, createDatabase, dropDatabase } from '#server/testing/databases.ts'
import { systemClock } from '#server/platform/clock.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { type Member, readArchive } from '#server/platform/backup/archive.ts'
import { makeBackup } from '#server/platform/backup/backup.ts'
import { checkBackup, restoreBackup } from '#server/platform/backup/restore.ts'
import { FolderStore } from '#server/platform/uploads/folder-store.ts'
import type { UploadStore } from '#server/platform/uploads/upload-store.ts'

export const ownMigrations = join(import.meta.dirname, '../../migrations')

/** A database without anything, not even tables, and an empty place for uploads. */
export async function emptyPlaceIn(folder: string, migrations = ownMigrations) {
  const name = `zimmer_restore_${process.pid}_${++places}`
  await createDatabase(inject('server'), name)
  const connection = atDatabase(inject('server'), name)
  const database = openDatabase({ connection, clock: systemClock, max: 2, ...patient })
  onTestFinished(async () => {
    await database.close()
    await dropDatabase(inject('server'), name)
  })
  const place = { connection, uploads: join(folder, `uploads-${name}`), migrations }
  return {
    ...place,
    database,
    restore: async (
      from = join(folder, 'backup.tar.zst'),
      uploads: UploadStore = new FolderStore(place.uploads),
    ) => restoreBackup(from, await checkBackup(from, migrations), { ...place, uploads }),
    content: () => contentOf(database),
    uploaded: () => filesOf(place.uploads),
  }
}
let places = 0

type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** Makes a backup of an instance, and restores it in an empty place. */
export async function restoredCopyOf(
  { connection, clock }: Pick<TestApp, 'connection' | 'clock'>,
  uploads?: UploadStore,
) {
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-restored-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const source = {
    connection,
    uploads: uploads ?? new FolderStore(join(folder, 'none')),
    kinds: allFileKinds,
  }
  await makeBackup({ ...source, now: clock.now() }, join(folder, 'backup.tar.zst'))
  const place = await emptyPlaceIn(folder)
  await place.restore()
  return place
}

/** Starts an instance with the database and the files of a restored copy. */
export async function startRestored({
  connection,
  uploads,
}: {
  connection: TestApp['connection']
  uploads: string
}) {
  await migrate(connection, ownMigrations)
  const dataDir = `${uploads}-data`
  await mkdir(dataDir)
  await rename(uploads, join(dataDir, 'uploads'))
  const place = { name: 'restored', connection, drop: async () => {} }
  return startTestApp({ place, config: { dataDir } })
}

export async function filesOf(path: string): Promise<Record<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const read = files.map(async (each) => [each.slice(path.length + 1), await readFile(each, 'latin1')])
  return Object.fromEntries((await Promise.all(read)).toSorted())
}

/** All that a backup of it holds: what people were in the middle of is left out. */
export const lastingOf = async (db: Database) => ({
  ...(await contentOf(db)),
  sessions: [],
  api_tokens: [],
  openid_attempts: [],
  webhook_deliveries: [],
  webhook_attempts: [],
  idempotency_keys: [],
})

/** Every member of a backup with its whole content. */
export async function membersOf(file: string): Promise<Member[]> {
  const read = async (name: string, content: AsyncIterable<Buffer>) => ({
    name,
    content: await buffer(content),
  })
  return Array.fromAsync(readArchive(file), ({ name, content }) => read(name, content))
}

/** Texts that a careless format would change. */
export const oddTexts = [
  'tab\tand\\n and \\.\nline',
  '\\N',
  '"quotes", {braces} and $1',
  'Ünïcödé 🖋 \u202e',
  'x'.repeat(49_000),
]

/** Gives each test of a file a folder, with the uploads of an instance and the place of its backup. */
export function startBackups() {
  let folder = ''
  const here = {
    get folder() {
      return folder
    },
    get uploads() {
      return join(folder, 'uploads')
    },
    get file() {
      return join(folder, 'backup.tar.zst')
    },
    emptyPlace: (migrations?: string) => emptyPlaceIn(folder, migrations),
    startInstance: () => startInstanceWith(here.uploads),
    backupOf: ({ connection }: Database) =>
      makeBackup(
        {
          connection,
          uploads: new FolderStore(here.uploads),
          kinds: allFileKinds,
          now: new Date('2025-06-10T12:00:00Z'),
        },
        here.file,
      ),
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zimmer-backup-'))
  })
  afterEach(() => rm(folder, { recursive: true }))
  return here
}

/** Starts an instance with people, posts, uploads and an encrypted diary. */
async function startInstanceWith(uploads: string) {
  const t = await startTestApp({ config: { diaryKey: 'a1'.repeat(32), limitsRates: false } })
  const ana = await t.person({ writingSample: oddTexts[0] })
  for (const content of oddTexts) await ana.does(submitPost, { input: { content, authorName: 'Ana' } })
  await ana.does(saveDiaryEntry, {
    input: { date: '2025-06-10', content: oddTexts[3]! },
    headers: { 'idempotency-key': 'one' },
  })
  await ana.does(createApiToken, { input: { name: 'My script', scopes: ['diary'] } })
  await t.guest()
  await mkdir(join(uploads, 'litmag'), { recursive: true })
  await writeFile(join(uploads, 'litmag/one'), Buffer.from([0, 255, 10, 13, 37]))
  await writeFile(join(uploads, 'empty'), '')
  await writeFile(join(uploads, 'still-coming.part'), 'half')
  return t
}
