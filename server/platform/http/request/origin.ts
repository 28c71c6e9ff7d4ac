import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
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

/** Whether the host of a URL is this machine. IPv6 has brackets there. A name such as `127.example.org` is not this machine. */
export function isThisMachine(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  return /^localhost$/i.test(host) || (isIP(address) !== 0 && isLoopback(address))
}

/**
 * The key under which a limit counts the client of an IP address: the whole IPv4, or the /64 of an IPv6 (S47). Some proxies
 * add a port or brackets. A text that is no address, and a closed connection, which has none, count under one common key.
 */
export function clientAddress(ip: string | undefined): string {
  if (ip === undefined) return noAddress
  switch (isIP(ip)) {
    case 4:
      return ip
    case 6:
      return clientOfIpv6(ip)
    default: {
      const bare = withPort.exec(ip)
      const address = bare?.[1] ?? bare?.[2] ?? ip.trim()
      return address === ip ? noAddress : clientAddress(address)
    }
  }
}

const noAddress = 'unknown'
const withPort = /^\s*(?:\[([^[\]]+)\](?::\d{1,5})?|([\d.]+):\d{1,5})\s*$/

function clientOfIpv6(ip: string): string {
  const groups = groupsOfIpv6(ip.split('%')[0]!)
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0)
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight numbers of a valid IPv6 address. */
export function groupsOfIpv6(address: string): number[] {
  const [head, tail] = address.split('::')
  const [start, end] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => 0)
  return [...start, ...zeros, ...end]
}

/** The numbers of 16 bits in a part of an IPv6 address, whose end may be written like IPv4. */
const groupsOf = (part = ''): number[] =>
  part === ''
    ? []
    : part.split(':').flatMap((group) => {
        if (!group.includes('.')) return Number.parseInt(group, 16)
        const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number]
        return [(a << 8) | b, (c << 8) | d]
      })

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/**
 * Whether a request comes from this machine itself, without a proxy between (S53). A proxy on this machine that adds no
 * forwarding header passes on the public host, so its requests are not local.
 */
export const isLocal = ({
  socket: { remoteAddress = '' },
  headers,
}: Pick<IncomingMessage, 'socket' | 'headers'>): boolean =>
  isLoopback(remoteAddress) && loopbackHost.test(headers.host ?? '') && !isForwarded(headers)

/** The headers by which proxies, content networks and tunnels name the client or themselves. */
const forwardedHeaders = new Set([
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
])

export function isForwarded(headers: IncomingHttpHeaders): boolean {
  // A request has a few headers: looking for each of the names in it would cost four times as much.
  for (const name in headers) if (forwardedHeaders.has(name)) return true
  return false
}

/** Returns a check of each request, which warns once when an untrusted proxy forwards requests (S53). */
export function warnOfProxies(log: Pick<FastifyBaseLogger, 'warn'>) {
  let hasWarned = false
  return ({ ips, headers }: FastifyRequest): void => {
    // A trusted neighbour that names its client gives a second address.
    if (hasWarned || (ips !== undefined && ips.length > 1) || !isForwarded(headers)) return
    hasWarned = true
    log.warn(
      'A proxy forwards requests, and TRUST_PROXY does not name it, or it sends no X-Forwarded-For. ' +
        'All people behind it share the limits of one address. Set TRUST_PROXY to the address of the proxy.',
    )
  }
}

/** Whether a URL has the host that a request names. Either may leave out a default port. */
export function isOnHost(url: string, { headers }: FastifyRequest): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host } = new URL(url)
  const asked = `${protocol}//${headers.host ?? ''}`
  return URL.canParse(asked) && new URL(asked).host === host
}
