import cookie from '@fastify/cookie'
import swagger from '@fastify/swagger'
import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyContextConfig,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { errors } from '#contract/errors.ts'
import type { Config } from '#server/config.ts'
import type { Clock } from '../clock.ts'
import type { Refusal } from '../audit.ts'
import type { Database } from '../database/pool.ts'
import { clusterOf } from '../database/place.ts'
import { watchDisks } from '../disk.ts'
import type { Random } from '../ids.ts'
import type { Tally } from '../tally.ts'
import { answerError, clientError, refuseConnect } from './failures.ts'
import { answerHeaders } from './headers.ts'
import { parseJson } from './json.ts'
import { Limits, type LimitRule } from './limits.ts'
import { createMetrics } from './metrics.ts'
import { clientAddress, isChange, isLocal, isOwnRequest, watchProxies } from './origin.ts'
import { watchLoad } from './overload.ts'
import type { Policy, Viewer } from './policy.ts'
import { Refused } from './refusal.ts'
import { sessionCookie } from './session-cookie.ts'
import { watchTraffic } from './traffic.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    policy?: Policy
    endpoint?: Endpoint
    limits?: readonly LimitRule[]
    /** What a read of it counts towards for its address, where it is not the limit of all reads (S52). */
    reads?: LimitRule
    /** Answers even when the server is overloaded. */
    alwaysAnswers?: true
    /** Its answers last as long as somebody listens. */
    isStream?: true
  }
  interface FastifyInstance {
    /** All that is mounted, with its policy: what the tests of all calls go by. */
    mounted: readonly Mounted[]
  }
  interface FastifyRequest {
    viewer: Viewer
  }
}

export type Mounted = Pick<RouteOptions, 'method' | 'url' | 'bodyLimit'> & { config: FastifyContextConfig }

export interface Platform {
  config: Config
  database: Database
  clock: Clock
  random: Random
  /** The secret of this installation that keys digests of client addresses. */
  addressKey: string
  logger: FastifyBaseLogger | undefined
  /** Whose session a token opens, read from the database at each request (S4). */
  findViewer: (token: string) => Promise<Viewer>
  /** The audit of refusals: what one caller causes within a minute is counted together. */
  refusals: Tally<Refusal>
}

const maxUrlLength = 2048
const reads: LimitRule = { name: 'reads', count: 600, seconds: 60, by: 'address' }
// Thirty people who write in rooms behind one address send about 900 in a minute.
const changes: LimitRule = { name: 'changes', count: 1200, seconds: 60, by: 'address' }

/** The web server with everything that holds for every call; features add their routes. */
export async function createServer(platform: Platform) {
  const { config, clock, database } = platform
  const headers = answerHeaders({ isHttps: config.publicOrigin?.startsWith('https:') ?? false })
  const app = Fastify({
    ...(platform.logger ? { loggerInstance: platform.logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy ?? false,
    bodyLimit: 64 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 5000,
    // Close a connection without traffic, for example when its reader takes nothing.
    connectionTimeout: 30_000,
    forceCloseConnections: 'idle',
    // The answers of a closing server are refusals like others: see traffic.ts.
    return503OnClosing: false,
    routerOptions: { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 200 },
    // Slow senders are looked for every second; by default it is every 30.
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    genReqId: requestIds(platform.random),
    // Every line names its request by itself: a logger for each would cost more than the answer.
    childLoggerFactory: (logger) => logger,
    clientErrorHandler: (error, socket) => clientError(error, socket, headers),
    // Fastify calls this for a malformed address, before any hook: the headers are set here.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers(headers).header('x-request-id', request.id)),
  })
  app.server.maxConnections = 10_000
  app.server.on('connect', (_request, socket: Socket) => refuseConnect(socket, headers))
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
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
  const traffic = watchTraffic(app, { load, clock })
  const lookForProxy = watchProxies(app.log)
  const disk =
    config.databaseUrl === undefined
      ? watchDisks([config.dataDir, await clusterOf(config.dataDir)])
      : undefined
  const cookieName = sessionCookie(config).name
  const visitor: Viewer = { kind: 'visitor' }

  // A route that does not say who may call it stops the start (S2).
  const mounted: Mounted[] = []
  app.decorate('mounted', mounted)
  app.addHook('onRoute', ({ method, url, bodyLimit, config = {} }) => {
    if (config.policy === undefined) throw new Error(`${String(method)} ${url} has no policy.`)
    mounted.push({ method, url, config, ...(bodyLimit !== undefined && { bodyLimit }) })
  })

  app.decorateRequest('viewer', null as never)
  // Without promises where there is nothing to wait for: most reads are the same for everybody.
  app.addHook('onRequest', (request, reply, done) => {
    traffic.begin(request, reply)
    lookForProxy(request)
    reply.headers(headers).header('x-request-id', request.id)
    request.viewer = visitor
    const { config: route, url } = request.routeOptions
    try {
      admit(request, route, url)
    } catch (error) {
      done(error as Error)
      return
    }
    if (route.policy === undefined || route.policy.ignoresSession) done()
    else meet(request, route.policy, route.limits).then(() => done(), done)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId } = request
    const { statusCode: status, elapsedTime: ms } = reply
    const route = request.routeOptions.url ?? 'none'
    if (request.routeOptions.config.isStream && status === 200) return done()
    metrics.requestSeconds.observe({ method, route, status }, ms / 1000)
    const level = isChange(method) || status >= 500 ? 'info' : 'debug'
    request.log[level]({ requestId, method, route, status, ms: Math.round(ms) }, 'answered')
    done()
  })

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof Refused) metrics.refusals.inc({ code: error.code })
    return answerError(error, request, reply)
  })
  app.addHook('onClose', async () => {
    load.stop()
    disk?.stop()
  })

  let unknownPage: PageHandler | undefined
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      request.method === 'GET' && !/^\/(api|assets|health)(\/|$)/i.test(request.url.split('?')[0]!)
    if (unknownPage === undefined || !isPage) throw new Refused('NotFound')
    return unknownPage(request, reply)
  })

  function take(request: FastifyRequest, rule: LimitRule, weight?: number) {
    if (!isLocal(request)) limits.take(rule, clientAddress(request.ip), weight)
  }

  /** What holds before anybody is asked who they are. */
  function admit(request: FastifyRequest, route: FastifyContextConfig, url: string | undefined) {
    traffic.admit(request)
    if (disk?.isFull && isChange(request.method) && !route.alwaysAnswers)
      throw new Refused('Unavailable', { retryAfter: 5 })
    refuseOddUrl(request)
    // Refused before it is counted: a foreign page must not use up the limits of its visitor.
    if (isChange(request.method) && route.policy !== undefined && url !== '/api/csp-report')
      refuseForeignChange(request)
    take(request, isChange(request.method) ? changes : (route.reads ?? reads))
    if (route.policy === undefined) return
    if (route.policy.ignoresSession) refuseOddParameters(request)
    for (const rule of route.limits ?? []) if (rule.by === 'address') take(request, rule)
  }

  /** Looks up whose session it is, and whether they may. */
  async function meet(request: FastifyRequest, policy: Policy, rules: readonly LimitRule[] = []) {
    const token = request.cookies[cookieName]
    if (token !== undefined) {
      traffic.admitSession(request, token)
      request.viewer = await platform.findViewer(token)
    }
    traffic.admitPerson(request)
    await refuseByPolicy(request, policy)
    const { viewer } = request
    for (const rule of rules) {
      if (rule.by === 'person' && viewer.kind !== 'visitor') limits.take(rule, viewer.id)
    }
    refuseOddParameters(request)
  }

  function refuseForeignChange(request: FastifyRequest) {
    if (!isOwnRequest(request, config.publicOrigin)) throw new Refused('ForeignRequest')
    const type = request.headers['content-type']
    if (type !== undefined && !isJson(type)) throw new Refused('UnsupportedMediaType')
  }

  async function refuseByPolicy(request: FastifyRequest, policy: Policy) {
    const { viewer } = request
    const verdict = policy[viewer.kind]
    const { signIn } = policy
    if (verdict === 401) throw new Refused('SignInRequired', signIn === undefined ? {} : { error: signIn })
    if (verdict !== 403) return
    if (policy.user === 403 && viewer.kind !== 'visitor') {
      const refusal = { action: 'admin-call-refused', actorId: viewer.id, requestId: request.id } as const
      await platform.refusals.add(`admin call by ${viewer.id}`, '', refusal)
    }
    throw new Refused('NotAllowed')
  }

  /** Who shows the 404 page; calls of the API answer JSON. */
  const onUnknownPage = (handler: PageHandler) => void (unknownPage = handler)

  return { app, limits, metrics, take, traffic, onUnknownPage }
}

type PageHandler = (request: FastifyRequest, reply: FastifyReply) => unknown

export type Server = Awaited<ReturnType<typeof createServer>>

const isJson = (type: string) =>
  /^application\/json\s*(?:;\s*(?:charset\s*=\s*"?utf-8"?\s*(?:;\s*)?)?)?$/i.test(type)

/** No call takes a list or an object in its address: a parameter stands once, and its name has no brackets (S27). */
function refuseOddParameters({ url, query }: FastifyRequest) {
  if (!url.startsWith('/api/')) return
  for (const [name, value] of Object.entries(query as object)) {
    if (Array.isArray(value))
      throw new Refused('InvalidInput', { error: 'A parameter of this address is there twice.' })
    if (/[[\]]/.test(name))
      throw new Refused('InvalidInput', { error: 'A parameter of this address has brackets in its name.' })
  }
}

/** Ids that no other process or start gives, at the price of a count. */
function requestIds(random: Random): () => string {
  const start = random.bytes(9).toString('base64url')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}

/** Addresses that could be read in two ways reach no handler (S8). */
function refuseOddUrl({ raw }: FastifyRequest) {
  const url = raw.url ?? ''
  if (url.length > maxUrlLength) throw new Refused('AddressTooLong')
  const path = url.split('?')[0]!
  if (!path.startsWith('/') || path.includes('//') || path.includes(';') || /%(2f|5c|00)|\\/i.test(path)) {
    throw new Refused('NotFound')
  }
}
