import { Client, type ClientBase, type ClientConfig } from 'pg'
import { explainTls, withVerifiedTls } from './tls.ts'

/**
 * Settings that the code relies on (R26), as Postgres shows them. A database or an account may have other defaults. The
 * options of a connection take precedence over them.
 */
export const pinnedSettings = {
  default_transaction_isolation: 'read committed',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  search_path: 'public',
  standard_conforming_strings: 'on',
  bytea_output: 'hex',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
} as const

const pins = Object.entries(pinnedSettings)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
  .join(' ')

/** The configuration of every connection: verified TLS, and the settings that the code relies on. */
export function connectionTo(connection: ClientConfig): ClientConfig {
  const verified = withVerifiedTls(connection)
  // When the options of the URL name one of our settings too, the last one counts.
  return { ...verified, options: [verified.options, pins].filter(Boolean).join(' ') }
}

/** Turns off the timeouts of newer servers. Older servers would refuse them as options of a connection. */
export async function pinNewerSettings(client: ClientBase): Promise<void> {
  await client.query(`select
    case when current_setting('idle_session_timeout', true) <> '0' then set_config('idle_session_timeout', '0', false) end,
    case when current_setting('transaction_timeout', true) <> '0' then set_config('transaction_timeout', '0', false) end`)
}

/** The settings that PgBouncer carries over to each connection on which a statement of this client runs. */
export async function pinTrackedSettings(client: ClientBase): Promise<void> {
  const tracked = ['DateStyle', 'TimeZone', 'standard_conforming_strings'] as const
  for (const name of tracked) await client.query(`set ${name} = '${pinnedSettings[name]}'`)
}

/** A proxy may accept a connection for a server that never answers. */
const connectWithinMs = 10_000

/** Opens a connection outside of the pool for long work. The caller ends it. */
export async function connectClient(connection: ClientConfig, applicationName: string): Promise<Client> {
  const client = new Client({
    ...connectionTo(connection),
    application_name: applicationName,
    connectionTimeoutMillis: connectWithinMs,
    // A connection that holds a lock may be idle for days. Keep-alive notices the end of its server.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // A lost connection appears as an error of its next statement.
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw explainTls(error, 'DATABASE_URL')
  })
  try {
    await pinNewerSettings(client)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}
