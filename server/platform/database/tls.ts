import type { ClientConfig } from 'pg'
import { parse } from 'pg-connection-string'
import { isThisMachine } from '../http/request/origin.ts'
import { OperatorError } from '../operator-error.ts'

/** Thrown when no verified TLS connection to the database can be made. The message is shown to the operator. */
export class TlsRefused extends OperatorError {}

/** Modes that a later version of `pg` verifies less, and now warns about. Here each of them verifies. */
const otherModes = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/g

/**
 * Connects to a remote server by verified TLS only, unless `sslmode` in its URL is `disable` or `no-verify`. The URL is read
 * as `pg` reads it, so that both mean the same server.
 */
export function withVerifiedTls({ connectionString, ...rest }: ClientConfig): ClientConfig {
  if (connectionString === undefined) return rest
  const given = parse(connectionString.replaceAll(otherModes, '$1verify-full'))
  const connection = { ...rest, ...given } as ClientConfig
  const mode = given.sslmode
  const isLocalWithoutMode = mode === undefined && isLocalServer(given.host || process.env.PGHOST || '')
  if (isLocalWithoutMode || mode === 'disable' || mode === 'no-verify') return connection
  const files = typeof connection.ssl === 'object' ? connection.ssl : {}
  return { ...connection, ssl: { ...files, rejectUnauthorized: true } }
}

/** Without a host, and with the path of a socket, `pg` connects to this machine. */
const isLocalServer = (host: string): boolean => host === '' || host.startsWith('/') || isThisMachine(host)

/** Why the address of a database cannot be used; undefined for one that can. */
export function faultOfAddress(connectionString: string): string | undefined {
  try {
    const { port } = withVerifiedTls({ connectionString })
    // `pg` throws for another number, and a pool with such a port never closes.
    return !port || (Number(port) > 0 && Number(port) < 65_536) ? undefined : `${port} is no port`
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException
    return path === undefined ? 'it is no address of a database' : `the file ${path} cannot be read`
  }
}

const certificateFaults = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** The sentence for an operator whose database did not prove who it is, or offers no TLS; else the error itself. */
export function explainTls(error: unknown, variable: 'DATABASE_URL' | 'DATABASE_POOL_URL'): unknown {
  if (!(error instanceof Error)) return error
  const { message, code } = error as NodeJS.ErrnoException
  const off = `add sslmode=disable to ${variable}, which sends everything unencrypted`
  if (message === 'The server does not support SSL connections')
    return new TlsRefused(
      `The server of ${variable} offers no TLS, which a database on another machine needs: turn TLS on there, or ${off}.`,
    )
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return new TlsRefused(
      `The certificate of the server of ${variable} is for another name: use a name of the certificate in ${variable}, or ${off}.`,
    )
  if (code !== undefined && certificateFaults.has(code))
    return new TlsRefused(
      `The certificate of the server of ${variable} cannot be verified (${code}): name the certificate of its authority by sslrootcert=FILE in ${variable}, or ${off}.`,
    )
  return error
}
