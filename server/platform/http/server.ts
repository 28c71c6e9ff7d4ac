import type { RequestListener } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createAdmission } from './request/admission.ts'
import { apiTokenOf, crossOriginHeaders, isTokenPreflight, preflightHeaders } from './request/api-token.ts'
import { createFastify } from './create-fastify.ts'
import { EarlyAnswers } from './answers/early-answers.ts'
import { answerError, refusalOf } from './failures.ts'
import { Limits } from './bounds/limits.ts'
import { createMetrics } from './metrics.ts'
import { isChange, warnOfProxies } from './request/origin.ts'
import { refusedPathFinder } from './request/other-methods.ts'
import { watchLoad, watchQueue } from './bounds/overload.ts'
import type { Mounted, Platform } from './platform.ts'
import { sameForAll } from './endpoints/policy.ts'
import { Refused } from './refusal.ts'
import { watchTraffic } from './bounds/traffic.ts'

/** The web server with everything that holds for every call; features add their routes. */
export async function createServer(platform: Platform) {
  const { config, clock, database } = platform
  const { app, headers, newRequestId, isTrustedProxy } = await createFastify(platform)
  const limits = new Limits({
    clock,
    isOn: config.limitsRates,
    shared: platform.shared,
  })
  const metrics = createMetrics(database.pool)
  const load = watchLoad(platform.maxLoopDelayMs)
  const queue = watchQueue(database.pool)
  const traffic = watchTraffic(app, { load, queue, clock })
  const admission = await createAdmission(platform, { limits, traffic, isTrustedProxy, log: app.log })
  const checkProxies = warnOfProxies(app.log)

  // A route without a policy stops the start (S2).
  const mounted: Mounted[] = []
  app.decorate('mounted', mounted)
  app.addHook('onRoute', ({ method, url, bodyLimit, config: route = {} }) => {
    if (route.policy === undefined) throw new Error(`${String(method)} ${url} has no policy.`)
    mounted.push({ method, url, config: route, ...(bodyLimit !== undefined && { bodyLimit }) })
  })

  const findRefusedPath = refusedPathFinder(app)
  app.decorateRequest('viewer', null as never)
  app.decorateRequest('pathOfOtherMethod', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    traffic.begin(request, reply)
    checkProxies(request)
    reply.headers(headers.current).header('x-request-id', request.id)
    if (apiTokenOf(request) !== undefined) reply.headers(crossOriginHeaders)
    const other = findRefusedPath(request)
    if (other === undefined) return admission.admit(request, done)
    request.pathOfOtherMethod = other.url
    const refuse = (error?: Error) => {
      if (error === undefined && isTokenPreflight(request))
        return void reply.status(204).headers(preflightHeaders(other.allow)).send()
      if (error === undefined) reply.header('allow', other.allow)
      done(error ?? new Refused('MethodNotAllowed'))
    }
    admission.admit(request, refuse, { policy: sameForAll })
  })

  app.addHook('onResponse', (request, reply, done) => {
    const { method, id: requestId } = request
    const { statusCode: status, elapsedTime: ms } = reply
    const { url = 'none', config: options } = request.routeOptions
    const route = request.pathOfOtherMethod ?? url
    if (options.isStream && status === 200) return done()
    // One label for all methods that a path does not have: callers must not add time series by sending them.
    const isOther = route === 'none' || request.pathOfOtherMethod !== undefined
    metrics.requestSeconds.observe({ method: isOther ? 'other' : method, route, status }, ms / 1000)
    const level = isChange(method) || status >= 500 ? 'info' : 'debug'
    request.log[level]({ requestId, method, route, status, ms: Math.round(ms) }, 'answered')
    done()
  })

  const earlyAnswers = new EarlyAnswers({
    newRequestId,
    headers,
    admit: admission.admitAtOnce,
    onUnsent: traffic.addUnsent,
    onAnswered({ route, status, ms, requestId }) {
      metrics.earlyAnswers.inc()
      metrics.requestSeconds.observe({ method: 'GET', route, status }, ms / 1000)
      app.log.debug({ requestId, method: 'GET', route, status, ms: Math.round(ms) }, 'answered')
    },
  })
  app.decorate('earlyAnswers', earlyAnswers)
  const [handle] = app.server.listeners('request') as [RequestListener]
  app.server.removeListener('request', handle).on('request', (request, response) => {
    if (!earlyAnswers.answer(request, response)) handle(request, response)
  })

  app.setErrorHandler((error, request, reply) => {
    const code = refusalOf(error, request)?.code ?? 'Unexpected'
    metrics.refusals.inc({ code })
    if (code === 'Unavailable' && (load.isOverloaded(false) || queue.isTooLong(false)))
      metrics.overloads.inc()
    return answerError(error, request, reply)
  })
  app.addHook('onClose', async () => {
    load.stop()
    queue.stop()
    admission.stop()
  })

  let unknownPage: PageHandler | undefined
  app.setNotFoundHandler((request, reply) => {
    const isPage =
      request.method === 'GET' && !/^\/(api|assets|health)(\/|$)/i.test(request.url.split('?')[0]!)
    if (unknownPage === undefined || !isPage) throw new Refused('NotFound')
    return unknownPage(request, reply)
  })

  return {
    app,
    headers,
    limits,
    metrics,
    take: admission.take,
    chargesOf: admission.chargesOf,
    traffic,
    /** Sets the handler of the 404 page; an unknown call of the API answers JSON. */
    onUnknownPage: (handler: PageHandler) => void (unknownPage = handler),
  }
}

type PageHandler = (request: FastifyRequest, reply: FastifyReply) => unknown

export type Server = Awaited<ReturnType<typeof createServer>>
