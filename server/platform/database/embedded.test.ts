import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { passwordFile, readPassword, requirePassword } from './access.ts'
import { findNativeFolder, runnableBinaries } from './binaries.ts'
import { startEmbeddedPostgres, stopEmbeddedPostgres, withEmbeddedPostgres } from './embedded.ts'
import { lockFile } from './file-lock.ts'
import { ownDataFolder } from './owner-lock.ts'
import { placeOf } from './place.ts'
import { isAlive } from './processes.ts'

const isRoot = process.getuid?.() === 0

// Named as those of the whole run, so that what a killed run leaves behind is cleared by the next.
const freshFolder = join(tmpdir(), `zimmer-test-${process.pid}-`)

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(freshFolder)
})
afterEach(async () => {
  await stopEmbeddedPostgres(dataDir)
  await rm(dataDir, { recursive: true })
})

async function ask(connection: ClientConfig, statement: string) {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  return (await client.query(statement).finally(() => client.end())).rows as Record<string, unknown>[]
}

const postmasterPid = async () =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

const isUp = (connection: ClientConfig) =>
  ask(connection, 'select 1').then(
    () => true,
    () => false,
  )

/** Another process, which starts Postgres, does its work, says `done` and stays. */
async function anotherServer(work: string) {
  const program = `
    import { startEmbeddedPostgres } from '${new URL('./embedded.ts', import.meta.url).href}'
    import { Client } from '${import.meta.resolve('pg')}'
    const { connection, attached, stop } = await startEmbeddedPostgres({ dataDir: process.argv[1] })
    const client = new Client(connection)
    client.on('error', () => {})
    await client.connect()
    ${work}
    console.log('done', attached)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const failed = once(child, 'exit').then(() =>
    Promise.reject(new Error('The server ended before it was ready.')),
  )
  const [said] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer]
  failed.catch(() => {})
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { wasAttached: said.includes('true'), kill }
}

async function killedServer() {
  const server = await anotherServer(`await client.query('create table kept as select 42 as n')`)
  await server.kill()
}

test('after a kill of the server the next start finds its Postgres and every answered change [R2 R4]', async () => {
  await killedServer()
  const pid = await postmasterPid()
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres.attached).toBe(true)
  expect(await postmasterPid()).toBe(pid)
  expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
  await postgres.stop()
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('after a kill of everything the next start recovers by itself [R2 R4]', async () => {
  await killedServer()
  process.kill(await postmasterPid(), 'SIGKILL')
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres.attached).toBe(false)
  expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
  await postgres.stop()
})

test('a Postgres that dies under a running server is started again at the same address [R15]', async () => {
  const said: string[] = []
  const postgres = await startEmbeddedPostgres({ dataDir, log: (text) => said.push(text) })
  await ask(postgres.connection, 'create table kept as select 42 as n')
  process.kill(await postmasterPid(), 'SIGKILL')
  await vi.waitUntil(() => isUp(postgres.connection), { timeout: 5000 })
  expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
  expect(said).toContain('Postgres has died and is started again')
  await postgres.stop()
})

const socketFile = () => join(dataDir, 'socket/.s.PGSQL.5432')

test('a running server whose socket file is removed starts its Postgres again and loses nothing [R15]', async () => {
  const said: string[] = []
  const postgres = await startEmbeddedPostgres({ dataDir, log: (text) => said.push(text) })
  await ask(postgres.connection, 'create table kept as select 42 as n')
  const pid = await postmasterPid()
  await rm(socketFile())
  await vi.waitUntil(() => isUp(postgres.connection), { timeout: 5000 })
  expect(isAlive(pid)).toBe(false)
  expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
  expect(said).toContain('The socket file of Postgres was removed, and Postgres is started again')
  await postgres.stop()
})

test.skipIf(process.platform !== 'linux')(
  'after a kill of the server and a loss of the socket file the next start ends the old Postgres and starts another [R2 R4]',
  async () => {
    await killedServer()
    const pid = await postmasterPid()
    await rm(socketFile())
    const postgres = await startEmbeddedPostgres({ dataDir })
    expect([postgres.attached, isAlive(pid)]).toEqual([false, false])
    expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
    await postgres.stop()
  },
)

test.skipIf(process.platform !== 'linux')(
  'a process with the number of the missing Postgres that started at another time is left alone, and the start is refused [R4 R23]',
  async () => {
    await killedServer()
    const pid = await postmasterPid()
    const file = join(dataDir, 'postgres/postmaster.pid')
    const lines = (await readFile(file, 'utf8')).split('\n')
    await writeFile(file, lines.with(2, String(Number(lines[2]) - 3600)).join('\n'))
    await rm(socketFile())
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('runs, but does not answer')
    expect(isAlive(pid)).toBe(true)
    process.kill(pid, 'SIGINT')
    await vi.waitUntil(() => !isAlive(pid), { timeout: 10_000 })
  },
)

test('what an answered change needs to reach the disk is on, whatever the settings file says [R1 R3]', async () => {
  const first = await startEmbeddedPostgres({ dataDir })
  await ask(first.connection, 'alter system set fsync = off')
  await ask(first.connection, 'alter system set synchronous_commit = off')
  await first.stop()
  const { connection, stop } = await startEmbeddedPostgres({ dataDir })
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    expect(await ask(connection, `select current_setting('${name}') as value`)).toEqual([{ value: 'on' }])
  }
  expect(await ask(connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  await stop()
})

test('the number of a stranger in the lock file does not prevent the start, and the stranger is left alone [R4 R23]', async () => {
  await (await startEmbeddedPostgres({ dataDir })).stop()
  // Postgres looks only at numbers of its own account.
  const { uid } = await stat(join(dataDir, 'postgres'))
  const stranger = spawn('sleep', ['60'], { ...(isRoot && { uid }), stdio: 'ignore' })
  await writeFile(join(dataDir, 'postgres/postmaster.pid'), `${stranger.pid}\n${join(dataDir, 'postgres')}\n`)
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres.attached).toBe(false)
  expect(isAlive(stranger.pid ?? 0)).toBe(true)
  stranger.kill()
  await postgres.stop()
})

test('a lock file that names another running Postgres does not lead there, nor end it [R4]', async () => {
  const other = await mkdtemp(freshFolder)
  const theirs = await startEmbeddedPostgres({ dataDir: other })
  await (await startEmbeddedPostgres({ dataDir })).stop()
  const lockFile = join(dataDir, 'postgres/postmaster.pid')
  const lock = await readFile(join(other, 'postgres/postmaster.pid'), 'utf8')
  await writeFile(lockFile, lock)
  await stopEmbeddedPostgres(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(await isUp(theirs.connection)).toBe(true)
  expect(await ask(postgres.connection, 'show data_directory')).toEqual([
    { data_directory: join(dataDir, 'postgres') },
  ])
  await postgres.stop()
  await theirs.stop()
  await rm(other, { recursive: true })
})

test('servers that start together on a fresh folder share one Postgres [R4 R6]', async () => {
  const servers = await Promise.all([anotherServer(''), anotherServer(''), anotherServer('')])
  expect(servers.map(({ wasAttached }) => wasAttached).toSorted()).toEqual([false, true, true])
  await Promise.all(servers.map(({ kill }) => kill()))
  expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([])
})

test('a start that sees no password yet uses the one that another start sets at that moment [R4 R6]', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir })
  const { password: _password, ...access } = postgres.connection
  const hidden = `${passwordFile(dataDir)}.hidden`
  await rename(passwordFile(dataDir), hidden)
  const whenRead = {
    ...access,
    // The client reads it after the first look for a password.
    get host() {
      if (existsSync(hidden)) renameSync(hidden, passwordFile(dataDir))
      return access.host
    },
  }
  await requirePassword(await placeOf(dataDir), {}, whenRead)
  expect((await readPassword(dataDir))?.length).toBe(64)
  await postgres.stop()
})

test('a folder with a long address gets a short socket, the same at every start', async () => {
  await chmod(dataDir, 0o755)
  const deep = join(
    dataDir,
    'a-folder-with-a-rather-long-name'.repeat(2),
    'and-another-one-inside-of-it'.repeat(2),
  )
  const first = await startEmbeddedPostgres({ dataDir: deep })
  expect(await ask(first.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  await first.stop()
  await rm(first.connection.host, { recursive: true })
  const second = await startEmbeddedPostgres({ dataDir: deep })
  expect(second.connection.host).toBe(first.connection.host)
  expect(dirname(second.connection.host)).toBe(tmpdir())
  await second.stop()
  await rm(second.connection.host, { recursive: true })
})

test('stopping ends open transactions and leaves no process within ten seconds [R17]', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir })
  const pid = await postmasterPid()
  const asleep = ask(postgres.connection, 'begin; select pg_sleep(60)').catch((error: unknown) => error)
  await vi.waitUntil(async () => {
    const found = await ask(
      postgres.connection,
      `select 1 from pg_stat_activity where wait_event = 'PgSleep'`,
    )
    return found.length === 1
  })
  await postgres.stop()
  await expect.poll(() => isAlive(pid)).toBe(false)
  expect(await asleep).toMatchObject({ code: '57P01' })
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid')
}, 10_000)

const askOne = (connection: ClientConfig) => ask(connection, 'select 1 as one')

test('a command stops what it started, and leaves what others use [R23]', async () => {
  const one = [{ one: 1 }]
  let used: ClientConfig = {}
  const work = (connection: ClientConfig) => askOne((used = connection))
  expect(await withEmbeddedPostgres(dataDir, work)).toEqual(one)
  expect(await isUp(used)).toBe(false)

  const folder = await ownDataFolder(dataDir)
  const serving = await startEmbeddedPostgres({ dataDir })
  expect(await withEmbeddedPostgres(dataDir, work)).toEqual(one)
  expect(await isUp(used)).toBe(true)
  await serving.stop()
  await folder.release()

  const outcomes = await Promise.all([1, 2, 3].map(() => withEmbeddedPostgres(dataDir, work)))
  expect(outcomes).toEqual([one, one, one])
  expect(await isUp(used)).toBe(false)
})

test('a command that is interrupted ends the Postgres that it started [R17]', async () => {
  const ending = new AbortController()
  let used: ClientConfig = {}
  const interrupted = withEmbeddedPostgres(
    dataDir,
    async (connection) => {
      used = connection
      ending.abort()
      await ask(connection, 'select pg_sleep(60)')
    },
    ending.signal,
  )
  await expect(interrupted).rejects.toThrow('aborted')
  expect(await isUp(used)).toBe(false)
}, 30_000)

test('the log tells nothing of what people wrote [S44]', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir })
  await ask(postgres.connection, 'create table diary (text text unique)')
  await ask(postgres.connection, `insert into diary values ('my secret')`)
  await expect(ask(postgres.connection, `insert into diary values ('my secret')`)).rejects.toThrow(
    'duplicate key',
  )
  await expect(ask(postgres.connection, `select 'my secret'::date`)).rejects.toThrow('my secret')
  await postgres.stop()
  expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('secret')
})

test('a folder that cannot become a database is refused in one sentence, and left as it is', async () => {
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/novel.txt'), 'mine')
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /^The embedded Postgres could not be set up/,
  )
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['novel.txt'])
  expect(await readdir(dataDir)).toEqual(['database.lock', 'postgres'])
})

test('a start that cannot succeed says why and where to look', async () => {
  await (await startEmbeddedPostgres({ dataDir })).stop()
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /^The embedded Postgres did not start \(database files are incompatible with server\); its log is .*postgres\.log\.$/,
  )
})

test.runIf(isRoot)('root may keep its data where nobody else can look (needs root)', async () => {
  const hidden = join(dataDir, 'private')
  await mkdir(hidden, { mode: 0o700 })
  await chmod(dataDir, 0o700)
  const first = await startEmbeddedPostgres({ dataDir: join(hidden, 'data') })
  await ask(first.connection, 'create table kept as select 42 as n')
  await first.stop()
  const second = await startEmbeddedPostgres({ dataDir: join(hidden, 'data') })
  expect(await ask(second.connection, 'select n from kept')).toEqual([{ n: 42 }])
  await second.stop()
  const elsewhere = (await readFile(join(hidden, 'data/postgres-folder'), 'utf8')).trim()
  await rm(elsewhere, { recursive: true })
})

test.runIf(isRoot)(
  'files that root has copied here are handed to the account of Postgres (needs root)',
  async () => {
    const first = await startEmbeddedPostgres({ dataDir })
    await ask(first.connection, 'create table kept as select 42 as n')
    await first.stop()
    execFileSync('chown', ['-R', 'root:root', join(dataDir, 'postgres')])
    const second = await startEmbeddedPostgres({ dataDir })
    expect(await ask(second.connection, 'select n from kept')).toEqual([{ n: 42 }])
    await second.stop()
  },
)

const nobody = { uid: 65534, gid: 65534 }

/** What the account can do with the database from outside of the server; the program speaks as `superuser` does. */
function tryAs(account: { uid?: number; gid?: number }, connection: ClientConfig) {
  const program = `
    import { Client } from '${import.meta.resolve('pg')}'
    const client = new Client(${JSON.stringify({ ...connection, password: 'a guess' })})
    await client.connect().then(() => console.log('connected'), (error) => console.log(error.code))
    await client.end().catch(() => {})`
  const file = spawnSync('node', ['--input-type=module', '-e', program], { ...account, encoding: 'utf8' })
  return file.stdout.trim()
}

test('nobody without the password of the server connects, not even under its own account [S5]', async () => {
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(tryAs({}, postgres.connection)).toBe('28P01')
  const file = join(dataDir, 'database-password')
  expect((await readFile(file, 'utf8')).trim()).toBe(postgres.connection.password)
  const { mode, uid } = await stat(file)
  expect({ mode: mode & 0o777, uid }).toEqual({ mode: 0o600, uid: process.getuid?.() })
  expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain(postgres.connection.password)
  await postgres.stop()
})

test.runIf(isRoot)(
  'a process of the account nobody cannot connect to the Postgres of a root server (needs root) [S5]',
  async () => {
    await chmod(dataDir, 0o755)
    const postgres = await startEmbeddedPostgres({ dataDir })
    expect(tryAs(nobody, postgres.connection)).toBe('EACCES')
    const { uid } = await stat(join(dataDir, 'postgres'))
    expect([0, nobody.uid]).not.toContain(uid)
    for (const folder of ['postgres', 'socket']) {
      const { mode, uid: owner } = await stat(join(dataDir, folder))
      expect({ mode: mode & 0o777, owner }).toEqual({ mode: 0o700, owner: uid })
    }
    expect(spawnSync('kill', ['-0', String(await postmasterPid())], nobody).status).not.toBe(0)
    await postgres.stop()
  },
)

/** The cluster as version 1.0.0 left it: no password, no lock, and as root the account nobody. */
async function clusterOfBefore(password = 'null') {
  const first = await startEmbeddedPostgres({ dataDir })
  await ask(first.connection, 'create table kept as select 42 as n')
  await ask(first.connection, `alter role zimmer password ${password}`)
  await first.stop()
  for (const name of ['database-password', 'database-access.conf', 'database.lock', 'server.lock'])
    await rm(join(dataDir, name), { force: true })
  if (isRoot)
    execFileSync('chown', ['-R', 'nobody:nogroup', join(dataDir, 'postgres'), join(dataDir, 'socket')])
}

/** Postgres as version 1.0.0 started it. */
async function postgresOfBefore() {
  const bin = await runnableBinaries(findNativeFolder(), dataDir, isRoot ? nobody : {})
  const args = ['-D', join(dataDir, 'postgres'), '-p', '5432', '--listen_addresses=']
  const child = spawn(
    join(bin, 'postgres'),
    [...args, `--unix_socket_directories=${join(dataDir, 'socket')}`],
    {
      ...(isRoot && nobody),
      cwd: '/',
      env: { LC_ALL: 'C' },
      stdio: 'ignore',
    },
  )
  await vi.waitUntil(() => isUp(openConnection()), { timeout: 10_000 })
  return child
}

const openConnection = () => ({ host: join(dataDir, 'socket'), user: 'zimmer', database: 'postgres' })

/** What the next start makes of it. */
async function nextStart() {
  const postgres = await startEmbeddedPostgres({ dataDir })
  const kept = await ask(postgres.connection, 'select n from kept')
  const withoutPassword = tryAs({}, postgres.connection)
  const { uid } = await stat(join(dataDir, 'postgres/base'))
  await postgres.stop()
  return { kept, withoutPassword, isOfNobody: uid === nobody.uid }
}

const broughtOver = { kept: [{ n: 42 }], withoutPassword: '28P01', isOfNobody: false }

test('a cluster of an earlier version is brought over at the next start, and loses nothing [R2 S5]', async () => {
  await chmod(dataDir, 0o755)
  await clusterOfBefore()
  expect(await nextStart()).toEqual(broughtOver)
})

test('a Postgres that a killed server of an earlier version left is ended and brought over [R2 R4 S5]', async () => {
  await chmod(dataDir, 0o755)
  await clusterOfBefore()
  const child = await postgresOfBefore()
  expect(await nextStart()).toEqual(broughtOver)
  expect(isAlive(child.pid!)).toBe(false)
})

test('a start that is killed while it brings a cluster over is finished by the next one [R2 S5]', async () => {
  await chmod(dataDir, 0o755)
  // The password was set, but not kept; half of the files are handed over; a lock file was left.
  await clusterOfBefore(`'lost'`)
  const stale = join(dataDir, 'socket/.s.PGSQL.5432.lock')
  await writeFile(stale, '4194304\n')
  if (isRoot) {
    execFileSync('chown', ['-R', '60600:60600', join(dataDir, 'postgres/base')])
    execFileSync('chown', ['nobody:nogroup', stale])
  }
  expect(await nextStart()).toEqual(broughtOver)
})

test('a start that is given up at any moment leaves no process, no lock and no half of a cluster [R17]', async () => {
  const moments = [0, 5, 20, 60, 120, 250, 400, 600, 900, 1300, 2000]
  for (const afterMs of moments) expect(await giveUp(afterMs)).toEqual(nothingLeft)
  await (await startEmbeddedPostgres({ dataDir })).stop()
  for (const afterMs of moments) expect(await giveUp(Math.round(afterMs / 3))).toEqual(nothingLeft)
}, 60_000)

const nothingLeft = { failure: undefined, processes: [], unfinished: [], isLocked: false }

async function giveUp(afterMs: number) {
  const signal = AbortSignal.timeout(afterMs)
  const failure = await startEmbeddedPostgres({ dataDir, signal }).then(
    (postgres) => postgres.stop(),
    (error: unknown) =>
      error === signal.reason || (error as Error).name === 'AbortError' ? undefined : error,
  )
  const lock = await lockFile(join(dataDir, 'database.lock'), 'exclusive')
  await lock?.close()
  return {
    failure,
    processes: processesIn(dataDir),
    unfinished: (await readdir(dataDir)).filter((name) => name.includes('.new')),
    isLocked: lock === undefined,
  }
}

/** Every process that names the folder in its command. */
const processesIn = (folder: string) =>
  spawnSync('pgrep', ['-af', `^[^ ]*(postgres|initdb) .*${folder}`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '')
