import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inject, onTestFinished } from 'vitest'
import { login } from '#contract/account/endpoints.ts'
import { listPendingPosts } from '#contract/feed/endpoints.ts'
import { findPostmaster, readLockFile } from '#server/platform/database/cluster.ts'
import { connectClient } from '#server/platform/database/connection.ts'
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts'
import { lockFile } from '#server/platform/database/file-lock.ts'
import { placeOf } from '#server/platform/database/place.ts'
import { isAlive } from '#server/platform/database/processes.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import {
  administrator,
  makeDataFolder,
  removeDataFolder,
  ServerDidNotStart,
  startServer,
} from '../scripts/testing/running-server.ts'
import type { RunningServer, Settings } from '../scripts/testing/running-server.ts'
import { copyUsedFolder } from '../scripts/testing/used-folder.ts'

/** How often a fault is repeated: once in `npm test`, twice in `npm run test:both`, more often by `npm run faults -- --rounds 20`. */
export const rounds = Number(process.env.ROUNDS ?? '1')

/** Makes a data folder with the database of a server that was ended in order. */
export const makeUsedFolder = () => copyUsedFolder(inject('usedFolder'))

/** Makes an empty data folder, which is removed after the test. */
export async function makeTestFolder(): Promise<string> {
  const dataDir = await makeDataFolder()
  onTestFinished(() => removeDataFolder(dataDir))
  return dataDir
}

/** The output of a server that cannot start, by default in an empty data folder. */
export async function complaintOf(settings: Settings, dataDir?: string): Promise<string> {
  try {
    const server = await startServer({ dataDir: dataDir ?? (await makeTestFolder()), settings })
    await server.end('SIGKILL')
  } catch (error) {
    if (error instanceof ServerDidNotStart) return error.message
    throw error
  }
  throw new Error('The server started.')
}

/** A data folder and the server that runs on it. Both are removed after the test. */
export async function startInstance(settings: Settings = {}, command?: [string, ...string[]]) {
  return whileTesting(await startSharedInstance(settings, command))
}

/** As `startInstance`, for all tests of a file. The caller returns `remove` from `beforeAll`. */
export async function startSharedInstance(settings: Settings = {}, command?: [string, ...string[]]) {
  const dataDir = await (settings.DATABASE_URL === undefined ? makeUsedFolder() : makeDataFolder())
  const start = () => startServer({ dataDir, settings, ...(command && { command }) })
  let server: RunningServer = await start()
  return {
    dataDir,
    get server() {
      return server
    },
    client: (samePerson?: HttpClient) => new HttpClient(() => server.url, samePerson),
    startAgain: async () => {
      server = await start()
    },
    postmaster: () => postmasterOf(dataDir),
    isOwned: () => isOwned(dataDir),
    remove: async () => {
      await server.end('SIGKILL', 'terminal')
      await removeDataFolder(dataDir)
    },
  }
}

function whileTesting<T extends { remove: () => Promise<void> }>(started: T): T {
  onTestFinished(started.remove)
  return started
}

/** True while a process has the lock of the data folder. */
export async function isOwned(dataDir: string) {
  const lock = await lockFile(join(dataDir, 'server.lock'), 'exclusive')
  await lock?.close()
  return lock === undefined
}

async function postmasterOf(dataDir: string) {
  const { cluster } = await placeOf(dataDir)
  const pid = Number.parseInt((await readLockFile(cluster)) ?? '0', 10)
  return pid > 0 && isAlive(pid) ? pid : undefined
}

/** Opens a connection to the embedded database of an instance, once it answers. The caller ends it. */
export async function connectToDatabase(dataDir: string) {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await delay(50)) {
    const answer = await findPostmaster(await placeOf(dataDir))
    if (typeof answer === 'object') return connectClient(answer.connection, 'faults')
  }
  throw new Error('The embedded database did not answer within 60 s.')
}

/** Starts an empty Postgres that the server does not manage. */
export const startDatabase = async () => whileTesting(await startSharedDatabase())

/** As `startDatabase`, for all tests of a file. The caller returns `remove` from `beforeAll`. */
export const startSharedDatabase = async () => startPostgres(await makeDataFolder())

/** Starts a Postgres that the server does not manage, with the database of a server that was ended in order. */
export const startUsedDatabase = async () => whileTesting(await startSharedUsedDatabase())

/** As `startUsedDatabase`, for all tests of a file. The caller returns `remove` from `beforeAll`. */
export const startSharedUsedDatabase = async () => startPostgres(await makeUsedFolder())

async function startPostgres(folder: string) {
  let postgres = await startEmbeddedPostgres({ dataDir: folder })
  const { host, port, user, password, database } = postgres.connection
  return {
    url: `postgres://${user}:${password as string}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    log: async () => readFile(join((await placeOf(folder)).home, 'postgres.log'), 'utf8'),
    stop: () => postgres.stop(),
    start: async () => {
      postgres = await startEmbeddedPostgres({ dataDir: folder })
    },
    remove: async () => {
      await postgres.stop()
      await removeDataFolder(folder)
    },
  }
}

/** Lists all posts that wait for review, as text and id, sorted by text. */
export async function storedPosts(admin: HttpClient): Promise<[content: string, id: string][]> {
  await admin.does(login, { input: administrator })
  const stored: [string, string][] = []
  for (let before: string | undefined; ;) {
    const answer = await admin.tries(listPendingPosts, { query: before === undefined ? {} : { before } })
    const posts = (await answer.json()) as { content: string; id: string }[]
    stored.push(...posts.map(({ content, id }): [string, string] => [content, id]))
    before = answer.headers.get('next-before') ?? undefined
    if (before === undefined) return stored.toSorted(byText)
  }
}

export const byText = ([one]: [string, string], [other]: [string, string]) => (one < other ? -1 : 1)
