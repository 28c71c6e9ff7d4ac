import { DatabaseError, Pool, types as parsing } from 'pg'
import type { ClientBase, ClientConfig, CustomTypesConfig, PoolClient, QueryResult } from 'pg'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle, NodePgTransaction } from 'drizzle-orm/node-postgres'
import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres'
import { type PgDatabase, PgDialect } from 'drizzle-orm/pg-core'
import type { Clock } from '#server/platform/clock.ts'
import { connectionTo, pinNewerSettings, pinTrackedSettings } from './connection.ts'
import { withVerifiedTls } from './tls.ts'
import { mayKeepConnection } from './unavailable.ts'

type NoRelations = Record<string, never>

/** The database, or a transaction of it. Every query takes one. */
export type Db = PgDatabase<NodePgQueryResultHKT, NoRelations>

export type Database = NodePgDatabase<NoRelations> & {
  pool: Pool
  /** The address of the database, for work that needs a connection of its own. */
  connection: ClientConfig
  close(): Promise<void>
}

interface DatabaseOptions {
  connection: ClientConfig
  /** PgBouncer in transaction mode before the same database, through which the pool connects (decision 21). */
  pooler?: ClientConfig
  clock: Clock
  max?: number
  statementTimeoutMs?: number
  /** How long a query waits for a free connection or a new one. */
  connectionTimeoutMs?: number
}

const defaultStatementTimeoutMs = 5000
/** A suspended process keeps the locks of its transaction no longer. Through PgBouncer it keeps them until its end. */
const idleTransactionTimeoutMs = 60_000

/** The first query opens the first connection. */
export function openDatabase(options: DatabaseOptions): Database {
  const { connection, pooler, clock, max = 20 } = options
  const { statementTimeoutMs = defaultStatementTimeoutMs, connectionTimeoutMs = 2000 } = options
  const pool = new Pool({
    application_name: 'zimmer',
    keepAlive: true,
    // PgBouncer refuses the parameters by which a connection sets the rest.
    ...(pooler === undefined
      ? {
          ...connectionTo(connection),
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
        }
      : withVerifiedTls(pooler)),
    max,
    // The server ends a slow statement. This timeout ends the wait for a server that no longer answers.
    query_timeout: statementTimeoutMs + 1000,
    connectionTimeoutMillis: connectionTimeoutMs,
    types,
  })
  pool.on('error', ignore)
  pool.on('connect', (client) => {
    // A connection lost between two statements of a transaction must not end the process.
    client.on('error', ignore)
    readWithOurTypes(client, { mayPrepare: pooler === undefined })
  })
  followClock(pool, clock, pooler === undefined ? pinNewerSettings : pinTrackedSettings)
  keepConnections(pool)
  return Object.assign(drizzle(pool, naming), {
    transaction: transactionsOf(pool),
    pool,
    connection,
    close: () => pool.end(),
  })
}

/**
 * Builds a value once for each handle: a statement with a name under which Postgres and `pg` keep it prepared, or a batch
 * of reads or writes. It pays for the work of every request. All transactions of a connection share one handle; each
 * transaction within a transaction has its own.
 */
export function perHandle<T>(build: (db: Db) => T): (db: Db) => T {
  const built = new WeakMap<Db, T>()
  return (db) => built.getOrInsertComputed(db, build)
}

/**
 * Executes a statement that Postgres keeps prepared under the name, for each connection. All statements with the name have the
 * same text, and only their values differ.
 */
export async function executePrepared<Row extends Record<string, unknown>>(
  db: Db,
  name: string,
  statement: SQL,
): Promise<Row[]> {
  const { session } = db._
  const prepared = session.prepareQuery(dialect.sqlToQuery(statement), undefined, name, false)
  return ((await prepared.execute()) as QueryResult<Row>).rows
}

interface ListQuery<Rows> extends PromiseLike<Rows> {
  prepare: (name: string) => { execute: () => Promise<Rows> }
}

/** Executes the query of a list. Its first page, which nearly all readers ask for, is prepared under the name. */
export async function executeList<Rows>(
  query: ListQuery<Rows>,
  { name, before }: { name: string; before: object | undefined },
): Promise<Rows> {
  return before === undefined ? query.prepare(name).execute() : query
}

/**
 * A list as a parameter of a prepared statement. The planner does not see the length of a list in a subquery. Otherwise it
 * would find a plan for one element cheaper than the general plan, and plan each call anew.
 */
export const arrayParameter = (name: string, type: string): SQL =>
  sql`(select ${sql.placeholder(name)}::${sql.raw(type)}[])`

const naming = { casing: 'snake_case' } as const
const dialect = new PgDialect(naming)

/** A lost connection appears as an error of its query, and the pool opens another one. */
function ignore() {}

/**
 * Drizzle's own transaction never releases the connection when its `begin` fails, and releases a connection whose
 * `rollback` failed. Here every connection is released, and one in an unknown state is closed. All transactions of a
 * connection have the same handle, which keeps their prepared statements (`perHandle`).
 */
function transactionsOf(pool: Pool): NodePgDatabase<NoRelations>['transaction'] {
  const handles = new WeakMap<PoolClient, Transaction>()
  return async (work, config) => {
    const client = await pool.connect()
    const tx = handles.getOrInsertComputed(
      client,
      () => new NodePgTransaction(dialect, drizzle(client, naming)._.session, undefined),
    )
    let isIdle = false
    try {
      await client.query('begin')
      try {
        if (config) await tx.setTransaction(config)
        const result = await work(tx)
        // Postgres answers a commit with a rollback where a statement failed and the work went on.
        const { command } = await client.query('commit')
        if (command !== 'COMMIT') throw new Error('The transaction had failed before its commit.')
        isIdle = true
        return result
      } catch (error) {
        if (mayKeepConnection(error))
          isIdle = await client.query('rollback').then(
            () => true,
            () => false,
          )
        throw error
      }
    } finally {
      client.release(!isIdle)
    }
  }
}

type Transaction = NodePgTransaction<NoRelations, NoRelations>

/**
 * The pool itself closes the connection of each statement that fails. On a full disk all changes fail, and to open a connection
 * for each of them would leave none for readers. After an error of the driver the state of the connection is unknown, so that
 * it is closed.
 */
function keepConnections(pool: Pool) {
  const query = async (...parameters: Parameters<ClientBase['query']>) => {
    const client = await pool.connect()
    let isIdle = true
    try {
      return await (client.query(...parameters) as unknown as Promise<QueryResult>)
    } catch (error) {
      isIdle = error instanceof DatabaseError && mayKeepConnection(error)
      throw error
    } finally {
      client.release(!isIdle)
    }
  }
  pool.query = query as Pool['query']
}

/** Pins the settings of each new connection. Sets the offset of the clock on each connection, before a statement that may use `app_now()`. */
function followClock(pool: Pool, clock: Clock, pin: (client: ClientBase) => Promise<void>) {
  const known = new WeakMap<ClientBase, number>()
  const tell = async (client: ClientBase) => {
    const offsetMs = clock.offsetMs
    if (offsetMs === (known.get(client) ?? 0)) return
    known.set(client, offsetMs)
    await client.query("select set_config('app.clock_offset', $1, false)", [`${offsetMs} ms`])
  }
  pool.options.onConnect = async (client) => {
    await pin(client)
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
 * Converts to ISO 8601 with milliseconds. Every connection writes `2025-06-10 12:00:00.123456+00`. The text is cut, not
 * parsed, because a list may have thousands of instants.
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

/**
 * Drizzle passes parsers of its own with each query, and these leave counts as text. Behind PgBouncer the next statement
 * may run on another connection, which does not know the statements that were prepared by name.
 */
function readWithOurTypes(client: PoolClient, { mayPrepare }: { mayPrepare: boolean }) {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const ours = (config: unknown, ...rest: unknown[]) =>
    query(
      isDrizzleQuery(config) ? { ...config, types, ...(!mayPrepare && { name: undefined }) } : config,
      ...rest,
    )
  client.query = ours as typeof client.query
}

function isDrizzleQuery(config: unknown): config is object {
  return typeof config === 'object' && config !== null && 'types' in config && !('submit' in config)
}
