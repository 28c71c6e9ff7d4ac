import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Settings } from '#server/config.ts'
import { type Clock, systemClock, testClock } from '#server/platform/clock.ts'
import { databaseClock } from '#server/platform/database/database-clock.ts'
import { withEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { cutShort } from '#server/platform/cut-short.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { hasServer } from '#server/platform/database/owner-lock.ts'
import { clusterOf } from '#server/platform/database/place.ts'
import { reachDatabase } from '#server/platform/database/usable.ts'
import { type Random, systemRandom } from '#server/platform/ids.ts'
import { OperatorError } from '#server/platform/operator-error.ts'

/** The database that a command uses: that of the server, whether the server runs or not. */
export interface Place {
  config: Settings
  connection: ClientConfig
  database: Database
  clock: Clock
  random: Random
}

/**
 * Refuses a data folder without a database. Otherwise a command with a mistyped DATA_DIR would make an empty one, and all data
 * would seem lost. Waits while a server makes the database.
 */
export async function requireDatabase(
  { databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  signal: AbortSignal,
): Promise<void> {
  if (databaseUrl !== undefined) return
  const deadline = Date.now() + firstStartPatienceMs
  while (await isWithoutDatabase(dataDir)) {
    // The first start of a server makes the database, which takes about a second.
    if (Date.now() > deadline || !(await hasServer(dataDir)))
      throw new OperatorError(
        `There is no database in ${dataDir}: check DATA_DIR. Only a start, "restore" and "demo" make a database.`,
      )
    await delay(100, undefined, { signal })
  }
}

const firstStartPatienceMs = 15_000

async function isWithoutDatabase(dataDir: string) {
  // Not the folder alone: it is empty while its disk is not mounted.
  const fileOfCluster = join(await clusterOf(dataDir), 'PG_VERSION')
  // The start of the database reports all other errors, such as a `DATA_DIR` that is a file.
  return stat(fileOfCluster).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
  )
}

const migrations = join(import.meta.dirname, '../../migrations')

export async function connect<T>(
  config: Settings,
  work: (place: Place) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const hostClock = config.testClock === undefined ? systemClock : testClock(config.testClock)
  const at = async (connection: ClientConfig) => {
    await migrate(connection, migrations)
    const database = openDatabase({ connection, clock: hostClock, max: 2 })
    try {
      const clock = await databaseClock(database, hostClock)
      return await work({ config, connection, database, clock, random: systemRandom })
    } finally {
      await database.close()
    }
  }
  return config.databaseUrl === undefined
    ? withEmbeddedPostgres(config.dataDir, at, signal)
    : cutShort(reachDatabase(config.databaseUrl).then(at), signal)
}
