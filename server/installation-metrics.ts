import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { Gauge, type Registry } from 'prom-client'
import { findReviewQueue } from './features/feed/index.ts'
import { countMissingFiles, findLastBackup } from './platform/backup/daily.ts'
import { uploadsOf } from './platform/backup/upload-names.ts'
import type { Database } from './platform/database/pool.ts'
import type { PlatformSettings } from './platform/settings.ts'

interface Deps {
  database: Database
  config: Pick<PlatformSettings, 'dataDir'>
}

type Values = Awaited<ReturnType<typeof readValues>>

/** Adds metrics of the installation to `/metrics`. Their values are read at each request for the metrics. */
export function addInstallationMetrics(registry: Registry, { database, config }: Deps) {
  let reading: Promise<Values> | undefined
  // All gauges of one answer share one reading.
  const values = () => (reading ??= readValues(database).finally(() => (reading = undefined)))
  const gauge = (name: string, help: string, valueOf: (values: Values) => number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          this.set(valueOf(await values()))
        },
      }),
    )
  gauge('zimmer_database_up', '1 when the database answers, else 0', ({ isUp }) => Number(isUp))
  gauge(
    'zimmer_database_answer_seconds',
    'Seconds that the queries of these metrics took',
    ({ seconds }) => seconds,
  )
  gauge('zimmer_posts_waiting_for_review', 'Posts that wait for review', ({ waiting }) => waiting)
  gauge(
    'zimmer_posts_oldest_wait_seconds',
    'Seconds that the oldest waiting post has waited',
    ({ oldestSeconds }) => oldestSeconds,
  )
  gauge(
    'zimmer_backup_last_timestamp_seconds',
    'Time of the last daily backup, 0 before the first one',
    ({ lastBackup }) => lastBackup,
  )
  gauge(
    'zimmer_backup_missing_files',
    'Files that the database names and the last daily backup does not contain',
    ({ missingFiles }) => missingFiles,
  )
  addDisks(registry, config.dataDir)
}

async function readValues(database: Database) {
  const start = performance.now()
  try {
    const queue = await findReviewQueue(database)
    const last = await findLastBackup(database)
    const missingFiles = await countMissingFiles(database)
    const seconds = (performance.now() - start) / 1000
    return { isUp: true, seconds, ...queue, lastBackup: (last?.madeAt.getTime() ?? 0) / 1000, missingFiles }
  } catch {
    // The requests that fail are logged. Report NaN: an alert neither fires nor clears on it.
    return { isUp: false, seconds: NaN, waiting: NaN, oldestSeconds: NaN, lastBackup: NaN, missingFiles: NaN }
  }
}

/** Database, uploads and backups may be on disks of their own. */
function addDisks(registry: Registry, dataDir: string) {
  const folders = { data: dataDir, uploads: uploadsOf(dataDir), backups: join(dataDir, 'backups') }
  registry.registerMetric(
    new Gauge({
      name: 'zimmer_disk_bytes',
      help: 'Bytes of the disk of a folder, all and free',
      labelNames: ['folder', 'kind'],
      registers: [],
      async collect() {
        for (const [folder, path] of Object.entries(folders)) {
          const disk = await statfs(path).catch(() => undefined)
          if (disk === undefined) continue
          this.set({ folder, kind: 'all' }, disk.blocks * disk.bsize)
          this.set({ folder, kind: 'free' }, disk.bavail * disk.bsize)
        }
      },
    }),
  )
}
