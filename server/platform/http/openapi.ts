import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { commonErrors, errors, type ErrorCode } from '#contract/errors.ts'

/** Describes the calls that are mounted later, each with its refusals. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Z!mmer', version: '1.0.0' } },
    transform: (route) => {
      const { schema, url } = jsonSchemaTransform(route)
      const { endpoint } = route.route.config ?? {}
      return {
        schema:
          endpoint === undefined
            ? schema
            : withFileAnswers(withFile(withRefusals(schema, endpoint), endpoint), endpoint),
        url,
      }
    },
  })
}

const commonCodes = Object.keys(commonErrors) as ErrorCode[]

/**
 * Adds a response for each status that the endpoint declares, with the common codes of that status. `default` stands for
 * all other statuses, which only common codes have.
 */
function withRefusals(schema: FastifySchema, endpoint: Endpoint): FastifySchema {
  const declared = new Set(endpoint.errors.map((code) => errors[code].status))
  const byStatus = Map.groupBy([...endpoint.errors, ...commonCodes], (code) => {
    const { status } = errors[code]
    return declared.has(status) ? status : 'default'
  })
  const refusals = byStatus.entries().map(([status, codes]) => [status, refusalOf(codes)] as const)
  return { ...schema, response: { ...(schema.response as object), ...Object.fromEntries(refusals) } }
}

function withFile(schema: FastifySchema, { file }: Endpoint): FastifySchema {
  if (file === undefined) return schema
  const { field, types, maxBytes } = file
  const description = `${types.join(', ')}, at most ${maxBytes} bytes`
  const properties = { [field]: { type: 'string', format: 'binary', description } }
  return {
    ...schema,
    consumes: ['multipart/form-data'],
    body: { type: 'object', properties, required: [field] },
  }
}

function withFileAnswers(schema: FastifySchema, { answersFiles, status = 200 }: Endpoint): FastifySchema {
  if (answersFiles === undefined) return schema
  const content = Object.fromEntries(
    answersFiles.map((type) => [type.split(';')[0], { schema: { type: 'string', format: 'binary' } }]),
  )
  return {
    ...schema,
    response: { ...(schema.response as object), [status]: { description: 'A file', content } },
  }
}

const refusalOf = (codes: readonly ErrorCode[]) => ({
  description: codes.map((code) => `\`${code}\`: ${errors[code].error}`).join('\n\n'),
  type: 'object',
  properties: {
    code: { type: 'string', enum: codes },
    error: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } },
    current: {},
    requestId: { type: 'string' },
  },
  required: ['code', 'error'],
})
