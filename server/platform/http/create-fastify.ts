import cookie from '@fastify/cookie'
import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import Fastify, { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import * as z from 'zod/mini'
import { errors } from '#contract/errors.ts'
import type { Random } from '../ids.ts'
import { answerError, clientError, refuseConnect } from './failures.ts'
import { AnswerHeaders } from './headers.ts'
import { parseJson } from './request/json.ts'
import type { Platform } from './platform.ts'
import { acceptUploads } from './request/uploads.ts'

export const routerOptions = { caseSensitive: true, ignoreTrailingSlash: false, maxParamLength: 200 }

/** Fastify with the bounds of a connection, and the parsers of bodies. */
export async function createFastify({ config, logger, random }: Platform) {
  const headers = new AnswerHeaders(config)
  const newRequestId = requestIds(random)
  // Requests of these addresses name their clients.
  const isTrustedProxy =
    config.trustProxy === undefined
      ? () => false
      : proxyAddr.compile(config.trustProxy.split(',').map((part) => part.trim()))
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustProxy === undefined ? false : isTrustedProxy,
    bodyLimit: 64 * 1024,
    // For a request with a file. `ArrivingBodies` gives all other bodies 30 s (R13).
    requestTimeout: 120_000,
    keepAliveTimeout: 5000,
    // Close a connection without traffic, for example when its reader takes nothing.
    connectionTimeout: 30_000,
    forceCloseConnections: 'idle',
    // While the server closes, `watchTraffic` refuses requests in the usual form.
    return503OnClosing: false,
    routerOptions,
    // Node checks for slow senders every second; its default is every 30 s.
    http: { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, connectionsCheckingInterval: 1000 },
    genReqId: newRequestId,
    // One logger for all requests, since each line names its request: a child for each would cost more than the answer.
    childLoggerFactory: (shared) => shared,
    clientErrorHandler: (error, socket) => clientError(error, socket, headers.current),
    // Fastify calls this for a malformed URL, before any hook: the headers are set here.
    frameworkErrors: (error, request, reply) =>
      answerError(error, request, reply.headers(headers.current).header('x-request-id', request.id)),
  })
  app.server.maxConnections = 10_000
  app.server.on('connect', (_request, socket: Socket) => refuseConnect(socket, headers.current))
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  // The sentence for people where a schema has no message of its own.
  z.config({
    localeError: ({ input, path = [] }) =>
      input === undefined && path.length > 0
        ? `${String(path.at(-1))} is missing.`
        : errors.InvalidInput.error,
  })
  app.setValidatorCompiler((part: Parameters<typeof validatorCompiler>[0]) => {
    const validate = validatorCompiler(part)
    // Fastify passes null for a body that is missing. A schema has a default for undefined alone.
    return (data: unknown) => validate(data ?? undefined)
  })
  app.setSerializerCompiler(serializerCompiler)
  await app.register(cookie)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  // With a database elsewhere, other processes may use the folder at the same time.
  const isShared = config.databaseUrl !== undefined
  await acceptUploads(app, { dataDir: config.dataDir, isShared })
  return { app, headers, newRequestId, isTrustedProxy }
}

/** Ids that no other process or start uses: random bytes with a count, which costs less than new random bytes. */
function requestIds(random: Random): () => string {
  const start = random.bytes(9).toString('base64url')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
}
