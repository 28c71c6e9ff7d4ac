import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type ErrorCode } from '#contract/errors.ts'
import { isDatabaseUnavailable, isTimeOut } from '../database/unavailable.ts'
import { UploadsUnavailable } from '../uploads/upload-store.ts'
import { Refused } from './refusal.ts'

/** Turns an error into its answer. An unexpected error is logged and answered without detail (S7). */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refused = refusalOf(error, request)
  // The route may have set headers for a cache before it failed (S55).
  reply.header('cache-control', 'no-store')
  if (refused === undefined) {
    request.log.error({ err: error, requestId: request.id, route: request.routeOptions?.url }, 'unexpected')
    return reply.status(500).send({ ...new Refused('Unexpected').body, requestId: request.id })
  }
  const warning = warningOf(error)
  if (warning !== undefined) {
    const route = request.routeOptions?.url
    request.log.warn({ err: error, requestId: request.id, route }, warning)
  }
  const { retryAfter } = refused.detail
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply.status(refused.status).send(refused.body)
}

/** What the log says of an error that people only have to wait for. */
function warningOf(error: unknown): string | undefined {
  if (isTimeOut(error)) return 'the database took too long'
  return error instanceof UploadsUnavailable ? 'the service of the uploads is unavailable' : undefined
}

const ofFramework: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PayloadTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UnsupportedMediaType',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'InvalidInput',
  FST_ERR_CTP_EMPTY_TYPE: 'UnsupportedMediaType',
  FST_ERR_BAD_URL: 'NotFound',
  FST_ERR_MAX_PARAM_LENGTH: 'NotFound',
  FST_ERR_NOT_FOUND: 'NotFound',
}

/** The refusal that an error is answered with; undefined for an unexpected error. */
export function refusalOf(error: unknown, request: FastifyRequest): Refused | undefined {
  if (error instanceof Refused) return error
  if (hasZodFastifySchemaValidationErrors(error)) return refusedInput(error, request)
  if (isDatabaseUnavailable(error) || isTimeOut(error) || error instanceof UploadsUnavailable)
    return new Refused('Unavailable', { retryAfter: 2 })
  const { code, statusCode } = error as FastifyError
  const known = ofFramework[code]
  if (known !== undefined) return new Refused(known)
  return statusCode !== undefined && statusCode >= 400 && statusCode < 500
    ? new Refused('InvalidInput')
    : undefined
}

type InputError = FastifyError & {
  validation: { instancePath: string; message?: string }[]
  validationContext?: string
}

/** An impossible id in a path is answered like the id of a missing object. Other refusals name their fields. */
function refusedInput(error: unknown, request: FastifyRequest): Refused {
  const { validation, validationContext } = error as InputError
  if (validationContext === 'params') {
    const code = request.routeOptions.config.codeOfImpossibleId
    if (code !== undefined) return new Refused(code)
  }
  if (validationContext === 'body' && request.body === undefined)
    return new Refused('InvalidInput', { error: 'This call needs a body in JSON.' })
  const sentences = validation.map(
    ({ instancePath, message = '' }) => [instancePath.split('/')[1] ?? '', message] as const,
  )
  const fields = Object.fromEntries(sentences.filter(([field]) => field !== '').toReversed())
  const [name, sentence] = sentences[0] ?? []
  const isUnnamed = validationContext === 'querystring' && sentence === errors.InvalidInput.error
  return new Refused('InvalidInput', {
    error: isUnnamed ? `Please check ${name}.` : sentence || errors.InvalidInput.error,
    ...(validationContext === 'body' && { fields }),
  })
}

const ofConnection: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HeadersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'RequestTimeout',
}

/** A request that Node itself could not read: too slow, too large headers, or no HTTP at all. */
export function clientError(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
) {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  endWith(socket, new Refused(ofConnection[error.code ?? ''] ?? 'InvalidInput'), headers)
}

/** A request for a tunnel names a host, so that no route can refuse it; without an answer Node would just close. */
export function refuseConnect(socket: Socket, headers: Readonly<Record<string, string>>) {
  // Node has removed its own listeners from this socket: an error would end the process, and no time-out closes it.
  socket.on('error', () => {})
  endWith(socket, new Refused('MethodNotAllowed'), { ...headers, allow: '' })
  socket.destroySoon()
}

function endWith(socket: Socket, { status, body }: Refused, headers: Readonly<Record<string, string>>) {
  const text = JSON.stringify(body)
  const sent = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', text].join('\r\n'))
}
