import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import {
  ask,
  giveDataFolder,
  isRoot,
  isUp,
  killedServer,
  makeDataFolder,
  postmasterPid,
  prepareDatabase,
  tryAs,
} from '#server/testing/embedded-postgres.ts'
import { findNativeFolder, runnableBinaries } from './binaries.ts'
import { startEmbeddedPostgres, stopEmbeddedPostgres } from './embedded.ts'
import { isAlive } from './processes.ts'

let dataDir: string
giveDataFolder((folder) => void (dataDir = folder))
const copyDatabase = prepareDatabase()
beforeEach(() => copyDatabase(dataDir))

test('after a kill of the server the next start finds its Postgres and every answered change [R2 R4]', async () => {
  await killedServer(dataDir)
  const pid = await postmasterPid(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres.attached).toBe(true)
  expect(await postmasterPid(dataDir)).toBe(pid)
  expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
  await postgres.stop()
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('after a kill of everything the next start recovers by itself [R2 R4]', async () => {
  await killedServer(dataDir)
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres.attached).toBe(false)
  expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
  await postgres.stop()
})

test('a server whose Postgres dies starts it again at the same address [R15]', async () => {
  const said: string[] = []
  const postgres = await startEmbeddedPostgres({ dataDir, log: (text) => said.push(text) })
  await ask(postgres.connection, 'create table kept as select 42 as n')
  process.kill(await postmasterPid(dataDir), 'SIGKILL')
  await vi.waitUntil(() => isUp(postgres.connection), { timeout: 5000 })
  expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
  expect(said).toContain('Postgres has died and is started again')
  await postgres.stop()
})

const socketFile = () => join(dataDir, 'socket/.s.PGSQL.5432')

test('a server whose socket file is removed restarts its Postgres and loses nothing [R15]', async () => {
  const said: string[] = []
  const postgres = await startEmbeddedPostgres({ dataDir, log: (text) => said.push(text) })
  await ask(postgres.connection, 'create table kept as select 42 as n')
  const pid = await postmasterPid(dataDir)
  await rm(socketFile())
  await vi.waitUntil(() => isUp(postgres.connection), { timeout: 5000 })
  expect(isAlive(pid)).toBe(false)
  expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
  expect(said).toContain('The socket file of Postgres was removed, and Postgres is started again')
  await postgres.stop()
})

test.skipIf(process.platform !== 'linux')(
  'after a kill of the server and the loss of the socket file, the next start ends the old Postgres and starts another [R2 R4]',
  async () => {
    await killedServer(dataDir)
    const pid = await postmasterPid(dataDir)
    await rm(socketFile())
    const postgres = await startEmbeddedPostgres({ dataDir })
    expect([postgres.attached, isAlive(pid)]).toEqual([false, false])
    expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
    await postgres.stop()
  },
)

test.skipIf(process.platform !== 'linux')(
  'a start is refused, and ends no process, when the process in the lock file began at another time than the lock file says [R4 R23]',
  async () => {
    await killedServer(dataDir)
    const pid = await postmasterPid(dataDir)
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

test('a start succeeds, and ends no process, when the lock file holds the process id of another program [R4 R23]', async () => {
  await (await startEmbeddedPostgres({ dataDir })).stop()
  // Postgres looks only at processes of its own account.
  const { uid } = await stat(join(dataDir, 'postgres'))
  const stranger = spawn('sleep', ['60'], { ...(isRoot && { uid }), stdio: 'ignore' })
  await writeFile(join(dataDir, 'postgres/postmaster.pid'), `${stranger.pid}\n${join(dataDir, 'postgres')}\n`)
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(postgres.attached).toBe(false)
  expect(isAlive(stranger.pid ?? 0)).toBe(true)
  stranger.kill()
  await postgres.stop()
})

test('a start completes the first start, which was killed before it stored the password, whatever process id is in the lock file [R2 S5]', async () => {
  const first = await startEmbeddedPostgres({ dataDir })
  await ask(first.connection, 'create table kept as select 42 as n')
  await ask(first.connection, `alter role zimmer password 'lost'`)
  await first.stop()
  for (const name of ['database-password', 'database-access.conf']) await rm(join(dataDir, name))
  const { uid } = await stat(join(dataDir, 'postgres'))
  const stranger = spawn('sleep', ['60'], { ...(isRoot && { uid }), stdio: 'ignore' })
  await writeFile(join(dataDir, 'postgres/postmaster.pid'), `${stranger.pid}\n${join(dataDir, 'postgres')}\n`)
  const postgres = await startEmbeddedPostgres({ dataDir })
  expect(await ask(postgres.connection, 'select n from kept')).toEqual([{ n: 42 }])
  expect(tryAs({}, postgres.connection)).toBe('28P01')
  expect(isAlive(stranger.pid ?? 0)).toBe(true)
  stranger.kill()
  await postgres.stop()
})

test.skipIf(process.platform !== 'linux')(
  'a Postgres that an operator has started by hand keeps the cluster: a start is refused and removes no lock file [R4]',
  async () => {
    await (await startEmbeddedPostgres({ dataDir })).stop()
    const cluster = join(dataDir, 'postgres')
    const { uid, gid } = await stat(cluster)
    const bin = await runnableBinaries(findNativeFolder(), dataDir, isRoot ? { uid, gid } : {})
    // It takes no lock, and has its socket elsewhere.
    const byHand = spawn(
      join(bin, 'postgres'),
      ['-D', cluster, '--listen_addresses=', '-c', `unix_socket_directories=${cluster}`],
      {
        ...(isRoot && { uid, gid }),
        cwd: '/',
        env: { LC_ALL: 'C' },
        stdio: 'ignore',
      },
    )
    onTestFinished(() => void byHand.kill('SIGKILL'))
    const lockFile = () => readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
    await vi.waitUntil(async () => (await lockFile()).includes('ready'), { timeout: 10_000 })
    const before = await lockFile()
    const ending = new AbortController()
    const start = startEmbeddedPostgres({ dataDir, signal: ending.signal })
    const refusals = async () =>
      (await readFile(join(dataDir, 'postgres.log'), 'utf8')).split('already exists').length - 1
    // Before the second try the first one has looked at the lock files.
    await vi.waitUntil(async () => (await refusals()) >= 2, { timeout: 10_000 })
    ending.abort()
    await expect(start).rejects.toThrow('aborted')
    expect([await lockFile(), isAlive(byHand.pid!)]).toEqual([before, true])
    byHand.kill('SIGINT')
    await once(byHand, 'exit')
  },
)

test('a start neither uses nor ends the Postgres of another folder that the lock file names [R4]', async () => {
  const other = await makeDataFolder()
  await copyDatabase(other)
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
