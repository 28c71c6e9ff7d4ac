import { readFileSync } from 'node:fs'
import { STATUS_CODES } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { OwnSuspension } from '#contract/account/suspensions/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { commonErrors, errors, type ErrorCode } from '#contract/errors.ts'
import type { PlatformSettings } from '../../settings.ts'
import type { DescribedRoute, Mounted } from '../platform.ts'
import type { Policy } from './policy.ts'
import { sessionCookie } from '../request/session-cookie.ts'

type Json = Record<string, unknown>

export interface Name {
  operationId: string
  tag: string
}

export interface ContractNames {
  tags: readonly { name: string; description: string }[]
  schemaNames: z.core.$ZodRegistry<{ id: string }>
  /** The name of an endpoint in the code, and its feature. */
  nameOf: (endpoint: Endpoint) => Name | undefined
}

/** Describes all mounted calls of the contract and the described routes, as OpenAPI 3.1. */
export function describeApi(
  mounted: readonly Mounted[],
  config: Pick<PlatformSettings, 'publicOrigin' | 'supportEmail'>,
  { tags, schemaNames, nameOf }: ContractNames,
): Json {
  const schemas = new Schemas(schemaNames)
  const { version, description } = JSON.parse(readFileSync(packageFile, 'utf8')) as Json
  const paths: Record<string, Json> = {}
  for (const { method, url, config: route } of mounted) {
    const operation =
      route.endpoint !== undefined
        ? operationOf(schemas, route.endpoint, { ...route, name: nameOf(route.endpoint) })
        : route.described && describedOperation(route.described, route)
    if (operation === undefined || method === 'HEAD') continue
    const path = url.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [String(method).toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Z!mmer',
      version,
      description,
      contact: { email: config.supportEmail },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: config.publicOrigin ?? '/' }],
    tags,
    security: [session],
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie(config).name,
          description: 'The calls that register people, sign them in and make guests set this cookie.',
        },
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A token that a person has made in the settings. A call lists the scope that it needs, if it needs one.',
        },
      },
      schemas: { Error: errorSchema, ...schemas.named },
      parameters,
      headers,
      responses: Object.fromEntries(
        [...usualStatuses, 'default' as const].map((status) => [nameOfRefusals(status), refusals(status)]),
      ),
    },
  }
}

const packageFile = join(import.meta.dirname, '../../../../package.json')
const session = { session: [] }

function operationOf(
  schemas: Schemas,
  endpoint: Endpoint,
  route: Mounted['config'] & { name: Name | undefined },
): Json {
  const { operationId, tag } = route.name ?? {}
  const { summary, description, status = 200, params, query, input, headers: own = {} } = endpoint
  return {
    operationId,
    summary,
    description,
    tags: tag && [tag],
    security: securityOf(route.policy!),
    parameters: [
      ...(params ? schemas.parameters('path', params) : []),
      ...(query ? schemas.parameters('query', query) : []),
      ...(route.policy!.ignoresSession ? [] : [ref('parameters', 'ExpectedPerson')]),
      ...(route.takesIdempotencyKey ? [ref('parameters', 'IdempotencyKey')] : []),
      ...(route.hasETag ? [ref('parameters', 'IfNoneMatch')] : []),
    ],
    requestBody: endpoint.file
      ? fileBody(endpoint.file)
      : input && {
          required: !z.safeParse(input, undefined).success,
          content: { 'application/json': { schema: schemas.of(input, 'input') } },
        },
    responses: {
      [status]: {
        description: STATUS_CODES[status],
        headers: {
          ...(isPaged(endpoint) && { 'Next-Before': ref('headers', 'NextBefore') }),
          ...(route.hasETag && { ETag: ref('headers', 'ETag') }),
          ...Object.fromEntries(
            Object.entries(own).map(([name, description]) => [
              name,
              { description, schema: { type: 'string' } },
            ]),
          ),
        },
        content: contentOf(schemas, endpoint),
      },
      ...(route.hasETag && { 304: notModified }),
      ...refusalsOf(schemas, endpoint, route),
    },
  }
}

function contentOf(schemas: Schemas, { answersFiles, status, output }: Endpoint): Json | undefined {
  if (status === 204) return undefined
  if (answersFiles === undefined) return { 'application/json': { schema: schemas.of(output, 'output') } }
  return Object.fromEntries(answersFiles.map((type) => [type.split(';')[0], { schema: binary }]))
}

function describedOperation(described: DescribedRoute, { policy, hasETag }: Mounted['config']): Json {
  const { tag, type, parameters: own = [], ...texts } = described
  return {
    ...texts,
    tags: [tag],
    security: securityOf(policy!),
    parameters: [...own, ...(hasETag ? [ref('parameters', 'IfNoneMatch')] : [])],
    responses: {
      200: {
        description: STATUS_CODES[200],
        ...(hasETag && { headers: { ETag: ref('headers', 'ETag') } }),
        content: { [type]: { schema: { type: 'string' } } },
      },
      ...(hasETag && { 304: notModified }),
      400: ref('responses', nameOfRefusals(400)),
      429: ref('responses', nameOfRefusals(429)),
      503: ref('responses', nameOfRefusals(503)),
      default: ref('responses', nameOfRefusals('default')),
    },
  }
}

const securityOf = ({ ignoresSession, visitor, scope }: Policy) => {
  const ways = ignoresSession ? [] : visitor === true ? [{}, session] : [session]
  if (scope === undefined) return ways
  return [...(ignoresSession ? [{}] : ways), { token: scope === 'any' ? [] : [scope] }]
}

const binary = { type: 'string', format: 'binary' }

function fileBody({ field, types, maxBytes }: NonNullable<Endpoint['file']>) {
  const description = `${types.join(', ')}, at most ${maxBytes} bytes`
  const schema = { type: 'object', properties: { [field]: { ...binary, description } }, required: [field] }
  const encoding = { [field]: { contentType: types.join(', ') } }
  return { required: true, content: { 'multipart/form-data': { schema, encoding } } }
}

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** Makes JSON schemas, and collects those with a name. */
class Schemas {
  readonly named: Record<string, Json> = {}
  readonly #names: ContractNames['schemaNames']

  constructor(names: ContractNames['schemaNames']) {
    this.#names = names
  }

  of(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
    const options = { io, metadata: this.#names, unrepresentable: 'any', override: shown } as const
    const text = JSON.stringify(z.toJSONSchema(schema, options))
    const json = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/')) as Json
    const { $schema: _version, $defs = {}, ...own } = json
    for (const [name, made] of Object.entries($defs as Record<string, Json>)) {
      const known = (this.named[name] ??= made)
      if (JSON.stringify(known) !== JSON.stringify(made))
        throw new Error(`${name} differs between input and output: it needs two names.`)
    }
    return own
  }

  parameters(place: 'path' | 'query', schema: z.ZodMiniType): Json[] {
    const { properties = {}, required = [] } = this.of(schema, 'input')
    return Object.entries(properties as Record<string, Json>).map(([name, { description, ...shape }]) => ({
      name,
      in: place,
      required: (required as string[]).includes(name),
      description,
      schema: shape,
    }))
  }
}

/** Shows what the schema itself cannot say: whole numbers among literals, without the bounds that every integer has. */
function shown({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }) {
  Object.assign(jsonSchema, z.globalRegistry.get(zodSchema))
  if ((jsonSchema.enum as unknown[] | undefined)?.every(Number.isInteger)) jsonSchema.type = 'integer'
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** The search has a cursor for each of its lists, in the answer itself. */
const isPaged = ({ query, output }: Endpoint) =>
  query instanceof z.ZodMiniObject && 'before' in query.shape && output instanceof z.ZodMiniArray

const errorSchema = {
  description: 'Why the server has refused a call. The call has changed nothing.',
  type: 'object',
  properties: {
    code: {
      type: 'string',
      description: 'For programs. A later version may have codes that this one has not.',
    },
    error: { type: 'string', description: 'A sentence for people.' },
    fields: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'A sentence for each field that was refused.',
    },
    current: {
      description:
        'Of a conflict: what is stored now, in the shape that the call describes. Of `Suspended`: the suspension.',
    },
    requestId: {
      type: 'string',
      description: 'Of an unexpected failure: the id by which operators find it.',
    },
  },
  required: ['code', 'error'],
}

const reusedKey: ErrorCode = 'IdempotencyKeyReused'
const commonCodes = (Object.keys(commonErrors) as ErrorCode[]).filter((code) => code !== reusedKey)
/** What every call may answer, and what calls for some people and changes may answer. `default` stands for the rest. */
const everyCall: readonly number[] = [400, 429, 503]
const usualStatuses = [...everyCall, 401, 403]
type Status = number | 'default'

const nameOfRefusals = (status: Status) => (status === 'default' ? 'Refused' : `Refused${status}`)

const refusals = (status: Status) =>
  refusalOf(
    status,
    commonCodes.filter((code) =>
      status === 'default' ? !everyCall.includes(errors[code].status) : errors[code].status === status,
    ),
  )

/** A response for each status that the endpoint declares, with the common codes of that status, and for the usual ones. */
function refusalsOf(
  schemas: Schemas,
  { method, errors: declared = [], output, current: stored = output }: Endpoint,
  { policy, takesIdempotencyKey }: Mounted['config'],
): Json {
  const usual = usualStatuses.filter((status) => {
    if (status === 401) return policy!.visitor === 401
    if (status === 403) return method !== 'GET' || policy!.guest === 403
    return true
  })
  const own = Map.groupBy(
    [...(takesIdempotencyKey ? [reusedKey] : []), ...declared],
    (code) => errors[code].status,
  )
  const ownResponses = own.entries().map(([status, codes]) => {
    const common = commonCodes.filter((code) => errors[code].status === status)
    const isConflict = codes.some((code) => code.endsWith('Conflict'))
    const shown = isConflict ? stored : codes.includes('Suspended') ? OwnSuspension : undefined
    const current = shown && schemas.of(shown, 'output')
    return [status, refusalOf(status, [...codes, ...common], current)] as const
  })
  return {
    ...Object.fromEntries(usual.map((status) => [status, ref('responses', nameOfRefusals(status))])),
    ...Object.fromEntries(ownResponses),
    default: ref('responses', nameOfRefusals('default')),
  }
}

const refusalOf = (status: Status, codes: readonly ErrorCode[], current?: Json) => ({
  description: codes.map((code) => `\`${code}\`: ${errors[code].error}`).join('\n\n'),
  ...((status === 429 || status === 503) && { headers: { 'Retry-After': ref('headers', 'RetryAfter') } }),
  content: {
    'application/json': {
      schema: {
        allOf: [
          ref('schemas', 'Error'),
          { type: 'object', properties: { code: { enum: codes }, ...(current && { current }) } },
        ],
      },
    },
  },
})

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'The key of one action, sent with each of its retries: the server does the action once, and repeats its answer.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
  },
  ExpectedPerson: {
    name: 'Expected-Person',
    in: 'header',
    required: false,
    description:
      'The id of the person who must be signed in. The call is refused when it is another one, and changes nothing.',
    schema: { type: 'string' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` of the answer that the caller has.',
    schema: { type: 'string' },
  },
}

const headers = {
  NextBefore: {
    description: 'The cursor of the next page, to be sent as `before`. The last page has none.',
    required: false,
    schema: { type: 'string' },
  },
  ETag: { description: 'Changes with the answer.', schema: { type: 'string' } },
  RetryAfter: {
    description: 'Whole seconds until another try can succeed.',
    required: false,
    schema: { type: 'integer', minimum: 0 },
  },
}

const notModified = {
  description: 'The caller has the current answer.',
  headers: { ETag: ref('headers', 'ETag') },
}
