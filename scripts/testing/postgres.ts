import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { giveTo } from '#server/platform/database/place.ts'
import { makeThrowawayFolder } from '#server/testing/throwaway.ts'
import { succeeds } from './command.ts'
import { freePort } from './ports.ts'

/** The folder of the machine's newest Postgres server, installed by apt where that is possible. */
export async function provideServerPrograms(): Promise<string | undefined> {
  const found = findServerPrograms()
  if (found !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return found
  console.log('Installing PostgreSQL …')
  // The level of a machine in rescue: what is installed is not started.
  const environment = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  await succeeds('apt-get', ['update', '-qq'], environment)
  await succeeds('apt-get', ['install', '-yqq', '--no-install-recommends', 'postgresql'], environment)
  return findServerPrograms()
}

const oldestVersion = 15

function findServerPrograms() {
  const versionOf = (folder: string) => Number(/\d+/.exec(folder)?.[0])
  return globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql@*/bin'])
    .filter((folder) => versionOf(folder) >= oldestVersion && existsSync(join(folder, 'initdb')))
    .toSorted((one, other) => versionOf(other) - versionOf(one))[0]
}

/** Postgres refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** A server with a password on the loopback, in a folder that goes with it. */
export async function startThrowawayServer(programs: string) {
  const folder = await makeThrowawayFolder('zimmer-postgres-', endLeftover)
  const server = await launch(programs, folder).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  return {
    url: server.url,
    stop: async () => {
      const ended = once(server.process, 'exit')
      server.process.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function endLeftover(folder: string) {
  const lock = await readFile(join(folder, 'cluster/postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number.parseInt(lock)
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (command.includes(folder)) process.kill(pid, 'SIGQUIT')
}

async function launch(programs: string, folder: string) {
  const [cluster, passwordFile, log] = ['cluster', 'password', 'log'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const password = randomBytes(16).toString('hex')
  await writeFile(passwordFile, password)
  await giveTo(folder, account)
  const locale = ['--locale=C.UTF-8', '--encoding=UTF8', '--no-sync']
  const access = ['--username=zimmer', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const options = { ...account, cwd: '/', env: { PATH: '/usr/bin:/bin', TZ: 'UTC' } }
  await promisify(execFile)(join(programs, 'initdb'), ['-D', cluster, ...locale, ...access], options)

  const port = await freePort()
  const settings = { ...quick, listen_addresses: '127.0.0.1', unix_socket_directories: '', port }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const output = await open(log, 'a')
  const process = spawn(join(programs, 'postgres'), ['-D', cluster, ...given], {
    ...options,
    // Ctrl-C is for the tests; they end the server afterwards.
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  })
  await output.close()
  const url = `postgres://zimmer:${password}@127.0.0.1:${port}/postgres`
  while (!(await answers(url))) {
    if (process.exitCode !== null || process.signalCode !== null)
      throw new Error(`Postgres did not start: ${await readFile(log, 'utf8')}`)
    await delay(50)
  }
  return { process, url }
}

const quick = {
  max_connections: 400,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  log_min_messages: 'fatal',
}

async function answers(connectionString: string) {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2000 })
  client.on('error', () => {})
  const isThere = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isThere
}
