import { Client, type ClientBase, type ClientConfig } from 'pg'
import { withVerifiedTls } from './tls.ts'

/**
 * What the code relies on (R26), in the words in which Postgres shows it. A database or an account may have other
 * defaults; what a connection asks for at its start comes before them.
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

/** How every connection is made: by verified TLS, with the settings that the code relies on. */
export function connectionTo(connection: ClientConfig): ClientConfig {
  const verified = withVerifiedTls(connection)
  const { connectionString } = verified
  if (connectionString === undefined || !URL.canParse(connectionString)) return { ...verified, options: pins }
  const url = new URL(connectionString)
  const others = url.searchParams.get('options')
  if (others === null) return { ...verified, options: pins }
  // Options in the address would replace ours. Where both name a setting, the last one counts.
  url.searchParams.set('options', `${others} ${pins}`)
  return { ...verified, connectionString: url.href }
}

/** Takes away the timeouts that a server may not know, and that it therefore refuses as options of a connection. */
export async function pinNewerSettings(client: ClientBase): Promise<void> {
  await client.query(`select
    case when current_setting('idle_session_timeout', true) <> '0' then set_config('idle_session_timeout', '0', false) end,
    case when current_setting('transaction_timeout', true) <> '0' then set_config('transaction_timeout', '0', false) end`)
}

/** A connection of its own, for work that may take long. The caller ends it. */
export async function connectClient(connection: ClientConfig, applicationName: string): Promise<Client> {
  const client = new Client({
    ...connectionTo(connection),
    application_name: applicationName,
    // A connection that holds a lock may be silent for days: the end of its server must be noticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  // A lost connection shows in the statement that needed it.
  client.on('error', () => {})
  await client.connect()
  try {
    await pinNewerSettings(client)
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}
