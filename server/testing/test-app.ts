import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyBaseLogger, InjectOptions } from 'fastify'
import { inject as provided, onTestFinished } from 'vitest'
import {
  type Endpoint,
  type OutputOf,
  pathOf,
  type SentInput,
  type SentParams,
  type SentQuery,
} from '#contract/endpoint.ts'
import { commonErrors, type ErrorCode } from '#contract/errors.ts'
import type { User } from '#contract/account/user.ts'
import { register } from '#contract/account/endpoints.ts'
import { buildApp, type Outside } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { type Hashing, users } from '#server/features/account/index.ts'
import { type TestClock, testClock } from '#server/platform/clock.ts'
import { openDatabase } from '#server/platform/database/pool.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { createLog } from '#server/log.ts'
import type { CallOutgoing } from '#server/platform/outgoing/outgoing.ts'
import { openSharedStore, type SharedStore } from '#server/platform/shared-store.ts'
import { type Bus, createLocalBus } from '#server/platform/live/bus.ts'
import { createRedisBus } from '#server/platform/live/redis-bus.ts'
import { eq } from 'drizzle-orm'
import type { ClientConfig } from 'pg'
import { makePageFolder } from './page-folder.ts'
import { createMemoizedHashing } from './hashing.ts'
import { skipWhatBelongsToOneProcess } from './one-process.ts'
import type { TestDatabase } from './test-database.ts'
import { patient, takeWarmDatabase } from './warm-database.ts'

const memoizedHashing = createMemoizedHashing()

interface TestAppOptions {
  /** The database of the app; left out, a fresh one. */
  place?: TestDatabase
  clock?: TestClock
  /** Statements that fill the database before the app starts. */
  rows?: string
  config?: Partial<Config>
  logger?: FastifyBaseLogger
  hashing?: Hashing
  /** Makes the bus to other processes, for the database of the test. */
  busFor?: (connection: ClientConfig) => Bus
  /** What all processes count together. */
  shared?: SharedStore | undefined
  /** Bytes that the server may use. */
  memory?: number
  /** Where the page was built. */
  pageFolder?: string
  maxLoopDelayMs?: number
  callOutgoing?: CallOutgoing
  /** Takes the functions that end the app; by default they are called when the test ends. */
  atEnd?: (end: () => void | Promise<void>) => void
}

export interface Sent<E extends Endpoint> {
  params?: SentParams<E>
  query?: SentQuery<E>
  /** Wrong shapes may be tried too. */
  input?: SentInput<E> | object
  headers?: Record<string, string>
}

export interface Answer {
  status: number
  code: ErrorCode | undefined
  error: string | undefined
  fields: Record<string, string> | undefined
  headers: Record<string, string | string[] | number | undefined>
  body: unknown
}

/** The whole server on a database of its own, which never counts as overloaded by default. It is called by requests and closed when the test ends. */
export async function startTestApp({
  atEnd = onTestFinished,
  place: givenPlace,
  clock = testClock('2025-06-10T12:00:00Z'),
  rows,
  config = {},
  logger,
  hashing = memoizedHashing,
  busFor,
  shared,
  memory,
  pageFolder = makePageFolder({}, atEnd),
  maxLoopDelayMs = Infinity,
  callOutgoing,
}: TestAppOptions = {}) {
  const { place, db, release } = await (givenPlace === undefined
    ? takeWarmDatabase(clock)
    : openGiven(givenPlace, clock))
  if (rows !== undefined) await db.pool.query(rows)
  const dataDir = config.dataDir ?? makeDataFolder(atEnd)
  const settings: Config = {
    ...readConfig({ NODE_ENV: 'test' }),
    timeZone: 'Europe/Berlin',
    ...config,
    dataDir,
  }
  const outside = {
    config: settings,
    clock,
    random: systemRandom,
    hashing,
    ...(logger && { logger }),
    ...(memory !== undefined && { memory }),
    pageFolder,
    renderFolder: pageFolder,
    maxLoopDelayMs,
    ...(callOutgoing && { callOutgoing }),
  }
  // A test with a messenger or a store of its own says itself how many processes there are.
  const redisUrl = busFor === undefined && shared === undefined ? provided('redisOfTwoProcesses') : undefined
  if (redisUrl !== undefined) skipWhatBelongsToOneProcess()
  const own = redisUrl === undefined ? undefined : await startRedisMembers(redisUrl)
  const bus = own?.bus ?? (busFor ?? createLocalBus)(place.connection)
  const app = await buildApp({ ...outside, bus, shared: own?.shared ?? shared, database: db })
  await app.ready()
  const other = redisUrl === undefined ? undefined : await startOther({ outside, place, redisUrl })
  if (own !== undefined && other !== undefined) await takeTurns(app, own.bus, other)
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await app.close()
    await other?.close()
    await bus.close()
    await own?.shared.close()
    await release()
  }
  atEnd(close)

  let people = rows === undefined ? 0 : await db.$count(users)
  const visitor = () => new Client((options) => app.inject(options))
  const person = async (overrides: Record<string, unknown> = {}) => {
    const client = visitor()
    people++
    const input = {
      email: `person${people}@example.org`,
      password: 'secret pass 1',
      firstName: `Person${people}`,
      lastName: 'Test',
      ...overrides,
    }
    client.user = await client.does(register, { input })
    return client
  }
  return {
    app,
    /** How many processes answer the requests in turn. */
    processes: other === undefined ? 1 : 2,
    connection: place.connection,
    db,
    clock,
    config: settings,
    close,
    visitor,
    person,
    guest: async () => {
      const client = visitor()
      const answer = await client.request({ method: 'POST', url: '/api/guest-login' })
      client.user = answer.json<User>()
      return client
    },
    admin: async (overrides: Record<string, unknown> = {}) => {
      const client = await person({ password: 'a long admin password', ...overrides })
      await db.update(users).set({ isAdmin: true }).where(eq(users.id, client.me.id))
      return client
    },
    moderator: async (overrides: Record<string, unknown> = {}) => {
      const client = await person({ password: 'a long moderator password', ...overrides })
      await db.update(users).set({ isModerator: true }).where(eq(users.id, client.me.id))
      return client
    },
    request: (options: InjectOptions) => app.inject(options),
  }
}

function openGiven(place: TestDatabase, clock: TestClock) {
  const db = openDatabase({ connection: place.connection, clock, max: 10, ...patient })
  const release = async () => {
    await db.close()
    await place.drop()
  }
  return { place, db, release }
}

/** What a process has of Redis. */
async function startRedisMembers(server: string) {
  const log = createLog('silent')
  // A test that moves its clock drops the counters of tests that run beside it, so each worker has its own database.
  const url = `${server}/${Number(process.env.VITEST_POOL_ID) % 16}`
  return {
    bus: createRedisBus({ url, log }),
    shared: await openSharedStore({ url, log, answerWithinMs: 30_000 }),
  }
}

type Other = Awaited<ReturnType<typeof startOther>>

/** A second process of the installation, with connections of its own to Postgres and Redis. */
async function startOther({
  outside,
  place: { connection },
  redisUrl,
}: {
  outside: Omit<Outside, 'bus' | 'shared' | 'database'>
  place: TestDatabase
  redisUrl: string
}) {
  const { bus, shared } = await startRedisMembers(redisUrl)
  const database = openDatabase({ connection, clock: outside.clock, max: 10, ...patient })
  const app = await buildApp({ ...outside, bus, shared, database })
  await app.ready()
  const close = async () => {
    await app.close()
    await bus.close()
    await shared.close()
    await database.close()
  }
  return { app, bus, close }
}

const others = new WeakMap<object, App>()
type App = Awaited<ReturnType<typeof buildApp>>

/** Requests go to the one process and the other in turn. */
async function takeTurns(first: App, bus: Bus, other: Other) {
  others.set(first, other.app)
  await inSync(bus, other.bus)
  await inSync(other.bus, bus)
  const ways = [
    { inject: first.inject.bind(first), from: bus, to: other.bus },
    { inject: other.app.inject.bind(other.app), from: other.bus, to: bus },
  ] as const
  let turn = 0
  const inject = async (options: InjectOptions) => {
    const { inject: ask, from, to } = ways[turn++ % 2]!
    const answer = await ask(options)
    if (options.method !== undefined && options.method !== 'GET') await inSync(from, to)
    return answer
  }
  Object.assign(first, { inject })
}

/**
 * Waits until one process has the messages that the other has published. Over a network an answer takes longer than these
 * messages; here the next request could be faster.
 */
async function inSync(from: Bus, to: Bus) {
  const id = randomUUID()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = to.subscribe((message) => {
    if ((message as { inSync?: string }).inSync === id) resolve()
  })
  const publish = () => from.publish({ inSync: id })
  publish()
  // Again, because a bus that is not connected yet drops messages.
  const timer = setInterval(publish, 20)
  await promise
  clearInterval(timer)
  stop()
}

let streams = 0

/** The process of an app to which the next stream goes. */
export const nextProcessOf = <A extends object>(app: A): A => {
  const other = others.get(app)
  return other === undefined || streams++ % 2 === 0 ? app : (other as unknown as A)
}

/** The folder of uploads and backups of a test. */
function makeDataFolder(atEnd: (remove: () => void) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'zimmer-app-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

type TestApp = Awaited<ReturnType<typeof startTestApp>>

/** The browser of a person, at another server of the same database that was started with another key of the texts. */
export async function atServerWithKey(
  { config, db, clock }: Pick<TestApp, 'config' | 'db' | 'clock'>,
  diaryKey: string | undefined,
  person: Client,
): Promise<Client> {
  const app = await buildApp({ config: { ...config, diaryKey }, database: db, clock, random: systemRandom })
  onTestFinished(() => app.close())
  const client = new Client((options) => app.inject(options))
  for (const [name, value] of person.cookies) client.cookies.set(name, value)
  return client
}

type Inject = (
  options: InjectOptions,
) => Promise<Awaited<ReturnType<Awaited<ReturnType<typeof buildApp>>['inject']>>>

/** A browser that keeps its cookies. */
export class Client {
  user: User | undefined
  readonly cookies = new Map<string, string>()
  readonly #inject: Inject

  constructor(inject: Inject) {
    this.#inject = inject
  }

  get me(): User {
    if (this.user === undefined) throw new Error('Nobody is signed in here.')
    return this.user
  }

  async request(options: InjectOptions) {
    const answer = await this.#inject({ ...options, cookies: Object.fromEntries(this.cookies) })
    for (const { name, value } of answer.cookies) {
      if (value === '') this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  async tries<E extends Endpoint>(endpoint: E, sent: Sent<E> = {}): Promise<Answer> {
    const { params, query, input, headers = {} } = sent
    const answer = await this.request({
      method: endpoint.method,
      url: pathOf(endpoint, { ...(params && { params }), ...(query && { query }) } as {
        params?: object
        query?: object
      }),
      headers,
      ...(input !== undefined && { payload: input as object }),
    })
    const body: unknown = answer.body === '' ? undefined : answer.json()
    const { code, error, fields } = (body ?? {}) as Partial<Answer>
    if (answer.statusCode >= 400) requireDeclared(endpoint, code)
    return { status: answer.statusCode, code, error, fields, headers: answer.headers, body }
  }

  async does<E extends Endpoint>(endpoint: E, sent: Sent<E> = {}): Promise<OutputOf<E>> {
    const answer = await this.tries(endpoint, sent)
    if (answer.status >= 300)
      throw new Error(`${endpoint.method} ${endpoint.path}: ${answer.status} ${answer.error ?? ''}`)
    return answer.body as OutputOf<E>
  }
}

/** Fails for a refusal that the endpoint does not declare. */
export function requireDeclared({ method, path, errors = [] }: Endpoint, code: string | undefined): void {
  const declared: readonly (string | undefined)[] = [...errors, ...Object.keys(commonErrors)]
  if (!declared.includes(code)) throw new Error(`${method} ${path} does not declare its refusal ${code}.`)
}
