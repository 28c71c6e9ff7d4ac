import { spawnSync } from 'node:child_process'
import { existsSync, renameSync } from 'node:fs'
import { chmod, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ClientConfig } from 'pg'
import { expect, test, vi } from 'vitest'
import {
  anotherServer,
  ask,
  giveDataFolder,
  isUp,
  postmasterPid,
  prepareDatabase,
} from '#server/testing/embedded-postgres.ts'
import { passwordFile, readPassword, requirePassword } from './access.ts'
import { startEmbeddedPostgres, withEmbeddedPostgres } from './embedded.ts'
import { lockFile } from './file-lock.ts'
import { ownDataFolder } from './owner-lock.ts'
import { placeOf } from './place.ts'
import { isAlive } from './processes.ts'

let dataDir: string
giveDataFolder((folder) => void (dataDir = folder))
/** For tests whose subject is not the first start. */
const copyDatabase = prepareDatabase()

test('an answered change is on disk, even if the settings file of Postgres turns that off [R1 R3]', async () => {
  await copyDatabase(dataDir)
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

test('servers that start together on a fresh folder share one Postgres [R4 R6]', async () => {
  const servers = await Promise.all([
    anotherServer(dataDir, ''),
    anotherServer(dataDir, ''),
    anotherServer(dataDir, ''),
  ])
  expect(servers.map(({ wasAttached }) => wasAttached).toSorted()).toEqual([false, true, true])
  await Promise.all(servers.map(({ kill }) => kill()))
  expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([])
})

test('a start that finds no password uses the one that another start sets at the same moment [R4 R6]', async () => {
  await copyDatabase(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir })
  const { password: _password, ...access } = postgres.connection
  const hidden = `${passwordFile(dataDir)}.hidden`
  await rename(passwordFile(dataDir), hidden)
  const whenRead = {
    ...access,
    // The client reads the host after the first look for a password.
    get host() {
      if (existsSync(hidden)) renameSync(hidden, passwordFile(dataDir))
      return access.host
    },
  }
  await requirePassword(await placeOf(dataDir), {}, whenRead)
  expect((await readPassword(dataDir))?.length).toBe(64)
  await postgres.stop()
})

test('the first start in a folder says that it created a database, and the next start does not', async () => {
  const said: string[] = []
  const start = async () => (await startEmbeddedPostgres({ dataDir, log: (text) => said.push(text) })).stop()
  const created = `Created a new database in ${join(dataDir, 'postgres')}`
  await start()
  expect(said).toEqual([created, expect.stringContaining('Postgres runs in')])
  await start()
  expect(said.filter((text) => text === created)).toHaveLength(1)
})

test('a data folder with a long path gets a socket with a short path, the same at every start', async () => {
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
  await copyDatabase(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir })
  const pid = await postmasterPid(dataDir)
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

test('a command stops the Postgres that it started, and leaves one that others use running [R23]', async () => {
  await copyDatabase(dataDir)
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
  await copyDatabase(dataDir)
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

test('the log of Postgres contains nothing that people wrote [S44]', async () => {
  await copyDatabase(dataDir)
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

test('a start refuses in one sentence a folder that holds other files, and leaves them as they are', async () => {
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres/novel.txt'), 'mine')
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /^The embedded Postgres could not be set up/,
  )
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['novel.txt'])
  expect(await readdir(dataDir)).toEqual(['database.lock', 'postgres'])
})

test('a start that fails names the reason and the log file', async () => {
  await copyDatabase(dataDir)
  await (await startEmbeddedPostgres({ dataDir })).stop()
  await writeFile(join(dataDir, 'postgres/PG_VERSION'), '17\n')
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(
    /^The embedded Postgres did not start \(database files are incompatible with server\); its log is .*postgres\.log\.$/,
  )
})

test('a start that is cancelled at any moment leaves no process, no lock and no unfinished cluster [R17]', async () => {
  const moments = [0, 5, 20, 60, 120, 250, 400, 600, 900, 1300, 2000]
  for (const afterMs of moments) expect(await cancelAfter(afterMs)).toEqual(nothingLeft)
  await (await startEmbeddedPostgres({ dataDir })).stop()
  for (const afterMs of moments) expect(await cancelAfter(Math.round(afterMs / 3))).toEqual(nothingLeft)
}, 60_000)

const nothingLeft = { failure: undefined, processes: [], unfinished: [], isLocked: false }

async function cancelAfter(afterMs: number) {
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

/** Every process of Postgres that has the folder in its command line. */
const processesIn = (folder: string) =>
  spawnSync('pgrep', ['-af', `^[^ ]*(postgres|initdb) .*${folder}`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line !== '')
