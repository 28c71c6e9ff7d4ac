import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { addAuditEntry } from '../../audit.ts'
import type { Database, Db } from '../../database/pool.ts'
import { addressDigest } from '../../instance.ts'
import { Download, sendDownload } from '../answers/download.ts'
import type { Charge } from '../bounds/limits.ts'
import type { Call, ClaimingCall, Route } from './handle.ts'
import type { FindCached, Form } from '../answers/early-answers.ts'
import { Finished } from '../answers/finished.ts'
import { claimKey, KeyClaim, type KeyedCall, type StoredAnswer, storeAnswer } from './idempotency.ts'
import { clientAddress, isLocal } from '../request/origin.ts'
import { Slice } from '../answers/paging.ts'
import { requireScope } from './policy.ts'
import { encodingFor, etagOf, namesTag, type Prepared } from '../answers/prepared.ts'
import { Refused } from '../refusal.ts'
import { sendStreamed, Streamed } from '../answers/streamed.ts'
import type { Platform } from '../platform.ts'
import type { Server } from '../server.ts'
import { type UploadedFile, withUpload } from '../request/uploads.ts'
import {
  clearSessionCookies,
  deviceCookie,
  openidCookie,
  setSessionCookies,
} from '../request/session-cookie.ts'

export function mount(server: Server, platform: Platform, routes: readonly Route[]) {
  for (const route of routes) mountOne(server, platform, route)
}

function mountOne(server: Server, platform: Platform, route: Route) {
  const { endpoint, policy, options } = route
  const { params, query, input, output, status = 200 } = endpoint
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
      ...options,
      policy,
      endpoint,
      ...(/:(id|\w+Id)\b/.test(endpoint.path) && { codeOfImpossibleId: codeOfImpossibleId(endpoint) }),
      ...(takesIdempotencyKey(route) && { takesIdempotencyKey: true }),
      ...(cacheControl !== undefined && { hasETag: true }),
    },
    ...(options.bodyLimit !== undefined && { bodyLimit: options.bodyLimit }),
    handler: (request, reply) => withUpload(request, endpoint.file, (file) => respond(request, reply, file)),
  })

  async function respond(request: FastifyRequest, reply: FastifyReply, file: UploadedFile | undefined) {
    // Before the handler runs, so that a refused request costs no query.
    if (options.isStreamed) server.traffic.reserveStreamed(request, reply)
    const arrived: Arrived = { request, reply, file }
    const answer = await server.traffic.inTurn(request, () => answerOf(server, platform, route, arrived))
    if (cacheControl !== undefined) reply.header('cache-control', cacheControl)
    if ('nextBefore' in answer && answer.nextBefore !== undefined)
      reply.header('next-before', answer.nextBefore)
    if (answer instanceof Finished)
      return sendPrepared(request, reply, answer.prepared, { find: answer.find })
    if (answer instanceof Streamed) {
      if (!options.isStreamed)
        throw new Error(`${endpoint.path} answers with a streamed list, but its route has no isStreamed.`)
      return sendStreamed(request, reply, answer)
    }
    if (answer instanceof Download) return sendDownload(reply, answer)
    reply.status(answer.status)
    return cacheControl === undefined ? reply.send(answer.body) : sendWithETag(request, reply, answer.body)
  }
}

/** The code that answers an impossible id in the path: the one with 404 that the endpoint declares. */
function codeOfImpossibleId({ path, errors: declared = [] }: Endpoint): ErrorCode {
  const codes = declared.filter((code) => errors[code].status === 404)
  if (codes.length > 1)
    throw new Error(`${path} declares ${codes.join(' and ')}: which one answers an impossible id?`)
  return codes[0] ?? 'NotFound'
}

/** A request whose body has arrived. */
interface Arrived {
  request: FastifyRequest
  reply: FastifyReply
  file: UploadedFile | undefined
}

/**
 * Runs the handler, then the work that it passed to `afterCommit`. A change runs in a transaction, unless its route has
 * `withoutTransaction` and the call no Idempotency-Key. With a key the transaction also stores the answer, and a repeated
 * call gets the stored answer without a run of the handler. Where the route has `claimsKey`, the handler runs outside of a
 * transaction, claims the key and stores the answer. When the handler refuses, `findStoredAnswer` looks for a stored answer.
 */
async function answerOf(server: Server, platform: Platform, route: Route, arrived: Arrived) {
  const { request } = arrived
  const { database } = platform
  const status = route.endpoint.status ?? 200
  const keyed = keyedCall(platform, route, arrived)
  const run: Run = { claim: new KeyClaim(keyed), afterwards: [], charges: [] }
  const { afterwards } = run
  const runOn = (db: Db) => route.run(callOf(server, platform, arrived, { db, run }))
  let answer:
    { status: number; body: unknown; nextBefore?: string | undefined } | Finished | Streamed | Download
  if (route.options.claimsKey) {
    answer = await runOn(database).then(
      (body) => {
        if (!run.claim.isPassed) throw new Error(`The handler of ${route.endpoint.path} passes no \`claim\`.`)
        return { status, body }
      },
      (error: unknown) => {
        if (keyed === undefined || !(error instanceof Refused)) throw error
        // A refused run has changed nothing.
        afterwards.length = 0
        return findStoredAnswer(database, keyed, error, () => server.limits.giveBack(run.charges))
      },
    )
  } else if (keyed === undefined) {
    const isAtomic = route.endpoint.method !== 'GET' && route.options.withoutTransaction === undefined
    const result = isAtomic ? await database.transaction(runOn) : await runOn(database)
    if (result instanceof Finished || result instanceof Streamed || result instanceof Download)
      answer = result
    else if (result instanceof Slice) answer = { status, body: result.rows, nextBefore: result.nextBefore }
    else answer = { status, body: result }
  } else {
    answer = await database.transaction(async (tx) => {
      const stored = await claimKey(tx, keyed)
      if (stored !== undefined) return stored
      const body = await runOn(tx)
      await storeAnswer(tx, keyed, body)
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

/**
 * The stored answer of a call that its handler has refused, because its key is in use or for another reason. When the key is
 * free, this function throws the refusal, and the key stays free. Otherwise the call counts towards no limit of the handler.
 */
async function findStoredAnswer(
  database: Database,
  keyed: KeyedCall,
  refusal: Refused,
  giveBack: () => Promise<void>,
): Promise<StoredAnswer> {
  let isKeyFree = false
  try {
    return await database.transaction(async (tx) => {
      const stored = await claimKey(tx, keyed)
      isKeyFree = stored === undefined
      if (stored === undefined) throw refusal
      return stored
    })
  } finally {
    if (!isKeyFree) await giveBack()
  }
}

/** The run of a handler. */
interface Run {
  claim: KeyClaim
  /** What the handler passed to `afterCommit`. */
  afterwards: (() => void | Promise<void>)[]
  /** What the handler has counted towards limits. */
  charges: Charge[]
}

function callOf(
  server: Server,
  platform: Platform,
  arrived: Arrived,
  { db, run: { claim, afterwards, charges } }: { db: Db; run: Run },
): ClaimingCall {
  const { clock, random, config } = platform
  const { request, reply, file } = arrived
  const { viewer } = request
  const charge = async (added: Charge[]) => {
    await server.limits.take(added)
    charges.push(...added)
  }
  return {
    params: request.params as Call['params'],
    query: request.query as Call['query'],
    input: request.body as Call['input'],
    // A call of an endpoint with a file has one, which the type of a list of routes cannot say.
    file: file as Call['file'],
    viewer,
    db,
    claim,
    now: clock.now(),
    clock,
    random,
    address: clientAddress(request.ip),
    isLocal: isLocal(request),
    userAgent: request.headers['user-agent'],
    log: request.log,
    fail: (code, detail) => {
      throw new Refused(code, detail)
    },
    requireScope: (scope) => requireScope(viewer, scope),
    limit: (...rules) => charge(server.chargesOf(request, rules)),
    limitOf: (key, rule) => charge([{ rule, key }]),
    afterCommit: (work) => void afterwards.push(work),
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
    setHeader: (name, value) => void reply.header(name, value),
    setSession: (token, maxAge) => setSessionCookies(reply, config, token, maxAge),
    clearSession: () => clearSessionCookies(reply, config),
    device: request.cookies[deviceCookie(config).name],
    setDevice: (value, maxAge) => {
      const { name, options } = deviceCookie(config)
      reply.setCookie(name, value, { ...options, maxAge })
    },
    openidAttempt: request.cookies[openidCookie(config).name],
    setOpenidAttempt: (token, maxAge) => {
      const { name, options } = openidCookie(config)
      reply.setCookie(name, token, { ...options, maxAge })
    },
  }
}

const idempotencyKeyMaxLength = 128

const takesIdempotencyKey = ({ endpoint, options }: Route) =>
  endpoint.method === 'POST' && !options.answersSecret && !options.isRepeatable

/** What `claimKey` needs of a call. Undefined for a call without an Idempotency-Key, and for a route that ignores it. */
function keyedCall(
  { inputKey, addressKey }: Platform,
  route: Route,
  { request, file }: Arrived,
): KeyedCall | undefined {
  const { endpoint, options } = route
  const key = request.headers['idempotency-key']
  if (key === undefined || !takesIdempotencyKey(route)) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key) || key.length > idempotencyKeyMaxLength) {
    throw new Refused('InvalidInput', {
      error: `An Idempotency-Key has 1 to ${idempotencyKeyMaxLength} visible characters.`,
    })
  }
  const { viewer } = request
  const input = JSON.stringify([request.params, file?.sha256 ?? request.body ?? null])
  return {
    person:
      viewer.kind === 'visitor' ? `at ${addressDigest(clientAddress(request.ip), addressKey)}` : viewer.id,
    call: `${endpoint.method} ${endpoint.path}`,
    key,
    // A digest with a secret key, so that somebody who reads the database cannot guess what was sent.
    inputDigest: createHmac('sha256', inputKey).update(input).digest('base64url'),
    status: endpoint.status ?? 200,
    ...(options.echoes && { echoed: echoedOf(options.echoes, request.body as object) }),
  }
}

/**
 * The private fields of an answer, taken from the input, because the stored answer does not contain them. Refuses an input
 * that leaves one of them out.
 */
function echoedOf(echoes: Readonly<Record<string, string>>, input: object) {
  return Object.fromEntries(
    Object.entries(echoes).map(([answerField, inputField]) => {
      const value = (input as Record<string, unknown>)[inputField]
      if (value === undefined)
        throw new Refused('InvalidInput', {
          fields: { [inputField]: `A call with an Idempotency-Key must contain its ${inputField}.` },
        })
      return [answerField, value]
    }),
  )
}

/** Sends an answer with its `ETag`, or 304 when the caller has the answer. */
function sendWithETag(request: FastifyRequest, reply: FastifyReply, body: unknown) {
  const text = reply.serialize(body) as string
  const etag = etagOf(text)
  reply.header('etag', etag)
  if (namesTag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  return reply.header('content-type', 'application/json; charset=utf-8').send(text)
}

interface SendingOptions {
  /** The request headers on which the bytes depend. */
  vary?: string
  /** Finds the bytes while they are the current answer of this URL. With `find`, `EarlyAnswers` may send them again. */
  find?: FindCached | undefined
}

/** Sends finished bytes in an encoding that the caller accepts, or 304 when the caller has them. */
export function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: Prepared,
  { vary = 'accept-encoding', find }: SendingOptions = {},
) {
  reply.header('etag', prepared.etag).header('vary', vary)
  const send = (form: Form, body?: Buffer) => {
    if (find !== undefined) request.server.earlyAnswers.note({ request, reply, prepared, form, body, find })
    return reply.send(body)
  }
  if (namesTag(request.headers['if-none-match'], prepared.etag)) {
    reply.status(304)
    return send('unchanged')
  }
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== 'plain') reply.header('content-encoding', encoding)
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8')
  const body = prepared.in(encoding)
  return body instanceof Promise
    ? body.then((compressed) => send(encoding, compressed))
    : send(encoding, body)
}
