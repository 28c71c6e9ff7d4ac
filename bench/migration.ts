import { join } from 'node:path'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { migrateWhileServing } from '../faults/migration/serving.ts'
import { makeDataFolder, removeDataFolder } from '../scripts/testing/running-server.ts'
import { atMost, fact, printTable } from './table.ts'

/** `node bench/migration.ts 100000` migrates fewer rows. */
const rows = Number(process.argv[2] ?? '1000000')

const dataDir = await makeDataFolder()
try {
  const { connection } = await startEmbeddedPostgres({ dataDir })
  const folder = join(dataDir, 'migrations')
  const { migrationMs, failures, times } = await migrateWhileServing(connection, { rows, folder })
  printTable(`Migration of ${rows} rows while the previous version serves`, [
    atMost('requests that failed', failures.length, 0, '', 0),
    fact('requests', String(times.length)),
    fact('the longest wait of a request', `${Math.max(...times).toFixed(0)} ms`),
    fact('the migration', `${(migrationMs / 1000).toFixed(1)} s`),
  ])
  for (const failure of new Set(failures)) console.error(failure)
} finally {
  await removeDataFolder(dataDir)
}
