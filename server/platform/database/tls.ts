import type { ClientConfig } from 'pg'

const localHosts = new Set(['', 'localhost', '127.0.0.1', '[::1]'])

/** Connects to a remote server by verified TLS only, unless its URL turns that off. */
export function withVerifiedTls(connection: ClientConfig): ClientConfig {
  const { connectionString } = connection
  if (connectionString === undefined || !URL.canParse(connectionString)) return connection
  const url = new URL(connectionString)
  const host = url.searchParams.get('host') ?? url.hostname
  const isLocal = url.protocol === 'socket:' || host.startsWith('/') || localHosts.has(host)
  const mode = url.searchParams.get('sslmode')
  const isExplicit = mode === 'disable' || mode === 'no-verify' || url.searchParams.has('sslrootcert')
  if (isExplicit || (isLocal && mode === null)) return connection
  url.searchParams.set('sslmode', 'verify-full')
  return { ...connection, connectionString: url.href }
}
