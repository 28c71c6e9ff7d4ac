import { randomInt } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Client, ClientConfig } from 'pg'
import { sentenceOf } from '../describe-error.ts'
import { OperatorError } from '../operator-error.ts'
import { connectClient, pinnedSettings } from './connection.ts'
import type { Db } from './pool.ts'
import { explainTls, TlsRefused } from './tls.ts'

/** Thrown when this version cannot use the database. The message is shown to the operator. */
export class DatabaseUnusable extends OperatorError {}

const oldestVersion = 15

/** The database of DATABASE_URL, after a check that it can be reached. */
export async function reachDatabase(connectionString: string): Promise<ClientConfig> {
  const connection = { connectionString }
  const client = await connectClient(connection, 'zimmer start').catch((error: unknown) => {
    if (error instanceof TlsRefused) throw error
    throw new DatabaseUnusable(`The database of DATABASE_URL cannot be used: ${sentenceOf(error)}`, {
      cause: error,
    })
  })
  await client.end()
  return connection
}

/** Refuses a database for properties that no connection can set (R26). */
export async function refuseUnusableDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<Properties>(
    `select current_database() as name, current_setting('server_version_num')::int as version,
       current_setting('server_encoding') as encoding, current_setting('transaction_read_only')::bool as "isReadOnly",
       current_setting('session_replication_role') as role,
       (select array_agg(current_setting(name) order by at) from unnest($1::text[]) with ordinality as pinned (name, at))
         as settings`,
    [Object.keys(pinnedSettings)],
  )
  const fault = faultOf(rows[0]!)
  if (fault !== undefined) throw new DatabaseUnusable(fault)
}

interface Properties {
  name: string
  version: number
  encoding: string
  isReadOnly: boolean
  role: string
  /** The values of `pinnedSettings`. */
  settings: string[]
}

function faultOf({ name, version, encoding, isReadOnly, role, settings }: Properties): string | undefined {
  if (version < oldestVersion * 10_000)
    return `Postgres ${Math.floor(version / 10_000)} is too old: set DATABASE_URL to a server of version ${oldestVersion} or newer.`
  if (encoding !== 'UTF8')
    return `The database ${name} is encoded as ${encoding}, which cannot hold every text: make one by createdb --encoding=UTF8 --template=template0 NAME, and set DATABASE_URL to it.`
  if (isReadOnly)
    return `The database ${name} can only be read: set DATABASE_URL to the primary server, and turn default_transaction_read_only off.`
  if (role !== 'origin')
    return `The database ${name} does not enforce foreign keys: set session_replication_role back to origin.`
  const lost = Object.entries(pinnedSettings).find(([, value], i) => settings[i] !== value)
  return (
    lost &&
    `The connection to the database ${name} does not take the setting ${lost[0]}: let DATABASE_URL reach Postgres itself, or a pooler that passes on the parameter options.`
  )
}

/**
 * Refuses a PgBouncer that leads to another database, or to a copy of this one. An advisory lock belongs to one database of one
 * running server: the pool must find the lock that a direct connection holds.
 */
export async function refusePoolerOfOtherDatabase(connection: ClientConfig, pool: Db): Promise<void> {
  const client = await connectClient(connection, 'zimmer start')
  try {
    const key = randomInt(2 ** 32, 2 ** 48 - 1)
    await client.query('select pg_advisory_lock($1)', [key])
    const { rows } = await pool
      .execute<{ isFree: boolean }>(sql`select pg_try_advisory_xact_lock(${key}) as "isFree"`)
      .catch((error: Error) => {
        throw explainTls(error.cause ?? error, 'DATABASE_POOL_URL')
      })
    if (rows[0]!.isFree)
      throw new DatabaseUnusable(
        'DATABASE_POOL_URL leads to another database than DATABASE_URL: let both lead to one database of one server.',
      )
  } finally {
    await client.end()
  }
}

/**
 * Refuses a PgBouncer whose connections lack settings that the code relies on. PgBouncer does not take these settings from
 * its clients (decision 21), so it must set them itself.
 */
export async function refusePoolerWithoutSettings(db: Db): Promise<void> {
  const wanted = Object.entries({ ...pinnedSettings, statement_timeout: '5s' })
  const { rows } = await db.execute<{ settings: string[] }>(
    sql`select array_agg(current_setting(name) order by at) as settings
      from unnest(${sql.param(wanted.map(([name]) => name))}::text[]) with ordinality as pinned (name, at)`,
  )
  const lost = wanted.find(([, value], i) => rows[0]!.settings[i] !== value)
  if (lost === undefined) return
  const statements = wanted.map(([name, value]) => `set ${name} = ''${value}'';`).join(' ')
  throw new DatabaseUnusable(
    `The connections of DATABASE_POOL_URL do not have the setting ${lost[0]}: add to this database in pgbouncer.ini: connect_query='${statements}'`,
  )
}

/** The warning about settings of the server with which a power failure may lose answered changes (R1). */
export async function findDurabilityFault(db: Db): Promise<string | undefined> {
  const { rows } = await db.execute<{ setting: string }>(
    sql`select name || ' = ' || setting as setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`,
  )
  if (rows.length === 0) return undefined
  const settings = rows.map(({ setting }) => setting).join(', ')
  return `Postgres does not write to disk before it answers (${settings}): a power cut loses what people wrote.`
}
