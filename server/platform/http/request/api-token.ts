import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { apiTokenPrefix } from '../../tokens.ts'

/**
 * The API token of a call. The token alone then says who calls: cookies are ignored (S61). Requests outside of the API,
 * such as pages, take no token: a proxy in front may use the header for itself. Empty for a header with a token in another form.
 */
export function apiTokenOf({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): string | undefined {
  const { authorization } = headers
  if (authorization === undefined || !url?.startsWith('/api/')) return undefined
  if (/^bearer(?: |$)/i.test(authorization)) return authorization.slice(7).trim()
  return authorization.includes(apiTokenPrefix) ? '' : undefined
}

/** Lets the pages of other sites read the answer. They have no cookies, so they know the token (S26). */
export const crossOriginHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
}

/** Whether a browser asks for a page of another site if it may make a call with a token. */
export const isTokenPreflight = ({ method, url, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  url.startsWith('/api/') &&
  headers['access-control-request-method'] !== undefined &&
  /(?:^|[\s,])authorization(?:[\s,]|$)/i.test(String(headers['access-control-request-headers']))

export const preflightHeaders = (methods: string) => ({
  'access-control-allow-origin': '*',
  'access-control-allow-methods': methods,
  'access-control-allow-headers':
    'authorization, content-type, expected-person, idempotency-key, if-none-match, last-event-id',
  'access-control-max-age': '600',
})
