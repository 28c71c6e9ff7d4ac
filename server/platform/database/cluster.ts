import { execFile } from 'node:child_process'
import { lstat, mkdtemp, open, readFile, readdir, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { giveTo, privateFolder } from './place.ts'
import type { Account } from './place.ts'
import { isAlive } from './processes.ts'

export const superuser = 'zimmer'
export const port = 5432

export class PostgresDidNotStart extends Error {
  override name = 'PostgresDidNotStart'
}

/** What a running Postgres writes into its folder about itself. */
export interface Postmaster {
  pid: number
  connection: ClientConfig & { host: string; port: number; user: string; database: string }
}

export async function readPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid, , , portLine, host] = text.split('\n')
  // While it is being written the last lines are missing.
  if (!pid || !portLine || !host) return undefined
  return { pid: Number(pid), connection: { ...connectionAt(host), port: Number(portLine) } }
}

function connectionAt(host: string) {
  return { host, port, user: superuser, database: 'postgres' }
}

/** 'yes' only from the server of this very folder: a number or a socket may have passed to another. */
export async function answers(postmaster: Postmaster, cluster: string): Promise<'yes' | 'soon' | 'no'> {
  if (!isAlive(postmaster.pid)) return 'no'
  const client = new Client({ ...postmaster.connection, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const shown = await client.query<{ data_directory: string }>('show data_directory')
    return (await isSameFolder(shown.rows[0]?.data_directory, cluster)) ? 'yes' : 'no'
  } catch (error) {
    return notNow.has((error as { code?: string }).code ?? '') ? 'soon' : 'no'
  } finally {
    await client.end().catch(() => {})
  }
}

/** Starting, recovering or stopping; out of connections. */
const notNow = new Set(['57P03', '53300'])

async function isSameFolder(one: string | undefined, other: string) {
  if (one === undefined) return false
  const [first, second] = await Promise.all([realpath(one).catch(() => one), realpath(other)])
  return first === second
}

/** Makes the cluster, under another name first, so that a start cut short leaves no half of one. */
export async function makeCluster(bin: string, cluster: string, account: Account): Promise<void> {
  if (await exists(join(cluster, 'PG_VERSION'))) return giveTo(cluster, account)
  const unfinished = `${cluster}.new-${process.pid}`
  await removeUnfinished(cluster)
  await privateFolder(unfinished, account)
  const options = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--locale-provider=builtin']
  const args = ['-D', unfinished, '-U', superuser, ...options, '--builtin-locale=C.UTF-8']
  try {
    await run(join(bin, 'initdb'), args, { ...account, cwd: '/', env: postgresEnvironment })
    await rename(unfinished, cluster)
    await syncFolder(dirname(cluster))
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another process may have made it at the same moment.
    if (await exists(join(cluster, 'PG_VERSION'))) return
    throw new PostgresDidNotStart(`The embedded Postgres could not be set up (${reasonOf(error)}).`, {
      cause: error,
    })
  }
}

/** The program's own sentence, where there is one. */
function reasonOf(error: unknown) {
  const { stderr = '', message } = error as Error & { stderr?: string }
  return /^initdb: (?:error: )?(.*)/m.exec(stderr)?.[1] ?? message
}

/** Nothing of ours: settings and secrets of the server are no business of Postgres. */
export const postgresEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

const run = promisify(execFile)

async function removeUnfinished(cluster: string) {
  const folder = dirname(cluster)
  for (const name of await readdir(folder)) {
    const pid = /\.new-(\d+)$/.exec(name)?.[1]
    const isDead = pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))
    if (isDead) await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function syncFolder(folder: string) {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

/** The address of a unix socket may have about 100 bytes, its file name included. */
const longestSocketFolder = 100 - `/.s.PGSQL.${port}`.length

/** The folder of the socket: in the home, or, where that is too long, a short one that the home remembers. */
export async function socketFolder(home: string, account: Account): Promise<string> {
  const folder = join(home, 'socket')
  if (Buffer.byteLength(folder) <= longestSocketFolder) {
    await privateFolder(folder, account)
    return folder
  }
  const recorded = join(home, 'socket-folder')
  const known = (await readFile(recorded, 'utf8').catch(() => '')).trim()
  if (known && (await isPrivate(known, account))) return known
  if (known && !(await exists(known))) {
    await privateFolder(known, account)
    return known
  }
  const temporary = Buffer.byteLength(tmpdir()) > longestSocketFolder - 20 ? '/tmp' : tmpdir()
  const short = await mkdtemp(join(temporary, 'zimmer-'))
  await privateFolder(short, account)
  await writeFile(recorded, `${short}\n`)
  return short
}

/** Anybody may make a folder in the temporary one; ours is ours alone. */
async function isPrivate(folder: string, account: Account) {
  const found = await lstat(folder).catch(() => undefined)
  const uid = account.uid ?? process.getuid?.()
  return found?.isDirectory() === true && found.uid === uid && (found.mode & 0o077) === 0
}

async function exists(path: string) {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
