import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { errors } from '#contract/errors.ts'
import type { Config } from '#server/config.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/pool.ts'
import type { Random } from '../ids.ts'
import { answerError, clientError } from './failures.ts'
import { answerHeaders } from './headers.ts'
import { parseJson } from './json.ts'
import { Limits, type LimitRule } from './limits.ts'
import { createMetrics } from './metrics.ts'
import { clientAddress, isChange, isLocal, isOwnRequest } from './origin.ts'
import { watchLoad } from './overload.ts'
import type { Policy, Viewer } from './policy.ts'
import { Refused } from './refusal.ts'
import { sessionCookie } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: Policy
    limits?: readonly LimitRule[]
    /** Answers even when the server is overloaded. */
    alwaysAnswers?: true
  }
  interface FastifyRequest {
    viewer: Viewer
  }
}

export interface Platform {
  config: Config
  database: Database
  clock: Clock
  random: Random
  logger: FastifyBaseLogger | undefined
  /** Whose session a token opens, read from the database at each request (S4). */
  findViewer: (token: string) => Promise<Viewer>
  /** Told of each admin call that is refused to somebody signed in. */
  onRefusedAdminCall: (viewer: Viewer, requestId: string) => Promise<void>
}

const maxUrlLength = 2048
const reads: LimitRule = { name: 'reads', count: 600, seconds: 60, by: 'address' }

/** The web server with everything that holds for every call; features add their routes. */
export async function createServer(platform: Platform) {
  const { config, clock, database } = platform
  const app = Fastify({
    ...(platform.logger ? { loggerInstance: platform.logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy ?? false,
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 5000,
    connectionTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 200 },
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000 },
    genReqId: () => platform.random.bytes(9).toString('base64url'),
    clientErrorHandler: clientError,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  })
  app.server.maxConnections = 10_000
  // A schema that says nothing of its own gets the sentence for people, never a technical one.
  z.config({ localeError: () => errors.InvalidInput.error })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(cookie)
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Z!mmer', version: '1.0.0' } },
    transform: jsonSchemaTransform,
  })

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })

  const limits = new Limits({ clock, isOn: config.limitsRates })
  const metrics = createMetrics(database.pool)
  const load = watchLoad()
  const headers = answerHeaders({ isHttps: config.publicOrigin?.startsWith('https:') ?? false })
  const cookieName = sessionCookie(config).name
  const visitor: Viewer = { kind: 'visitor' }

  // A route that does not say who may call it stops the start (S2).
  app.addHook('onRoute', (route) => {
    if (route.config?.policy === undefined)
      throw new Error(`${String(route.method)} ${route.url} has no policy.`)
  })

  app.decorateRequest('viewer', null as never)
  app.addHook('onRequest', async (request, reply) => {
    load.begin()
    reply.headers(headers).header('x-request-id', request.id)
    const { policy, limits: rules, alwaysAnswers } = request.routeOptions.config
    if (load.isOverloaded && !alwaysAnswers)
      throw new Refused('Unavailable', { retryAfter: 1 + Math.floor(Math.random() * 5) })
    refuseOddUrl(request)
    request.viewer = visitor
    if (policy === undefined) return
    const change = isChange(request.method)
    if (change) refuseForeignChange(request)
    else if (request.url.startsWith('/api/')) take(request, reads)
    for (const rule of rules ?? []) if (rule.by === 'address') take(request, rule)
    if (!policy.ignoresSession) {
      const token = request.cookies[cookieName]
      if (token !== undefined) request.viewer = await platform.findViewer(token)
      await refuseByPolicy(request, policy)
    }
    const { viewer } = request
    for (const rule of rules ?? []) {
      if (rule.by === 'person' && viewer.kind !== 'visitor') limits.take(rule, viewer.id)
    }
  })

  app.addHook('onResponse', async (request, reply) => {
    load.end()
    const route = request.routeOptions.url ?? 'none'
    const seconds = reply.elapsedTime / 1000
    metrics.requestSeconds.observe({ method: request.method, route, status: reply.statusCode }, seconds)
    const line = {
      requestId: request.id,
      method: request.method,
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (isChange(request.method) || reply.statusCode >= 500) request.log.info(line, 'answered')
    else request.log.debug(line, 'answered')
  })

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Refused) metrics.refusals.inc({ code: error.code })
    return answerError(error, request, reply)
  })
  app.addHook('onClose', async () => load.stop())

  let unknownPage: PageHandler | undefined
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      request.method === 'GET' && !/^\/(api|assets|health)(\/|$)/i.test(request.url.split('?')[0]!)
    if (unknownPage === undefined || !isPage) throw new Refused('NotFound')
    return unknownPage(request, reply)
  })

  function take(request: FastifyRequest, rule: LimitRule) {
    if (!isLocal(request)) limits.take(rule, clientAddress(request.ip))
  }

  function refuseForeignChange(request: FastifyRequest) {
    if (request.routeOptions.config.policy === undefined) return
    if (request.routeOptions.url === '/api/csp-report') return
    if (!isOwnRequest(request, config.publicOrigin)) throw new Refused('ForeignRequest')
    const type = request.headers['content-type']
    if (type !== undefined && !isJson(type)) throw new Refused('UnsupportedMediaType')
  }

  async function refuseByPolicy(request: FastifyRequest, policy: Policy) {
    const { viewer } = request
    const verdict = policy[viewer.kind]
    if (verdict === 401) throw new Refused('SignInRequired')
    if (verdict !== 403) return
    if (policy.user === 403) await platform.onRefusedAdminCall(viewer, request.id)
    throw new Refused('NotAllowed')
  }

  /** Who shows the 404 page; calls of the API answer JSON. */
  const onUnknownPage = (handler: PageHandler) => void (unknownPage = handler)

  return { app, limits, metrics, take, onUnknownPage }
}

type PageHandler = (request: FastifyRequest, reply: FastifyReply) => unknown

export type Server = Awaited<ReturnType<typeof createServer>>

const isJson = (type: string) => /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(type)

/** Addresses that could be read in two ways reach no handler (S8). */
function refuseOddUrl({ raw }: FastifyRequest) {
  const url = raw.url ?? ''
  if (url.length > maxUrlLength) throw new Refused('AddressTooLong')
  const path = url.split('?')[0]!
  if (!path.startsWith('/') || path.includes('//') || path.includes(';') || /%(2f|5c|00)|\\/i.test(path)) {
    throw new Refused('NotFound')
  }
}
