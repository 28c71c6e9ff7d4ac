import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { contentOf } from '#server/testing/content.ts'
import { atDatabase, createDatabase, dropDatabase } from '#server/testing/databases.ts'
import { systemClock } from '#server/platform/clock.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { checkBackup, restoreBackup } from '#server/platform/backup/restore.ts'

export const ownMigrations = join(import.meta.dirname, '../../migrations')

/** A database without anything, not even tables, and an empty place for uploads. */
export async function emptyPlaceIn(folder: string, migrations = ownMigrations) {
  const name = `zimmer_restore_${process.pid}_${++places}`
  await createDatabase(inject('server'), name)
  const connection = atDatabase(inject('server'), name)
  const database = openDatabase({ connection, clock: systemClock, max: 2 })
  onTestFinished(async () => {
    await database.close()
    await dropDatabase(inject('server'), name)
  })
  const place = { connection, uploads: join(folder, `uploads-${name}`), migrations }
  return {
    ...place,
    database,
    restore: async (from = join(folder, 'backup.tar.zst')) =>
      restoreBackup(from, await checkBackup(from, migrations), place),
    content: () => contentOf(database),
    uploaded: () => filesOf(place.uploads),
  }
}
let places = 0

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
  idempotency_keys: [],
})
