import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import type { Settings } from '#server/config.ts'
import { type Clock, systemClock, testClock } from '#server/platform/clock.ts'
import { databaseClock } from '#server/platform/database/database-clock.ts'
import { withEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { cutShort } from '#server/platform/cut-short.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { reachDatabase } from '#server/platform/database/usable.ts'
import { type Random, systemRandom } from '#server/platform/ids.ts'

/** The database that a command uses: that of the server, whether the server runs or not. */
export interface Place {
  config: Settings
  connection: ClientConfig
  database: Database
  clock: Clock
  random: Random
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
