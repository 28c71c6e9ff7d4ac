import { createHmac } from 'node:crypto'
import { METHODS } from 'node:http'
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { addAuditEntry } from '../audit.ts'
import type { Db } from '../database/pool.ts'
import { addressDigest } from '../instance.ts'
import { Download, sendDownload } from './download.ts'
import type { Call, Route } from './handle.ts'
import { claimKey, keepAnswer, type KeyedCall } from './idempotency.ts'
import { clientAddress, isLocal } from './origin.ts'
import { sameForAll } from './policy.ts'
import { encodingFor, etagOf, namesTag, Prepared } from './prepared.ts'
import { Refused } from './refusal.ts'
import { sendStreamed, Streamed } from './streamed.ts'
import type { Platform, Server } from './server.ts'
import { clearSessionCookies, deviceCookie, setSessionCookies } from './session-cookie.ts'

/** Adds calls to the server. */
export function mount(server: Server, platform: Platform, routes: readonly Route[]) {
  for (const route of routes) mountOne(server, platform, route)
}

/** Every other method of every path that is mounted by now answers 405, with those that the path takes (S8). */
export function refuseOtherMethods({ app }: Server) {
  for (const [url, routes] of Map.groupBy(app.mounted, (route) => route.url)) {
    const taken = new Set(routes.flatMap(({ method }) => method))
    const allow = [...taken].join(', ')
    app.route({
      method: METHODS.filter((method) => !taken.has(method)) as HTTPMethods[],
      url,
      schema: { hide: true },
      config: { policy: sameForAll },
      onRequest: async (_request, reply) => {
        reply.header('allow', allow)
        throw new Refused('MethodNotAllowed')
      },
      handler: () => undefined,
    })
  }
}

function mountOne(server: Server, platform: Platform, route: Route) {
  const { endpoint, policy, options } = route
  const { params, query, input, output, status = 200 } = endpoint
  const missing = endpoint.errors.find((code) => errors[code].status === 404)
  const takesId = /:(id|\w+Id)\b/.test(endpoint.path)
  const cacheControl = options.cacheControl
  server.app.route({
    method: endpoint.method,
    url: endpoint.path,
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(input && { body: input }),
      response: { [status]: output },
    },
    config: {
      policy,
      endpoint,
      ...(options.limits && { limits: options.limits }),
      ...(takesId && { missing: missing ?? ('NotFound' satisfies ErrorCode) }),
      ...(endpoint.path === '/api/logout' && { alwaysAnswers: true as const }),
    },
    ...(options.bodyLimit !== undefined && { bodyLimit: options.bodyLimit }),
    handler: async (request, reply) => {
      // Before anything is read for it: what is refused costs no query.
      if (options.isStreamed) server.traffic.reserveStreamed(request, reply)
      const answer = await answerOf(server, platform, route, request, reply)
      if (cacheControl !== undefined) reply.header('cache-control', cacheControl)
      if (answer instanceof Prepared) return sendPrepared(request, reply, answer)
      if (answer instanceof Streamed) {
        if (!options.isStreamed)
          throw new Error(`${endpoint.path} sends a list without a place among the streamed ones.`)
        return sendStreamed(request, reply, answer)
      }
      if (answer instanceof Download) return sendDownload(reply, answer)
      reply.status(answer.status)
      return cacheControl === undefined ? reply.send(answer.body) : sendTagged(request, reply, answer.body)
    },
  })
}

/** Runs the handler; with an Idempotency-Key inside the transaction that keeps the answer. */
async function answerOf(
  server: Server,
  platform: Platform,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { database } = platform
  const status = route.endpoint.status ?? 200
  const afterwards: (() => void | Promise<void>)[] = []
  const callOn = (db: Db) => callOf(server, platform, request, reply, db, (work) => afterwards.push(work))
  const keyed = keyedCall(platform, route, request)
  let answer: { status: number; body: unknown } | Prepared | Streamed | Download
  if (keyed === undefined) {
    const { isAtomic } = route.options
    const run = (db: Db) => route.run(callOn(db))
    const result = isAtomic ? await database.transaction(run) : await run(database)
    const isWhole = result instanceof Prepared || result instanceof Streamed || result instanceof Download
    answer = isWhole ? result : { status, body: result }
  } else {
    answer = await database.transaction(async (tx) => {
      const kept = await claimKey(tx, keyed)
      if (kept !== undefined) return kept
      const body = await route.run(callOn(tx))
      await keepAnswer(tx, keyed, { status, body })
      return { status, body }
    })
  }
  for (const work of afterwards) {
    try {
      await work()
    } catch (error) {
      request.log.error({ err: error, requestId: request.id }, 'work after a change failed')
    }
  }
  return answer
}

function callOf(
  server: Server,
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
  db: Db,
  afterCommit: Call['afterCommit'],
): Call {
  const { clock, random, config } = platform
  const { viewer } = request
  return {
    params: request.params as Call['params'],
    query: request.query as Call['query'],
    input: request.body as Call['input'],
    viewer,
    db,
    now: clock.now(),
    clock,
    random,
    address: clientAddress(request.ip),
    isLocal: isLocal(request),
    log: request.log,
    fail: (code, detail) => {
      throw new Refused(code, detail)
    },
    limit: (rule, weight) => {
      if (rule.by === 'person' && viewer.kind !== 'visitor') server.limits.take(rule, viewer.id, weight)
      else server.take(request, { ...rule, by: 'address' }, weight)
    },
    limitOf: (key, rule) => server.limits.take(rule, key),
    afterCommit,
    audit: (action, who = {}, tx = db) =>
      addAuditEntry(tx, platform, {
        action,
        actorId: viewer.kind === 'visitor' ? undefined : viewer.id,
        requestId: request.id,
        ...who,
      }),
    auditRefusal: (action, { subjectId } = {}) => {
      const actorId = viewer.kind === 'visitor' ? undefined : viewer.id
      const refusal = { action, actorId, subjectId, requestId: request.id }
      return platform.refusals.add(`${action} at ${clientAddress(request.ip)}`, subjectId ?? '', refusal)
    },
    setSession: (token, maxAge) => setSessionCookies(reply, config, token, maxAge),
    clearSession: () => clearSessionCookies(reply, config),
    device: request.cookies[deviceCookie(config).name],
    setDevice: (value, maxAge) => {
      const { name, options } = deviceCookie(config)
      reply.setCookie(name, value, { ...options, maxAge })
    },
    setHeader: (name, value) => void reply.header(name, value),
  }
}

function keyedCall(
  { config, addressKey }: Platform,
  { endpoint, options }: Route,
  request: FastifyRequest,
): KeyedCall | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined || endpoint.method !== 'POST') return undefined
  if (options.opensSession || options.isRepeatable) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) {
    throw new Refused('InvalidInput', { error: 'An Idempotency-Key has 1 to 128 visible characters.' })
  }
  const { viewer } = request
  const input = JSON.stringify([request.params, request.body ?? null])
  return {
    person:
      viewer.kind === 'visitor' ? `at ${addressDigest(clientAddress(request.ip), addressKey)}` : viewer.id,
    call: `${endpoint.method} ${endpoint.path}`,
    key,
    // With the key of the diary nobody who reads the database can guess what was sent.
    inputDigest: createHmac('sha256', config.diaryKey ?? '')
      .update(input)
      .digest('base64url'),
    ...(options.repeats && { repeated: repeatedOf(options.repeats, request.body as object) }),
  }
}

const repeatedOf = (repeats: Readonly<Record<string, string>>, input: object) =>
  Object.fromEntries(
    Object.entries(repeats).map(([field, from]) => [field, (input as Record<string, unknown>)[from]]),
  )

/** Sends an answer that its caller may keep, or 304 when the caller has it. */
function sendTagged(request: FastifyRequest, reply: FastifyReply, body: unknown) {
  const text = reply.serialize(body) as string
  const etag = etagOf(text)
  reply.header('etag', etag)
  if (namesTag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}

/** Sends finished bytes in an encoding the caller takes, or 304 when the caller has them. */
export function sendPrepared(request: FastifyRequest, reply: FastifyReply, prepared: Prepared) {
  reply.header('etag', prepared.etag).header('vary', 'accept-encoding')
  if (namesTag(request.headers['if-none-match'], prepared.etag)) return reply.status(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== 'plain') reply.header('content-encoding', encoding)
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8')
  const body = prepared.in(encoding)
  return body instanceof Promise ? body.then((compressed) => reply.send(compressed)) : reply.send(body)
}
