import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { login, register } from '#contract/account/endpoints.ts'
import { findPostmaster } from '#server/platform/database/cluster.ts'
import { lockFile } from '#server/platform/database/file-lock.ts'
import { lockKeys } from '#server/platform/database/lock-keys.ts'
import {
  environment,
  makeDataFolder,
  removeDataFolder,
  startServer,
} from '../scripts/testing/running-server.ts'
import { openCaller, unfinishedPost } from '#server/testing/raw-callers.ts'
import type { Settings } from '../scripts/testing/running-server.ts'
import { isOwned, makeUsedFolder, rounds, startDatabase, startInstance } from './instance.ts'

const withinMs = 10_000
/** Each of these rounds sets up a database of its own. */
const setUps = Math.ceil(rounds / 2)

const has = (name: string) => (dataDir: string) => existsSync(join(dataDir, name))

/** The steps of a start, with a check from outside whether the start has reached them. */
const moments: [string, (dataDir: string) => boolean | Promise<boolean>][] = [
  ['the data folder is locked', has('server.lock')],
  ['the cluster is being created', has('postgres.new')],
  ['the cluster exists', has('postgres')],
  ['Postgres is starting', has('postgres/postmaster.pid')],
  ['Postgres answers', postgresAnswers],
]

function postgresAnswers(dataDir: string) {
  const place = { dataDir, home: dataDir, cluster: join(dataDir, 'postgres') }
  return findPostmaster(place).then((answer) => typeof answer === 'object')
}

test.each(moments)(
  'a server that gets SIGTERM when %s leaves no process and no lock within 10 s [R17]',
  async (_name, isReached) => {
    for (let round = 0; round < setUps; round++) {
      const dataDir = await ownFolder()
      await endWhen(dataDir, ['server/main.ts'], 'SIGTERM', isReached)
      const server = await startServer({ dataDir })
      expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
      await server.end('SIGTERM')
    }
  },
  60_000 + 120_000 * setUps,
)

test('a backup that is interrupted leaves no Postgres, no lock and no file [R17 R19]', async () => {
  const dataDir = await makeUsedFolder()
  onTestFinished(() => removeDataFolder(dataDir))
  const folder = await ownFolder()
  for (let round = 0; round < rounds; round++) {
    const args = ['server/zimmer.ts', 'backup', join(folder, 'backup')]
    const code = await endWhen(dataDir, args, 'SIGINT', postgresAnswers)
    // A backup that was faster than the interruption is complete.
    expect(await readdir(folder)).toEqual(code === 0 ? ['backup'] : [])
    if (code === 0) break
  }
})

test('a server that gets SIGTERM during an unfinished request leaves no database and no lock within 10 s [R17]', async () => {
  const instance = await startInstance()
  await openCaller(instance.server.url, unfinishedPost)
  // When the server answers a later request, it has read the one above.
  expect((await fetch(`${instance.server.url}/health/ready`)).status).toBe(200)
  const { tookMs } = await instance.server.end('SIGTERM')
  expect(tookMs).toBeLessThan(withinMs)
  expect(await instance.postmaster()).toBeUndefined()
  expect(await instance.isOwned()).toBe(false)
})

/** An interrupted command ends within this time, of which its work has 2 s to end by itself. */
const commandWithinMs = 5000

test('a command that is interrupted while another process migrates ends within 5 s and changes nothing [R17]', async () => {
  const { url } = await startDatabase()
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('select pg_advisory_lock($1)', [lockKeys.migrations])
  const asksForLock = async () => {
    const { rows } = await client.query(
      "select 1 from pg_stat_activity where application_name = 'zimmer migrate' and query like '%pg_try_advisory_lock%'",
    )
    return rows.length > 0
  }
  const command = startCommand(await ownFolder(), ['migrate'], { DATABASE_URL: url })
  await command.interrupt(asksForLock)
  await client.query('select pg_advisory_unlock($1)', [lockKeys.migrations])
  await expect.poll(asksForLock).toBe(false)
  const { rows } = await client.query(
    "select nspname from pg_namespace where nspname = 'drizzle' union all select relname from pg_class where relnamespace = 'public'::regnamespace",
  )
  expect(rows).toEqual([])
})

test('a command that is interrupted while it reads an endless password ends within 5 s and changes nothing [R17 S54]', async () => {
  const instance = await startInstance()
  const ana = { email: 'ana@example.org', password: 'lamps and ink 1' }
  await instance.client().does(register, { input: { ...ana, firstName: 'Ana' } })
  const command = startCommand(instance.dataDir, ['password', ana.email])
  // More bytes than a pipe holds: when all of them are written, the command is reading.
  const isReading = () =>
    new Promise<boolean>((resolve) => command.stdin.write('x'.repeat(4 * 1024 * 1024), () => resolve(true)))
  await command.interrupt(isReading)
  expect((await instance.client().tries(login, { input: ana })).status).toBe(200)
})

/** Starts a command whose standard input stays open. */
function startCommand(dataDir: string, words: string[], settings: Settings = {}) {
  const child = spawn('node', ['server/zimmer.ts', ...words], {
    cwd: join(import.meta.dirname, '..'),
    env: environment(dataDir, settings),
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdin.on('error', () => {})
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const ended = once(child, 'close') as Promise<[number | null]>
  return {
    stdin: child.stdin,
    interrupt: async (isReached: () => Promise<boolean>) => {
      while (child.exitCode === null && !(await isReached())) await delay(10)
      const from = performance.now()
      child.kill('SIGINT')
      const [code] = await ended
      expect({ code, complaint }).toEqual({ code: 1, complaint: 'Interrupted.\n' })
      expect(performance.now() - from).toBeLessThan(commandWithinMs)
    },
  }
}

async function ownFolder() {
  const dataDir = await makeDataFolder()
  onTestFinished(() => removeDataFolder(dataDir))
  return dataDir
}

async function endWhen(
  dataDir: string,
  args: string[],
  signal: NodeJS.Signals,
  isReached: (dataDir: string) => boolean | Promise<boolean>,
) {
  const child = spawn('node', args, {
    cwd: join(import.meta.dirname, '..'),
    env: environment(dataDir),
    stdio: 'ignore',
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  while (child.exitCode === null && !(await isReached(dataDir))) await delay(2)
  const from = performance.now()
  child.kill(signal)
  const [code] = await ended
  expect(performance.now() - from).toBeLessThan(withinMs)
  expect([0, 1]).toContain(code)
  expect(await isOwned(dataDir)).toBe(false)
  // Every process of Postgres, and initdb, holds this lock.
  const lock = await lockFile(join(dataDir, 'database.lock'), 'exclusive')
  expect(lock).toBeDefined()
  await lock?.close()
  return code
}
