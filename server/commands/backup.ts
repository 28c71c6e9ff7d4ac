import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import type { Settings } from '#server/config.ts'
import { allFileKinds } from '#server/features.ts'
import { listFiles, makeBackup } from '#server/platform/backup/backup.ts'
import { checkBackup, restoreBackup } from '#server/platform/backup/restore.ts'
import { systemClock } from '#server/platform/clock.ts'
import { cutShort } from '#server/platform/cut-short.ts'
import { startEmbeddedPostgres, withEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { ownDataFolder } from '#server/platform/database/owner-lock.ts'
import { reachDatabase } from '#server/platform/database/usable.ts'
import { openUploads } from '#server/platform/uploads/open-uploads.ts'

const migrations = join(import.meta.dirname, '../../migrations')

/**
 * Does not migrate the database, because people make a backup before they start a new version. Fails when a file that the
 * database names is missing, and keeps the backup of all else.
 */
export async function backup(config: Settings, file: string, signal: AbortSignal): Promise<string> {
  const { missing, excluded } = await make(config, file, signal)
  const rest = excluded.size > 0 ? `\nIt leaves out what is no upload: ${listFiles(excluded)}.` : ''
  if (missing.size === 0) return `The backup is in ${file}.${rest}`
  throw new Error(
    `The backup in ${file} is incomplete. The database names files that could not be read: ${listFiles(missing)}.${rest}`,
  )
}

async function make(config: Settings, file: string, signal: AbortSignal) {
  const { databaseUrl, dataDir } = config
  const source = { uploads: openUploads(config), kinds: allFileKinds, now: systemClock.now() }
  const from = (connection: ClientConfig) => makeBackup({ ...source, connection }, file, signal)
  if (databaseUrl !== undefined) return cutShort(reachDatabase(databaseUrl).then(from), signal)
  return withEmbeddedPostgres(dataDir, from, signal)
}

export async function restore(config: Settings, file: string, signal: AbortSignal): Promise<string> {
  const contents = await checkBackup(file, migrations)
  const into = (connection: ClientConfig) =>
    restoreBackup(file, contents, { connection, uploads: openUploads(config), migrations })
  if (config.databaseUrl !== undefined) await cutShort(reachDatabase(config.databaseUrl).then(into), signal)
  else await withOwnPostgres(config.dataDir, into, signal)
  return `Restored as it was at ${contents.madeAt}.`
}

/** Runs while no server and no other command works with the data, and keeps others from starting. */
async function withOwnPostgres(
  dataDir: string,
  work: (connection: ClientConfig) => Promise<void>,
  signal: AbortSignal,
) {
  const folder = await ownDataFolder(dataDir, { holder: 'command', signal })
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, signal })
    const stop = () => postgres.stop()
    // A signal ends the database, and with it the work.
    signal.addEventListener('abort', () => void stop())
    await work(postgres.connection).finally(stop)
  } finally {
    await folder.release()
  }
}
