import type { FastifyRequest } from 'fastify'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { isOnHost } from '#server/platform/http/request/origin.ts'
import { everyone } from '#server/platform/http/endpoints/policy.ts'
import type { Server } from '#server/platform/http/server.ts'
import { clearSessionCookies } from '#server/platform/http/request/session-cookie.ts'
import { endSession } from './sessions.ts'

/** `GET /api/logout`: ends the session for a navigation of our own page, and for nothing else (S25). */
export function addLogoutNavigation(
  { app }: Server,
  { config, database }: { config: Config; database: Database },
) {
  const options = { config: { policy: everyone, alwaysAnswers: true as const } }
  app.get('/api/logout', options, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!isOwnNavigation(request, config.publicOrigin)) return reply.redirect('/', 303)
    const { viewer } = request
    if (viewer.kind !== 'visitor') await endSession(database, viewer.session.tokenHash)
    clearSessionCookies(reply, config)
    return reply.redirect('/?onboarding=true', 303)
  })
}

/** Browsers send one of these headers with a request that no person has made: a prefetch, a prerender, a preview. */
const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

function isOwnNavigation(request: FastifyRequest, publicOrigin: string | undefined) {
  const { headers, method } = request
  if (method === 'HEAD') return false
  if (purposes.some((name) => headers[name] !== undefined)) return false
  const site = headers['sec-fetch-site']
  const mode = headers['sec-fetch-mode']
  const dest = headers['sec-fetch-dest']
  if (dest !== undefined && dest !== 'document') return false
  if (mode !== undefined && mode !== 'navigate') return false
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { referer } = headers
  if (referer === undefined) return true
  if (publicOrigin === undefined) return isOnHost(referer, request)
  return URL.canParse(referer) && new URL(referer).origin === publicOrigin
}
