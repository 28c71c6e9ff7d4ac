import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { accepts, freePort } from './ports.ts'
import { programEnvironment } from './programs.ts'

/** PgBouncer refuses to run as root. */
const account = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Starts PgBouncer in transaction mode in front of a database. Its few connections serve any number of clients. */
export async function startPgBouncer(databaseUrl: string, { connectQuery }: { connectQuery?: string } = {}) {
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'zimmer-pgbouncer-'))
  const port = await freePort()
  const [file, log] = [join(folder, 'pgbouncer.ini'), join(folder, 'pgbouncer.log')]
  const place = `host=${hostname} port=${databasePort} dbname=${pathname.slice(1)} user=${username} password=${password}`
  await writeFile(
    file,
    `[databases]
zimmer = ${place}${connectQuery === undefined ? '' : ` connect_query='${connectQuery}'`}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 8
max_client_conn = 200
server_login_retry = 1
logfile = ${log}
`,
  )
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid)
  await chmod(file, 0o644)
  const start = async () => {
    const child = spawn('pgbouncer', [file], { ...account, env: programEnvironment, stdio: 'ignore' })
    const ended = once(child, 'exit')
    while (!(await accepts(port))) {
      if (child.exitCode !== null)
        throw new Error(`PgBouncer did not start: ${await readFile(log, 'utf8').catch(() => '')}`)
      await delay(20)
    }
    return async () => {
      child.kill('SIGKILL')
      await ended
    }
  }
  let kill = await start()
  return {
    url: `postgres://${username}@127.0.0.1:${port}/zimmer`,
    /** Kills PgBouncer and starts it again on the same port. */
    restart: async () => {
      await kill()
      kill = await start()
    },
    stop: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
