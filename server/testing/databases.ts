import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { withVerifiedTls } from '#server/platform/database/tls.ts'

/** The same server, another database. */
export function atDatabase(connection: ClientConfig, database: string): ClientConfig {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

export async function createDatabase(server: ClientConfig, name: string, template?: string): Promise<void> {
  await ask(server, `create database "${name}"${template === undefined ? '' : ` template "${template}"`}`)
}

export async function dropDatabase(server: ClientConfig, name: string): Promise<void> {
  await ask(server, `drop database if exists "${name}" with (force)`)
}

async function ask(server: ClientConfig, statement: string) {
  const client = new Client(withVerifiedTls(server))
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
