import { Pool } from 'pg'
import type { ClientConfig } from 'pg'
import { withVerifiedTls } from '#server/platform/database/tls.ts'

/** The same server, another database. */
export function atDatabase(connection: ClientConfig, database: string): ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

/** The address of a server that is given in parts or by its address. */
export function urlOf({ connectionString, host = '', port, user = '', password, database }: ClientConfig) {
  if (connectionString !== undefined) return new URL(connectionString)
  const url = new URL(`postgres://${user}:${String(password ?? '')}@localhost:${port}/${database}`)
  if (host.startsWith('/')) url.searchParams.set('host', host)
  return url
}

/** Copies the files of the template, which costs half as much as to copy its pages through the log. */
export async function createDatabase(
  server: ClientConfig,
  name: string,
  template = 'template1',
): Promise<void> {
  await ask(server, `create database "${name}" template "${template}" strategy file_copy`)
}

export async function dropDatabase(server: ClientConfig, name: string): Promise<void> {
  await ask(server, `drop database if exists "${name}" with (force)`)
}

/** Drops the databases whose names start with the prefix. */
export async function dropDatabases(server: ClientConfig, prefix: string): Promise<void> {
  const found = await ask(
    server,
    `select datname as name from pg_database where starts_with(datname, '${prefix}')`,
  )
  for (const { name } of found.rows as { name: string }[]) await dropDatabase(server, name)
}

/** A worker asks over one connection. To open another one each time would cost nearly as much as the copy. */
let pool: Pool | undefined

async function ask(server: ClientConfig, statement: string) {
  // A connection that ended while idle is replaced by the next statement.
  pool ??= new Pool({ ...withVerifiedTls(server), max: 1, allowExitOnIdle: true }).on('error', () => {})
  return pool.query(statement)
}
