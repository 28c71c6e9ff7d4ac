import { join } from 'node:path'
import { buildApp } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { AccountRefused } from './features/account/index.ts'
import { createLog } from './log.ts'
import { systemClock, testClock } from './platform/clock.ts'
import { DataFolderInUse, ownDataFolder } from './platform/database/owner-lock.ts'
import {
  EmbeddedPostgresUnavailable,
  PostgresDidNotStart,
  startEmbeddedPostgres,
} from './platform/database/embedded.ts'
import { migrate, SchemaIsNewer } from './platform/database/migrate.ts'
import { openDatabase } from './platform/database/pool.ts'
import { systemRandom } from './platform/ids.ts'
import { createBus } from './platform/live/create-bus.ts'

const migrations = join(import.meta.dirname, '../migrations')
const endWithinMs = 9500

/** What was started, in order; it ends in the other one. */
const started: (() => Promise<unknown> | void)[] = []
let isEnding = false

process.on('SIGTERM', () => void end(0))
process.on('SIGINT', () => void end(0))

try {
  await start()
} catch (error) {
  const expected = [
    AccountRefused,
    ConfigError,
    DataFolderInUse,
    EmbeddedPostgresUnavailable,
    PostgresDidNotStart,
    SchemaIsNewer,
  ]
  const isExpected = expected.some((kind) => error instanceof kind) || isAddressInUse(error)
  console.error(isExpected ? (error as Error).message : error)
  await end(1)
}

async function start() {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const clock = config.testClock === undefined ? systemClock : testClock(config.testClock)
  const connection = await connectionOf(config, log)
  await migrate(connection, migrations)
  const database = openDatabase({ connection, clock })
  started.push(() => database.close())
  const bus = createBus({ config, connection, log })
  started.push(() => bus.close())
  const app = await buildApp({ config, database, clock, random: systemRandom, bus, logger: log })
  started.push(() => app.close())
  // A bug that reached nobody: log it, leave in order, and let the next start begin afresh (R16).
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught')
    void end(1)
  })
  if (isEnding) return
  const address = await app.listen({ host: config.host, port: config.port })
  console.log(`ready ${address.replace('127.0.0.1', config.port === 0 ? '127.0.0.1' : 'localhost')}`)
}

async function connectionOf(config: ReturnType<typeof readConfig>, log: ReturnType<typeof createLog>) {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl }
  const lock = await ownDataFolder(config.dataDir)
  started.push(() => lock.release())
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) })
  started.push(() => postgres.stop())
  return postgres.connection
}

async function end(code: number) {
  if (isEnding) return
  isEnding = true
  setTimeout(() => process.exit(code || 1), endWithinMs).unref()
  for (const stop of started.toReversed()) {
    try {
      await stop()
    } catch (error) {
      console.error(error)
      code = 1
    }
  }
  process.exit(code)
}

function isAddressInUse(error: unknown) {
  return (error as { code?: string }).code === 'EADDRINUSE'
}
