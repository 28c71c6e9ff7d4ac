import { isThisMachine } from '../http/request/origin.ts'

/** The mail server of the operator, which passes mails on. */
export interface Relay {
  host: string
  port: number
  /** TLS from the first byte (`smtps`); otherwise STARTTLS. */
  isSecure: boolean
  /** This machine: a connection that does not leave it may stay unencrypted. */
  isLocal: boolean
  credentials: { user: string; pass: string } | undefined
}

const ports: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }

/** Reads an address such as `smtps://user:password@mail.example.org`; undefined when it is none. */
export function parseRelay(address: string): Relay | undefined {
  const url = URL.parse(address)
  const usualPort = ports[url?.protocol ?? '']
  if (url === null || usualPort === undefined || !/^smtps?:\/\/[^/?#\\\s]+\/?$/.test(address))
    return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (host === '' || url.port === '0' || (url.username === '') !== (url.password === '')) return undefined
  const user = decode(url.username)
  const pass = decode(url.password)
  if (user === undefined || pass === undefined) return undefined
  return {
    host,
    port: url.port === '' ? usualPort : Number(url.port),
    isSecure: url.protocol === 'smtps:',
    isLocal: isThisMachine(host),
    credentials: user === '' ? undefined : { user, pass },
  }
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
