import { spawn } from 'node:child_process'
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { exists, syncFolder } from '../files.ts'
import { OperatorError } from '../operator-error.ts'
import { passwordFile, readPassword, superuser } from './access.ts'
import { type Account, giveTo, nobody, type Place, privateFolder } from './place.ts'
import { isAlive, isInThisContainer, startOf, wasStartedAt, wasStartedWith } from './processes.ts'

export const port = 5432

export class PostgresDidNotStart extends OperatorError {}

export type Connection = ClientConfig & { host: string; port: number; user: string; database: string }

/** A Postgres of this folder that has answered. */
export interface Postmaster {
  /** Its process id in its own container. */
  pid: number
  start: string | undefined
  /** False when it runs in another container, which signals of this process do not reach. */
  isHere: boolean
  connection: Connection
}

/** The first lines of postmaster.pid: process id, folder and time of the start. */
export async function readLockFile(cluster: string): Promise<string | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return identityIn(text)
}

function identityIn(text: string) {
  const lines = text.split('\n')
  // While Postgres writes the file, the last lines are missing.
  return lines.length > 4 ? lines.slice(0, 3).join('\n') : undefined
}

/** 'later' while it starts, recovers or stops; 'refused' when it has another password. */
export type Answer = Postmaster | 'later' | 'refused' | 'none'

/** Connects to the socket of this folder. Only the Postgres that wrote the lock file of the cluster counts. */
export async function findPostmaster({ dataDir, home, cluster }: Place): Promise<Answer> {
  const host = await knownSocketFolder(home)
  if (host === undefined) return 'none'
  const connection = await connectionAt(host, dataDir)
  const client = new Client({ ...connection, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ backend: number; lock: string; stat: string | null }>(
      `select pg_backend_pid() as backend, pg_read_file('postmaster.pid') as lock,
        pg_read_file('/proc/self/stat', true) as stat`,
    )
    const { backend, lock, stat } = rows[0]!
    const identity = identityIn(lock)
    // Another container may mount the folder at another path, and a copied folder may name the socket of the original.
    if (identity === undefined || identity !== (await readLockFile(cluster))) return 'none'
    const pid = Number.parseInt(identity, 10)
    const isHere = stat === null || isInThisContainer(backend, stat)
    return { pid, start: startOf(pid), isHere, connection }
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (code === '28P01') return 'refused'
    return notNow.has(code) ? 'later' : 'none'
  } finally {
    await client.end().catch(() => {})
  }
}

/** Without the socket file nobody can open a new connection. Postgres makes the file only when it starts. */
export async function isSocketMissing(socketFolder: string): Promise<boolean> {
  const error = await lstat(join(socketFolder, `.s.PGSQL.${port}`)).catch((reason: unknown) => reason)
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/**
 * The process id of the Postgres of this cluster, when it runs in this container and was ready but its socket file was
 * removed. Undefined while Postgres starts or stops, and where the system does not show how processes started.
 */
export async function findWithoutSocket({ cluster }: Place): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [number, folder, startedAt, , socketFolder, , , status] = text.split('\n')
  if (status?.trim() !== 'ready' || folder !== cluster || !socketFolder) return undefined
  const pid = Number(number)
  const isOurs = isAlive(pid) && wasStartedWith(pid, cluster) && wasStartedAt(pid, Number(startedAt))
  return isOurs && (await isSocketMissing(socketFolder)) ? pid : undefined
}

export async function connectionAt(host: string, dataDir: string): Promise<Connection> {
  // Without the file Postgres requires no password. Some text is sent anyway.
  const password = (await readPassword(dataDir)) ?? 'none'
  return { host, port, user: superuser, database: 'postgres', password }
}

export function passwordRefused(dataDir: string) {
  return new PostgresDidNotStart(
    `The embedded Postgres refuses the password in ${passwordFile(dataDir)}: put back the file that belongs to this database, or end Postgres and remove the file, and the next start sets another password.`,
  )
}

/** Starting, recovering or stopping; out of connections. */
const notNow = new Set(['57P03', '53300'])

interface Making {
  bin: string
  account: Account
  /** The lock of the database, which the program inherits. */
  lock: FileHandle
  signal?: AbortSignal | undefined
}

/**
 * Creates the cluster under another name and then renames it, so that an interrupted start leaves no half cluster. Returns
 * whether the cluster is new.
 */
export async function makeCluster(cluster: string, making: Making): Promise<boolean> {
  await removeUnfinished(cluster)
  if (await exists(join(cluster, 'PG_VERSION'))) {
    await giveTo(cluster, making.account)
    return false
  }
  const folder = `${cluster}.new`
  try {
    const unfinished = await initialise(folder, making)
    await rename(unfinished, cluster)
    await syncFolder(dirname(cluster))
    return true
  } catch (error) {
    making.signal?.throwIfAborted()
    throw new PostgresDidNotStart(
      `The embedded Postgres could not be set up (${(error as Error).message}).`,
      { cause: error },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * initdb needs an account with a name, and the account of Postgres has none. initdb runs as nobody with a group of its
 * own, and only that group may enter the folder around the cluster.
 */
async function initialise(folder: string, { bin, account, lock, signal }: Making) {
  const { gid } = account
  const maker: Account = gid === undefined ? {} : { uid: nobody, gid }
  await mkdir(folder)
  if (gid !== undefined) await chown(folder, 0, gid)
  await chmod(folder, 0o710)
  const unfinished = join(folder, 'cluster')
  await privateFolder(unfinished, maker)
  const options = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--locale-provider=builtin']
  const args = ['-D', unfinished, '-U', superuser, ...options, '--builtin-locale=C.UTF-8']
  await runInitdb(join(bin, 'initdb'), args, { account: maker, lock, signal })
  await giveTo(unfinished, account)
  return unfinished
}

/** Runs initdb. The signal ends it with all its processes. */
function runInitdb(
  program: string,
  args: string[],
  { account, lock, signal }: Pick<Making, 'account' | 'lock' | 'signal'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...account,
      cwd: '/',
      env: postgresEnvironment,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', lock.fd],
    })
    const kill = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
    signal?.addEventListener('abort', kill)
    let complaint = ''
    child.stderr!.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      signal?.removeEventListener('abort', kill)
      if (code === 0) resolve()
      else reject(new Error(/^initdb: (?:error: )?(.*)/m.exec(complaint)?.[1] ?? `initdb ended with ${code}`))
    })
    if (signal?.aborted) kill()
  })
}

/** A minimal environment: Postgres must not get the settings and secrets of the server. */
export const postgresEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

async function removeUnfinished(cluster: string) {
  const folder = dirname(cluster)
  for (const name of await readdir(folder))
    if (name.startsWith(`${basename(cluster)}.new`)) await rm(join(folder, name), { recursive: true })
}

/** The path of a unix socket may have about 100 bytes, its file name included. */
const longestSocketFolder = 100 - `/.s.PGSQL.${port}`.length

const isShort = (folder: string) => Buffer.byteLength(folder) <= longestSocketFolder

/** The folder of the socket: in the home, or, where that path is too long, a short one whose path the home stores. */
async function knownSocketFolder(home: string): Promise<string | undefined> {
  const folder = join(home, 'socket')
  if (isShort(folder)) return folder
  const recorded = await readFile(join(home, 'socket-folder'), 'utf8').catch(() => '')
  return recorded.trim() || undefined
}

export async function makeSocketFolder(home: string, account: Account): Promise<string> {
  const known = await knownSocketFolder(home)
  const isOurs = known !== undefined && (known === join(home, 'socket') || (await isPrivate(known, account)))
  if (known !== undefined && (isOurs || !(await exists(known)))) {
    await privateFolder(known, account)
    return known
  }
  const temporary = Buffer.byteLength(tmpdir()) > longestSocketFolder - 20 ? '/tmp' : tmpdir()
  const short = await mkdtemp(join(temporary, 'zimmer-'))
  await privateFolder(short, account)
  await writeFile(join(home, 'socket-folder'), `${short}\n`)
  return short
}

/** Every account may make files in the temporary folder, so a folder that belongs to another account is not used. */
async function isPrivate(folder: string, account: Account) {
  const found = await lstat(folder).catch(() => undefined)
  const uid = account.uid ?? process.getuid?.()
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}
