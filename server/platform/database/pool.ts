import { Pool, types as parsing } from 'pg'
import type { ClientBase, ClientConfig, CustomTypesConfig, PoolClient } from 'pg'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import type { PgDatabase } from 'drizzle-orm/pg-core'
import type { Clock } from '#server/platform/clock.ts'
import { connectionTo, pinNewerSettings } from './connection.ts'

type NoRelations = Record<string, never>

/** What a query needs: the database or a transaction of it. */
export type Db = PgDatabase<NodePgQueryResultHKT, NoRelations>

export type Database = NodePgDatabase<NoRelations> & {
  pool: Pool
  /** Where the database is, for work that needs a connection of its own. */
  connection: ClientConfig
  close(): Promise<void>
}

interface DatabaseOptions {
  connection: ClientConfig
  clock: Clock
  max?: number
  statementTimeoutMs?: number
}

/** Opens no connection by itself: the first query does. */
export function openDatabase(options: DatabaseOptions): Database {
  const { connection, clock, max = 20, statementTimeoutMs = 5000 } = options
  const pool = new Pool({
    application_name: 'zimmer',
    keepAlive: true,
    ...connectionTo(connection),
    max,
    statement_timeout: statementTimeoutMs,
    // The server ends a slow statement; this ends the wait for a server that went silent.
    query_timeout: statementTimeoutMs + 1000,
    connectionTimeoutMillis: 2000,
    types,
  })
  pool.on('error', ignore)
  pool.on('connect', (client) => {
    // A connection lost between two statements of a transaction must not end the process.
    client.on('error', ignore)
    readWithOurTypes(client)
  })
  followClock(pool, clock)
  return Object.assign(drizzle(pool, naming), {
    transaction: transactionsOf(pool),
    pool,
    connection,
    close: () => pool.end(),
  })
}

/**
 * A statement that is written once for each handle: with a name, Postgres and `pg` keep what they made of it. Worth it
 * for what every request asks; inside a transaction, whose handle is its own, it costs what it always did.
 */
export function statement<S>(build: (db: Db) => S): (db: Db) => S {
  const built = new WeakMap<Db, S>()
  return (db) => {
    const known = built.get(db) ?? build(db)
    built.set(db, known)
    return known
  }
}

const naming = { casing: 'snake_case' } as const

/** Lost connections show in the query that needed them, and the pool opens new ones. */
function ignore() {}

/**
 * Drizzle's own transaction keeps the connection for ever when its `begin` fails, and gives one back whose
 * `rollback` failed. Here every connection returns, and a doubtful one is closed.
 */
function transactionsOf(pool: Pool): NodePgDatabase<NoRelations>['transaction'] {
  const databases = new WeakMap<PoolClient, NodePgDatabase<NoRelations>>()
  return async (work, config) => {
    const client = await pool.connect()
    const db = databases.get(client) ?? drizzle(client, naming)
    databases.set(client, db)
    let refusal: unknown
    try {
      const result = await db.transaction(async (tx) => {
        try {
          return await work(tx)
        } catch (error) {
          refusal = error
          throw error
        }
      }, config)
      client.release()
      return result
    } catch (error) {
      const isRolledBack = error === refusal
      client.release(!isRolledBack)
      throw refusal ?? error
    }
  }
}

/** Tells each connection the clock's distance, before the statement that may ask `app_now()`. */
function followClock(pool: Pool, clock: Clock) {
  const known = new WeakMap<ClientBase, number>()
  const tell = async (client: ClientBase) => {
    const offsetMs = clock.offsetMs
    if (offsetMs === (known.get(client) ?? 0)) return
    known.set(client, offsetMs)
    await client.query("select set_config('app.clock_offset', $1, false)", [`${offsetMs} ms`])
  }
  pool.options.onConnect = async (client) => {
    await pinNewerSettings(client)
    await tell(client)
  }
  // Not awaited: the statements of one connection run in order. Where this one fails, the caller's fails too.
  pool.on('acquire', (client) => void tell(client).catch(() => known.delete(client)))
}

const asNumber = (value: string) => Number(value)
const asText = (value: string) => value

const parsers = new Map<number, (value: string) => unknown>([
  [parsing.builtins.INT8, asNumber],
  [parsing.builtins.DATE, asText],
  [parsing.builtins.TIMESTAMPTZ, instantOf],
  [1182 /* date[] */, (value) => (value === '{}' ? [] : value.slice(1, -1).split(','))],
])

/**
 * ISO 8601 with milliseconds, as the wire has instants. Every connection writes `2025-06-10 12:00:00.123456+00`; a
 * list may have thousands, so that the text is cut and not parsed.
 */
function instantOf(text: string): string {
  if (text[10] !== ' ' || !text.endsWith('+00'))
    return (parsing.getTypeParser(parsing.builtins.TIMESTAMPTZ)(text) as Date).toISOString()
  const milliseconds = `${text.slice(20, -3)}000`.slice(0, 3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}

/** Counts are numbers, and days and instants are the same text in every time zone. */
const types: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? parsing.getTypeParser(oid, format as 'text'),
}

/** Drizzle brings parsers of its own with each query, which leave counts as text. */
function readWithOurTypes(client: PoolClient) {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const ours = (config: unknown, ...rest: unknown[]) =>
    query(isDrizzleQuery(config) ? { ...config, types } : config, ...rest)
  client.query = ours as typeof client.query
}

function isDrizzleQuery(config: unknown): config is object {
  return typeof config === 'object' && config !== null && 'types' in config && !('submit' in config)
}
