import { type ChildProcess, execFile, spawn } from 'node:child_process'
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
import { makeCertificate } from './certificate.ts'
import { freePort } from './ports.ts'

const oldestVersion = 15

/** Finds the folder with the programs of the machine's newest Postgres server. */
export function findServerPrograms(): string | undefined {
  const versionOf = (folder: string) => Number(/\d+/.exec(folder)?.[0])
  return globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin', '/opt/homebrew/opt/postgresql@*/bin'])
    .filter((folder) => versionOf(folder) >= oldestVersion && existsSync(join(folder, 'initdb')))
    .toSorted((one, other) => versionOf(other) - versionOf(one))[0]
}

/** Postgres refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

interface Options {
  /** The name in the certificate of a server with TLS, such as `IP:127.0.0.1`. */
  certificateName?: string
}

/** Starts a server with a password on the loopback. `stop` also removes its folder. */
export async function startThrowawayServer(programs: string, options: Options = {}) {
  const folder = await makeThrowawayFolder('zimmer-postgres-', endLeftover)
  const server = await launch(programs, folder, options).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  return {
    url: server.url,
    /** The certificate of a server with TLS. */
    certificate: join(folder, 'fullchain.pem'),
    /** Ends the server as for an update, and starts it again on the same port. */
    restart: async () => {
      await server.end()
      await server.start()
    },
    stop: async () => {
      await server.end()
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

async function launch(programs: string, folder: string, { certificateName }: Options) {
  const [cluster, passwordFile, log] = ['cluster', 'password', 'log'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const password = randomBytes(16).toString('hex')
  await writeFile(passwordFile, password)
  if (certificateName !== undefined) await makeCertificate(folder, certificateName)
  await giveTo(folder, account)
  const locale = ['--locale=C.UTF-8', '--encoding=UTF8', '--no-sync']
  const access = ['--username=zimmer', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const options = { ...account, cwd: '/', env: { PATH: '/usr/bin:/bin', TZ: 'UTC' } }
  await promisify(execFile)(join(programs, 'initdb'), ['-D', cluster, ...locale, ...access], options)

  const port = await freePort()
  const tls = certificateName !== undefined && {
    ssl: 'on',
    ssl_cert_file: join(folder, 'fullchain.pem'),
    ssl_key_file: join(folder, 'privkey.pem'),
  }
  const settings = { ...quick, ...tls, listen_addresses: '127.0.0.1', unix_socket_directories: '', port }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = `postgres://zimmer:${password}@127.0.0.1:${port}/postgres`
  let process: ChildProcess
  const start = async () => {
    const output = await open(log, 'a')
    process = spawn(join(programs, 'postgres'), ['-D', cluster, ...given], {
      ...options,
      // Ctrl-C must not end the server before the tests, which end it themselves.
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    })
    await output.close()
    while (!(await answers(url))) {
      if (process.exitCode !== null || process.signalCode !== null)
        throw new Error(`Postgres did not start: ${await readFile(log, 'utf8')}`)
      await delay(50)
    }
  }
  const end = async () => {
    const ended = once(process, 'exit')
    process.kill('SIGINT')
    await ended
  }
  await start()
  return { url, start, end }
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
