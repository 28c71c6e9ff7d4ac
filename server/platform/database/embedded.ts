import { type ChildProcess, spawn } from 'node:child_process'
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { cutShort } from '../cut-short.ts'
import { accessFile, readPassword, requirePassword, writeAccess } from './access.ts'
import { findNativeFolder, runnableBinaries } from './binaries.ts'
import {
  PostgresDidNotStart,
  connectionAt,
  findPostmaster,
  findWithoutSocket,
  isSocketMissing,
  makeCluster,
  makeSocketFolder,
  passwordRefused,
  port,
  postgresEnvironment,
  readLockFile,
} from './cluster.ts'
import type { Connection, Postmaster } from './cluster.ts'
import { endPostmaster, endProcess } from './end-postgres.ts'
import { lockFile } from './file-lock.ts'
import { shareDataFolder } from './owner-lock.ts'
import { type Account, accountFor, giveToOwnerOf, type Place, placeOf } from './place.ts'
import { isAlive, wasStartedWith } from './processes.ts'

interface Options {
  dataDir: string
  log?: (text: string) => void
  /** For tests: faster, but a power failure may damage the data. */
  isThrowaway?: boolean
  /** Cancels the start at its next step. What was started before is stopped first. */
  signal?: AbortSignal | undefined
}

/** Starts the Postgres of the data folder, or attaches to a running one, and restarts it when it dies. */
export async function startEmbeddedPostgres(options: Options) {
  const place = await placeOf(resolve(options.dataDir))
  const first = await bringUpHere(place, options)
  const watch = keepUp(place, options, first.postmaster)
  return {
    connection: first.postmaster.connection,
    /** True when Postgres was running already, left by a killed server or started by another process. */
    attached: !first.isNew,
    /** Ends Postgres, also one that another process started, and waits for its end. */
    stop: async () => endPostmaster(await watch.end()),
  }
}

/**
 * Runs the work of a command. It uses the Postgres of a running server. Without one, servers wait while commands run,
 * and the last command ends Postgres. Work that does not end soon after the signal is cut off.
 */
export async function withEmbeddedPostgres<T>(
  dataDir: string,
  work: (connection: Connection) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const folder = await shareDataFolder(dataDir, signal)
  const place = await placeOf(resolve(dataDir))
  if (folder === 'served') return cutShort(work((await findServing(place, signal)).connection), signal)
  let found: Found | undefined
  try {
    found = await bringUp(place, { dataDir, signal })
    return await cutShort(work(found.postmaster.connection), signal)
  } finally {
    await folder.leave(() => stopEmbeddedPostgres(dataDir), found?.isNew ?? false)
  }
}

const patienceMs = 15_000

/** The Postgres of a running server, which may be starting. */
async function findServing(place: Place, signal: AbortSignal | undefined): Promise<Postmaster> {
  for (const deadline = Date.now() + patienceMs; ; await delay(100, undefined, { signal })) {
    const answer = await findPostmaster(place)
    if (typeof answer === 'object') return answer
    if (Date.now() > deadline) throw answer === 'refused' ? passwordRefused(place.dataDir) : silent(place)
  }
}

interface Found {
  postmaster: Postmaster
  /** False when Postgres was running already. */
  isNew: boolean
}

/** Starts Postgres in this container. One in another container is ended first, because it would end with that container. */
async function bringUpHere(place: Place, options: Options): Promise<Found> {
  for (;;) {
    const found = await bringUp(place, options)
    if (found.postmaster.isHere) return found
    options.log?.('A Postgres that was left in another container is ended')
    await endPostmaster(found.postmaster)
  }
}

/**
 * Every Postgres process holds the lock of its database, in any container. The process that gets the lock may start
 * Postgres; the others wait until it answers.
 */
async function bringUp(place: Place, options: Options): Promise<Found> {
  const { signal } = options
  for (let deadline = Date.now() + patienceMs; ; await delay(100, undefined, { signal })) {
    const isLate = Date.now() > deadline
    const lock = await lockFile(join(place.dataDir, 'database.lock'), 'exclusive')
    if (lock) {
      const launched = await launch(place, lock, options).finally(() => lock.close())
      if ('postmaster' in launched) return launched
      const isOccupied = /already exists|is still in use/.test(launched.complaint)
      if (isLate || !isOccupied) throw new PostgresDidNotStart(didNotStart(place, launched.complaint))
    } else {
      const answer = await findPostmaster(place)
      if (typeof answer === 'object') {
        const account = await accountFor(place.cluster)
        return { postmaster: await withPassword(place, account, answer), isNew: false }
      }
      if (answer === 'refused' && isLate) throw passwordRefused(place.dataDir)
      const unreachable = answer === 'none' ? await findWithoutSocket(place) : undefined
      if (unreachable !== undefined) {
        options.log?.('A Postgres whose socket file was removed is ended')
        await endProcess(unreachable)
      }
      if (answer === 'later' || unreachable !== undefined) deadline = Date.now() + patienceMs
      else if (isLate) throw silent(place)
    }
  }
}

function silent({ dataDir }: Place) {
  return new PostgresDidNotStart(
    `A Postgres of the data folder ${dataDir} runs, but does not answer: end it, or the container it runs in, and start again.`,
  )
}

function didNotStart(place: Place, complaint: string) {
  return `The embedded Postgres did not start (${complaint || 'it gave no reason'}); its log is ${logOf(place)}.`
}

const logOf = (place: Place) => join(place.home, 'postgres.log')

async function launch(
  place: Place,
  lock: FileHandle,
  options: Options,
): Promise<Found | { complaint: string }> {
  const { log, isThrowaway = false, signal } = options
  const { dataDir, home, cluster } = place
  const account = await accountFor(cluster)
  const bin = await runnableBinaries(findNativeFolder(), home, account)
  if (await makeCluster(cluster, { bin, account, lock, signal }))
    log?.(`Created a new database in ${cluster}`)
  const socket = await makeSocketFolder(home, account)
  await writeAccess(home, account, (await readPassword(dataDir)) !== undefined)
  signal?.throwIfAborted()
  const output = await openLog(place)
  const { size: logStart } = await output.stat()
  const settings = { ...sharedSettings, ...(isThrowaway ? throwawaySettings : durableSettings) }
  const folders = { unix_socket_directories: socket, hba_file: accessFile(home) }
  const args = Object.entries({ ...settings, ...folders }).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(join(bin, 'postgres'), ['-D', cluster, '-p', String(port), ...args], {
    ...account,
    cwd: '/',
    env: postgresEnvironment,
    detached: true,
    stdio: ['ignore', output.fd, output.fd, lock.fd],
  })
  // When the spawn fails, `child.pid` is undefined and `isRunning` ends the loop.
  child.once('error', () => {})
  child.unref()
  await output.close()
  try {
    while (isRunning(child)) {
      signal?.throwIfAborted()
      const answer = (await readLockFile(cluster))?.startsWith(`${child.pid}\n`)
        ? await findPostmaster(place)
        : 'none'
      if (answer === 'refused') throw passwordRefused(dataDir)
      if (typeof answer === 'object') {
        const postmaster = await withPassword(place, account, answer)
        log?.(`Postgres runs in ${cluster} (process ${postmaster.pid})`)
        return { postmaster, isNew: true }
      }
      await delay(20)
    }
  } catch (error) {
    if (isRunning(child)) await endProcess(child.pid!)
    throw error
  }
  const complaint = await lastComplaint(logOf(place), logStart)
  if (complaint.includes('already exists')) await removeStaleLockFiles(place, socket)
  return { complaint }
}

const isRunning = (child: ChildProcess) =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null

/**
 * Postgres refuses to start while the process id in its lock files exists, which in a new container may be any process.
 * Under our lock the files are stale, unless somebody has started a Postgres on the cluster by hand, which takes no lock.
 */
async function removeStaleLockFiles({ cluster }: Place, socket: string) {
  for (const file of [join(cluster, 'postmaster.pid'), join(socket, `.s.PGSQL.${port}.lock`)]) {
    const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
    if (wasStartedWith(pid, cluster) === false) await rm(file, { force: true })
  }
}

async function withPassword(place: Place, account: Account, found: Postmaster): Promise<Postmaster> {
  await requirePassword(place, account, found.connection)
  return { ...found, connection: await connectionAt(found.connection.host, place.dataDir) }
}

const sharedSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  logging_collector: 'off',
  // The text of a failed statement contains what people wrote. The server logs such failures without it.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
}

const durableSettings = {
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
}
const throwawaySettings = {
  max_connections: '400',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Each new connection derives the key of its password this often.
  scram_iterations: '1',
}

const largestLog = 10 * 1024 * 1024

async function openLog(place: Place) {
  const path = logOf(place)
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size > largestLog) await rename(path, `${path}.old`)
  const log = await open(path, 'a', 0o600)
  await giveToOwnerOf(place.dataDir, path)
  return log
}

async function lastComplaint(path: string, from: number) {
  const written = (await readFile(path)).subarray(from).toString()
  const fatal = written.split('\n').filter((line) => /(FATAL|PANIC|error while loading|postgres:)/.test(line))
  return (fatal[0] ?? '').replace(/^.*?(FATAL|PANIC): +/, '')
}

/**
 * Checks every half second that Postgres runs and has its socket file, and starts Postgres again when it has died or
 * its socket file is missing.
 */
function keepUp(place: Place, options: Options, first: Postmaster) {
  let postmaster = first
  let hasEnded = false
  let repair = Promise.resolve()
  const look = async () => {
    if (isAlive(postmaster.pid)) {
      if (!(await isSocketMissing(postmaster.connection.host))) return
      options.log?.('The socket file of Postgres was removed, and Postgres is started again')
      await endPostmaster(postmaster)
    } else options.log?.('Postgres has died and is started again')
    postmaster = (await bringUpHere(place, options)).postmaster
  }
  const timer = setInterval(() => {
    repair = repair
      .then(() => (hasEnded ? undefined : look()))
      .catch((error: unknown) => options.log?.(String(error)))
  }, 500).unref()
  return {
    /** The Postgres that must be ended. */
    end: async () => {
      hasEnded = true
      clearInterval(timer)
      await repair
      return postmaster
    },
  }
}

/** Ends the Postgres of a data folder, if one runs, such as one that a killed run has left. */
export async function stopEmbeddedPostgres(dataDir: string): Promise<void> {
  const place = await placeOf(resolve(dataDir))
  for (;;) {
    const answer = await findPostmaster(place)
    if (typeof answer === 'object') return endPostmaster(answer)
    if (answer !== 'later') {
      const unreachable = await findWithoutSocket(place)
      return unreachable === undefined ? undefined : endProcess(unreachable)
    }
    await delay(100)
  }
}
