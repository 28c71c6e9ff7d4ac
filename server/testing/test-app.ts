import type { FastifyBaseLogger, InjectOptions } from 'fastify'
import { onTestFinished } from 'vitest'
import {
  type Endpoint,
  type OutputOf,
  pathOf,
  type SentInput,
  type SentParams,
  type SentQuery,
} from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { User } from '#contract/account/user.ts'
import { register } from '#contract/account/endpoints.ts'
import { buildApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import { users } from '#server/features/account/index.ts'
import { type TestClock, testClock } from '#server/platform/clock.ts'
import { type Database, openDatabase } from '#server/platform/database/pool.ts'
import { systemRandom } from '#server/platform/ids.ts'
import { type Bus, createLocalBus } from '#server/platform/live/bus.ts'
import { eq } from 'drizzle-orm'
import type { ClientConfig } from 'pg'
import { makePageFolder } from './page-folder.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

interface TestAppOptions {
  /** The database of the app; left out, a fresh one. */
  place?: TestDatabase
  clock?: TestClock
  config?: Partial<Config>
  logger?: FastifyBaseLogger
  /** What carries words to other processes; made for the database of the test. */
  busFor?: (connection: ClientConfig) => Bus
  /** Bytes that the server may use. */
  memory?: number
  /** Where the page was built. */
  pageFolder?: string
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

/** The whole server on a database of its own, reached as people reach it; closed when the test ends. */
export async function startTestApp({
  place: givenPlace,
  clock = testClock('2025-06-10T12:00:00Z'),
  config = {},
  logger,
  busFor = createLocalBus,
  memory,
  pageFolder = makePageFolder(),
}: TestAppOptions = {}) {
  const place = givenPlace ?? (await createTestDatabase())
  const db: Database = openDatabase({ connection: place.connection, clock, max: 10 })
  const settings: Config = { ...readConfig({ NODE_ENV: 'test' }), timeZone: 'Europe/Berlin', ...config }
  const bus = busFor(place.connection)
  const app = await buildApp({
    config: settings,
    bus,
    database: db,
    clock,
    random: systemRandom,
    ...(logger && { logger }),
    ...(memory !== undefined && { memory }),
    pageFolder,
  })
  await app.ready()
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await app.close()
    await bus.close()
    await db.close()
    await place.drop()
  }
  onTestFinished(close)

  let people = 0
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
    request: (options: InjectOptions) => app.inject(options),
  }
}

type Inject = (
  options: InjectOptions,
) => Promise<Awaited<ReturnType<Awaited<ReturnType<typeof buildApp>>['inject']>>>

/** One browser: keeps the cookies it is given. */
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
    return { status: answer.statusCode, code, error, fields, headers: answer.headers, body }
  }

  async does<E extends Endpoint>(endpoint: E, sent: Sent<E> = {}): Promise<OutputOf<E>> {
    const answer = await this.tries(endpoint, sent)
    if (answer.status >= 300)
      throw new Error(`${endpoint.method} ${endpoint.path}: ${answer.status} ${answer.error ?? ''}`)
    return answer.body as OutputOf<E>
  }
}
