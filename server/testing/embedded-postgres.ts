import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { startEmbeddedPostgres, stopEmbeddedPostgres } from '#server/platform/database/embedded.ts'

export const isRoot = process.getuid?.() === 0

/** The name is like that of the folder of the whole run: the next run removes what a killed run has left. */
export const makeDataFolder = (): Promise<string> => mkdtemp(join(tmpdir(), `zimmer-test-${process.pid}-`))

export async function removeDataFolder(dataDir: string): Promise<void> {
  await stopEmbeddedPostgres(dataDir)
  await rm(dataDir, { recursive: true })
}

/** Gives each test of a file a data folder, and then removes the folder and its Postgres. */
export function giveDataFolder(set: (dataDir: string) => void): void {
  let dataDir = ''
  beforeEach(async () => {
    dataDir = await makeDataFolder()
    set(dataDir)
  })
  afterEach(() => removeDataFolder(dataDir))
}

/** Makes a folder with a database of a Postgres that was ended in order. Returns a function that copies it into an empty data folder. */
export function prepareDatabase(): (dataDir: string) => Promise<void> {
  let prepared = ''
  beforeAll(async () => {
    prepared = await makeDataFolder()
    await (await startEmbeddedPostgres({ dataDir: prepared })).stop()
    return () => removeDataFolder(prepared)
  })
  return async (dataDir) => void (await promisify(execFile)('cp', ['-a', `${prepared}/.`, dataDir]))
}

export async function ask(connection: ClientConfig, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection)
  client.on('error', () => {})
  await client.connect()
  return (await client.query(statement).finally(() => client.end())).rows as Record<string, unknown>[]
}

export const isUp = (connection: ClientConfig): Promise<boolean> =>
  ask(connection, 'select 1').then(
    () => true,
    () => false,
  )

export const postmasterPid = async (dataDir: string): Promise<number> =>
  Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])

/** Starts another process, which starts Postgres, does the work, prints `done` and stays until it is killed. */
export async function anotherServer(dataDir: string, work: string) {
  const program = `
    import { startEmbeddedPostgres } from '${import.meta.resolve('#server/platform/database/embedded.ts')}'
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
  const [output] = (await Promise.race([once(child.stdout, 'data'), failed])) as [Buffer]
  failed.catch(() => {})
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { wasAttached: output.includes('true'), kill }
}

/** Leaves a running Postgres with the table `kept`, whose server was killed. */
export async function killedServer(dataDir: string): Promise<void> {
  const server = await anotherServer(dataDir, `await client.query('create table kept as select 42 as n')`)
  await server.kill()
}

export const nobody = { uid: 65534, gid: 65534 }

/** Connects from a process of that account with a wrong password; returns `connected` or the code of the error. */
export function tryAs(account: { uid?: number; gid?: number }, connection: ClientConfig): string {
  const program = `
    import { Client } from '${import.meta.resolve('pg')}'
    const client = new Client(${JSON.stringify({ ...connection, password: 'a guess' })})
    await client.connect().then(() => console.log('connected'), (error) => console.log(error.code))
    await client.end().catch(() => {})`
  const file = spawnSync('node', ['--input-type=module', '-e', program], { ...account, encoding: 'utf8' })
  return file.stdout.trim()
}
