import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ClientConfig } from 'pg'
import { setupLink, setupPath } from '#contract/account/setup/path.ts'
import { buildApp } from './app.ts'
import { type Config, readConfig, type Settings } from './config.ts'
import { hasAdmin, offerSetup } from './features/account/index.ts'
import { howToGetAdmin } from './how-to-get-admin.ts'
import { asSentences } from './log-sentences.ts'
import { createLog } from './log.ts'
import { misspeltSettings } from './misspelt-settings.ts'
import { finishRestore, hasAccounts } from './platform/backup/restore.ts'
import { systemClock, testClock } from './platform/clock.ts'
import { makeDataFolder } from './platform/database/data-folder.ts'
import { ownDataFolder } from './platform/database/owner-lock.ts'
import { startEmbeddedPostgres } from './platform/database/embedded.ts'
import { migrate } from './platform/database/migrate.ts'
import { type Database, openDatabase } from './platform/database/pool.ts'
import {
  findDurabilityFault,
  reachDatabase,
  refusePoolerOfOtherDatabase,
  refusePoolerWithoutSettings,
} from './platform/database/usable.ts'
import { errorText } from './platform/describe-error.ts'
import { checkHost, listenOnMany } from './platform/http/listen.ts'
import { systemRandom } from './platform/ids.ts'
import { createBus } from './platform/live/create-bus.ts'
import { OperatorError } from './platform/operator-error.ts'
import { openSharedStore, type SharedStore } from './platform/shared-store.ts'
import { holdTimeZone } from './platform/time-zone.ts'
import { openUploads } from './platform/uploads/open-uploads.ts'
import { refuseForeignUploads } from './platform/uploads/owner.ts'
import { UploadsUnavailable } from './platform/uploads/upload-store.ts'

const migrations = join(import.meta.dirname, '../migrations')
/**
 * Connections that wait until a busy process accepts them. The kernel drops those beyond, whose callers then try again
 * after 1, 3 and 7 s. The default is 511. The kernel cuts this number to `net.core.somaxconn`.
 */
const backlog = 4096
const endWithinMs = 9500
/** The rest of the time is for the embedded Postgres. */
const closeWithinMs = 6000

/** Addresses of this machine that a browser reaches as `localhost`. */
const anyAddress = /127\.0\.0\.1|0\.0\.0\.0|\[::1?\]/

/** The parts that serve requests, in the order of their start. They stop in reverse order, before the parts in `held`. */
const serving: (() => Promise<unknown> | void)[] = []
/** The data folder and the Postgres in it, which end last, even when a part that uses them does not close. */
const held: (() => Promise<unknown>)[] = []
const ending = new AbortController()
/** Where an error that nothing caught is reported: on standard error, until there is a log. */
let report = (error: unknown) => console.error(errorText(error))

// No code caught this error: report it, stop in order, and exit with 1, so that the process is started again (R16).
process.on('uncaughtException', (error) => {
  report(error)
  void end(1)
})
process.on('SIGTERM', () => void end(0))
process.on('SIGINT', () => void end(0))
// The terminal was closed.
process.on('SIGHUP', () => void end(0))
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Nobody reads the log any more: the reader of the pipe has ended, or the terminal was closed. A full disk ends nothing.
  if (error.code === 'EPIPE' || error.code === 'EIO') void end(1)
})

try {
  await start()
} catch (error) {
  if (!ending.signal.aborted) {
    console.error(error instanceof OperatorError ? error.message : errorText(error))
    await end(1)
  }
}

async function start() {
  const settings = readConfig(process.env)
  const log = createLog(settings.logLevel, outputOf(settings))
  for (const sentence of misspeltSettings(process.env)) log.warn(sentence)
  await makeDataFolder(settings.dataDir)
  await checkHost(settings.host)
  const clock = settings.testClock === undefined ? systemClock : testClock(settings.testClock)
  const connection = await connectionOf(settings, log)
  const uploads = openUploads(settings)
  await finishRestore(connection, uploads).catch(async (error: unknown) => {
    leaveToLater(error, log)
    // A restore may have begun, and whoever signed up now would prevent its repetition.
    if (!(await hasAccounts(connection)))
      throw new OperatorError(
        `The ${uploads.place} does not answer. A start needs it until somebody has an account.`,
      )
  })
  await migrate(connection, migrations)
  ending.signal.throwIfAborted()
  const pooler = settings.databasePoolUrl
  const database = openDatabase({
    connection,
    clock,
    ...(pooler !== undefined && { pooler: { connectionString: pooler } }),
  })
  serving.push(() => database.close())
  if (pooler !== undefined) {
    await refusePoolerOfOtherDatabase(connection, database)
    await refusePoolerWithoutSettings(database)
  }
  const durabilityFault = await findDurabilityFault(database)
  if (durabilityFault !== undefined) log.warn(durabilityFault)
  const zone = await holdTimeZone({
    connection,
    wanted: settings.timeZone,
    onChanged: (error) => {
      log.fatal({ err: error }, 'the time zone was changed')
      void end(1)
    },
  })
  serving.push(() => zone.release())
  const config: Config = { ...settings, timeZone: zone.name }
  const bus = await createBus({ config, connection, log })
  serving.push(() => bus.close())
  let shared: SharedStore | undefined
  if (config.redisUrl !== undefined) {
    shared = await openSharedStore({ url: config.redisUrl, log })
    serving.push(() => shared!.close())
  }
  await refuseForeignUploads(database, uploads).catch((error: unknown) => leaveToLater(error, log))
  const app = await buildApp({ config, database, clock, random: systemRandom, bus, shared, logger: log })
  serving.push(() => app.close())
  report = (error) => log.fatal({ err: error }, 'uncaught')
  const code = (await hasAdmin(database)) ? undefined : await setupCode({ connection, database, log })
  releaseStartMemory()
  ending.signal.throwIfAborted()
  const address = await listenOnMany(app, { host: config.host, port: config.port, backlog })
  const origin = config.port === 0 ? address : address.replace(anyAddress, 'localhost')
  console.log(`ready ${origin}`)
  // Not by the log, whose lines people collect and keep: the code is on the terminal alone, once.
  if (code !== undefined)
    console.log(
      `Make the first admin account at ${setupLink(config.publicOrigin ?? origin, code)} (or enter the code ${code} at ${setupPath}). The code is good once, until the next start.`,
    )
}

/** Gives back 30 MB that only the start needed. It takes some 60 ms, in which nobody waits for an answer yet. */
function releaseStartMemory() {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as NodeJS.GCFunction
  collectGarbage({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/** While the service of the uploads is unavailable, people read and write all else. The next start asks it again. */
function leaveToLater(error: unknown, log: ReturnType<typeof createLog>) {
  if (!(error instanceof UploadsUnavailable)) throw error
  log.warn({ err: error }, 'the service of the uploads is unavailable')
}

/** Says how somebody becomes the first admin. Returns the set-up code, unless another process has printed one. */
async function setupCode({ connection, database, log }: SetupPlace): Promise<string | undefined> {
  const setup = await offerSetup({ connection, database, random: systemRandom })
  if (setup !== undefined) serving.push(setup.release)
  log.warn(howToGetAdmin(process.env))
  if (setup === undefined) log.warn('Another process of this instance has printed the set-up code.')
  return setup?.code
}

interface SetupPlace {
  connection: ClientConfig
  database: Database
  log: ReturnType<typeof createLog>
}

function outputOf({ logFormat }: Settings) {
  const forPeople = logFormat === 'auto' ? process.stdout.isTTY : logFormat === 'sentences'
  return forPeople ? asSentences(process.stdout) : process.stdout
}

async function connectionOf(config: Settings, log: ReturnType<typeof createLog>): Promise<ClientConfig> {
  if (config.databaseUrl !== undefined) return reachDatabase(config.databaseUrl)
  const { signal } = ending
  const { dataDir } = config
  const folder = ownDataFolder(dataDir, { signal, onWait: (text) => log.warn(text) })
  held.push(() => folder.then(({ release }) => release(), nothingToEnd))
  await folder
  const postgres = startEmbeddedPostgres({ dataDir, signal, log: (text) => log.info(text) })
  held.push(() => postgres.then(({ stop }) => stop(), nothingToEnd))
  return (await postgres).connection
}

async function end(code: number) {
  if (ending.signal.aborted) return
  ending.abort()
  setTimeout(() => process.exit(code || 1), endWithinMs).unref()
  const isLate = delay(closeWithinMs, true, { ref: false })
  if (await Promise.race([isLate, stopAll(serving)])) {
    console.error('Requests in progress did not end in time. The database ends now.')
    code = 1
  }
  await stopAll(held)
  process.exit(code)

  async function stopAll(parts: typeof serving) {
    for (const stop of parts.toReversed()) {
      try {
        await stop()
      } catch (error) {
        console.error(errorText(error))
        code = 1
      }
    }
  }
}

/** A start that failed or was given up has ended what it had begun. */
function nothingToEnd() {}
