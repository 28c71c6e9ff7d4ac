import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'

const changes = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

export const isChange = (method: string): boolean => changes.has(method)

/** Whether a change comes from our own page, or from no browser at all (S24). */
export function isOwnRequest(request: FastifyRequest, publicOrigin: string | undefined): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = request.headers
  if (origin === undefined) return true
  if (publicOrigin !== undefined) return origin === publicOrigin
  return isOnHost(origin, request)
}

/** Loopback addresses of both families, the mapped form included. */
export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

/** The client a limit counts for: IPv6 by /64 (S47). */
export function clientAddress(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const start = head === '' ? [] : head.split(':')
  const end = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: Math.max(0, 8 - start.length - end.length) }, () => '0')
  const groups = tail === undefined ? start : [...start, ...zeros, ...end]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** Whether a request comes from this machine itself, without a proxy between (S53). */
export const isLocal = ({ socket: { remoteAddress = '' }, headers }: FastifyRequest): boolean =>
  isLoopback(remoteAddress) && !isForwarded(headers)

/** The headers by which proxies, content networks and tunnels name the client or themselves. */
const forwardedHeaders = [
  'x-forwarded-for',
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-forwarded-by',
  'x-forwarded',
  'x-original-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'via',
  'cdn-loop',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'fly-client-ip',
]

const isForwarded = (headers: IncomingHttpHeaders): boolean =>
  forwardedHeaders.some((name) => headers[name] !== undefined)

/** Logs once that an untrusted proxy forwards requests (S53). */
export function watchProxies(log: Pick<FastifyBaseLogger, 'warn'>) {
  let isSaid = false
  return ({ ips, headers }: FastifyRequest): void => {
    // A trusted neighbour that names its client gives a second address.
    if (isSaid || (ips !== undefined && ips.length > 1) || !isForwarded(headers)) return
    isSaid = true
    log.warn(
      'A proxy forwards requests, and TRUST_PROXY does not name it, or it sends no X-Forwarded-For. ' +
        'All people behind it share the limits of one address. Set TRUST_PROXY to the address of the proxy.',
    )
  }
}

/** Whether an address is on the host that a request names; a default port may be left out. */
export function isOnHost(address: string, { headers }: FastifyRequest): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, host } = new URL(address)
  const asked = `${protocol}//${headers.host ?? ''}`
  return URL.canParse(asked) && new URL(asked).host === host
}
