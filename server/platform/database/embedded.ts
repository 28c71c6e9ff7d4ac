import { spawn } from 'node:child_process'
import { open, readFile, rename, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findNativeFolder, runnableBinaries } from './binaries.ts'
import {
  PostgresDidNotStart,
  answers,
  makeCluster,
  port,
  postgresEnvironment,
  readPostmaster,
  socketFolder,
} from './cluster.ts'
import type { Postmaster } from './cluster.ts'
import { isDataFolderOwned } from './owner-lock.ts'
import { placeOf } from './place.ts'
import type { Place } from './place.ts'
import { isAlive } from './processes.ts'

export { EmbeddedPostgresUnavailable } from './binaries.ts'
export { PostgresDidNotStart } from './cluster.ts'

export interface EmbeddedPostgres {
  connection: Postmaster['connection']
  /** True when it was running already, left by a server that was killed or started by another process. */
  attached: boolean
  /** Ends Postgres, whoever started it, and waits until it is gone. */
  stop(): Promise<void>
}

interface Options {
  dataDir: string
  log?: (text: string) => void
  /** For tests: faster, and not safe against a power failure. */
  isThrowaway?: boolean
}

/** Starts the Postgres of the data folder or finds the one that runs, and starts it again when it dies. */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const place = await placeOf(resolve(options.dataDir))
  const { postmaster, attached } = await bringUp(place, options)
  const watch = keepUp(place, options, postmaster)
  return {
    connection: postmaster.connection,
    attached,
    stop: async () => {
      await watch.end()
      await shutDown(place)
    },
  }
}

/**
 * For tools of the command line, which work beside a running server or without one: what was not running is
 * stopped afterwards, unless a server has begun to use it meanwhile.
 */
export async function withEmbeddedPostgres<T>(
  dataDir: string,
  work: (connection: Postmaster['connection']) => Promise<T>,
): Promise<T> {
  const place = await placeOf(resolve(dataDir))
  const { postmaster, attached } = await bringUp(place, { dataDir })
  try {
    return await work(postmaster.connection)
  } finally {
    if (!attached && !(await isDataFolderOwned(dataDir))) await shutDown(place)
  }
}

const patienceMs = 15_000

/** A Postgres that is starting, recovering or stopping is waited for; a dead one's remains may take a moment. */
async function bringUp(
  place: Place,
  options: Options,
): Promise<{ postmaster: Postmaster; attached: boolean }> {
  let deadline = Date.now() + patienceMs
  for (;;) {
    const running = await readPostmaster(place.cluster)
    const answer = running ? await answers(running, place.cluster) : 'no'
    if (running && answer === 'yes') return { postmaster: running, attached: true }
    if (answer === 'soon') {
      deadline = Date.now() + patienceMs
    } else {
      const launched = await launch(place, options)
      if ('postmaster' in launched) return { postmaster: launched.postmaster, attached: false }
      const isOccupied = /already exists|is still in use/.test(launched.complaint)
      if (!isOccupied || Date.now() > deadline)
        throw new PostgresDidNotStart(didNotStart(place, launched.complaint))
    }
    await delay(100)
  }
}

function didNotStart(place: Place, complaint: string) {
  return `The embedded Postgres did not start (${complaint || 'it gave no reason'}); its log is ${logOf(place)}.`
}

const logOf = (place: Place) => join(place.home, 'postgres.log')

async function launch(
  place: Place,
  options: Options,
): Promise<{ postmaster: Postmaster } | { complaint: string }> {
  const { log, isThrowaway = false } = options
  const { home, cluster, account } = place
  const bin = await runnableBinaries(findNativeFolder(), home, account)
  await makeCluster(bin, cluster, account)
  const socket = await socketFolder(home, account)
  const output = await openLog(logOf(place))
  const { size: logStart } = await output.stat()
  const settings = { ...sharedSettings, ...(isThrowaway ? throwawaySettings : durableSettings) }
  const args = Object.entries({ ...settings, unix_socket_directories: socket }).map(
    ([name, value]) => `--${name}=${value}`,
  )
  const child = spawn(join(bin, 'postgres'), ['-D', cluster, '-p', String(port), ...args], {
    ...account,
    cwd: '/',
    env: postgresEnvironment,
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  })
  // Without a process there is no number, which ends the wait below.
  child.once('error', () => {})
  child.unref()
  await output.close()
  while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    const postmaster = await readPostmaster(cluster)
    if (postmaster && postmaster.pid === child.pid && (await answers(postmaster, cluster)) === 'yes') {
      log?.(`Postgres runs in ${cluster} (process ${postmaster.pid})`)
      return { postmaster }
    }
    await delay(20)
  }
  return { complaint: await lastComplaint(logOf(place), logStart) }
}

const sharedSettings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  logging_collector: 'off',
  // What people wrote stands in the texts of failed statements; the server logs those without it.
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
}

const largestLog = 10 * 1024 * 1024

async function openLog(path: string) {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  )
  if (size > largestLog) await rename(path, `${path}.old`)
  return open(path, 'a', 0o600)
}

async function lastComplaint(path: string, from: number) {
  const written = (await readFile(path)).subarray(from).toString()
  const fatal = written.split('\n').filter((line) => /(FATAL|PANIC|error while loading|postgres:)/.test(line))
  return (fatal[0] ?? '').replace(/^.*?(FATAL|PANIC): +/, '')
}

/** Looks every half second whether Postgres still runs. */
function keepUp(place: Place, options: Options, first: Postmaster) {
  let pid = first.pid
  let hasEnded = false
  let repair = Promise.resolve()
  const look = async () => {
    if (isAlive(pid)) return
    options.log?.('Postgres has died and is started again')
    pid = (await bringUp(place, options)).postmaster.pid
  }
  const timer = setInterval(() => {
    repair = repair
      .then(() => (hasEnded ? undefined : look()))
      .catch((error: unknown) => options.log?.(String(error)))
  }, 500).unref()
  return {
    end: () => {
      hasEnded = true
      clearInterval(timer)
      return repair
    },
  }
}

/** For what a killed run has left behind: ends the Postgres of a data folder, if one runs. */
export async function stopEmbeddedPostgres(dataDir: string): Promise<void> {
  await shutDown(await placeOf(resolve(dataDir)))
}

const fastMs = 7000

/** SIGINT ends sessions and writes all; should that take too long, SIGQUIT leaves the rest to the next start. */
async function shutDown(place: Place): Promise<void> {
  const postmaster = await readPostmaster(place.cluster)
  if (!postmaster || (await answers(postmaster, place.cluster)) === 'no') return
  const { pid } = postmaster
  const isThere = async () => isAlive(pid) && (await readPostmaster(place.cluster))?.pid === pid
  const goneBefore = async (deadline: number) => {
    while (Date.now() < deadline && (await isThere())) await delay(20)
    return !(await isThere())
  }
  process.kill(pid, 'SIGINT')
  if (await goneBefore(Date.now() + fastMs)) return
  process.kill(pid, 'SIGQUIT')
  await goneBefore(Infinity)
}
