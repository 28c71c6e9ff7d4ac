import fc from 'fast-check'
import { fromJSONSchema } from 'zod'
import { pdfText, pngBytes } from './uploads.ts'

/** A JSON schema, as far as the description of the API uses it. */
export interface Schema {
  type?: string | string[]
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: Schema[]
  allOf?: Schema[]
  minimum?: number
  maximum?: number
  maxLength?: number
  pattern?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

type Content = Record<string, { schema: Schema }>

/** `/openapi.json`, with everything in the place of its reference. */
export interface Description {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

export interface Operation {
  operationId: string
  summary: string
  tags: string[]
  security: object[]
  parameters: { in: string; name: string; schema: Schema }[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content; headers?: Record<string, { schema: Schema }> }>
}

/** Reads the text of `/openapi.json`. Fails for a reference that leads nowhere. */
export function readDescription(text: string): Description {
  const document: unknown = JSON.parse(text)
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved)
    if (typeof value !== 'object' || value === null) return value
    if (!('$ref' in value))
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolved(each)]))
    const keys = String(value.$ref).split('/').slice(1)
    const target = keys.reduce<unknown>(
      (at, key) => (at as Record<string, unknown> | undefined)?.[key],
      document,
    )
    if (target === undefined) throw new Error(`${String(value.$ref)} is not in the description.`)
    return resolved(target)
  }
  return resolved(document) as Description
}

export interface DescribedCall {
  name: string
  method: string
  path: string
  operation: Operation
}

export interface Answer {
  status: number
  headers: Record<string, unknown>
  body: string
}

/** All calls but the stream, which has no end. */
export const callsIn = ({ paths }: Description): DescribedCall[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { responses }]) => !responses[200]?.content?.['text/event-stream'])
      .map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        operation,
      })),
  )

/** A value that stands for one of the ids, cursors or times of earlier answers. */
export class Earlier {
  readonly kind: Kind
  readonly place: number

  constructor(kind: Kind, place: number) {
    this.kind = kind
    this.place = place
  }
}

const shapes = {
  thing: /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  person: /^[0-9a-hjkmnp-tv-z]{10}$/,
  token: /^[\w-]{43}$/,
  time: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
}
type Kind = keyof typeof shapes | 'cursor'
const kinds = Object.keys(shapes) as (keyof typeof shapes)[]

/** Remembers the ids, cursors and times of answers. The oldest ones are forgotten. */
export class Memory {
  readonly #values = new Map<string, string[]>()

  /** `family` is the part of the API that answered: a path takes an id of its own family most of the time. */
  learn(family: string, { headers, body }: Answer): void {
    const cursor = headers['next-before']
    if (typeof cursor === 'string') this.#add('cursor', family, cursor)
    if (!/^[[{]/.test(body)) return
    JSON.parse(body, (_name, value: unknown) => {
      const kind = typeof value === 'string' && kinds.find((each) => shapes[each].test(value))
      if (kind) this.#add(kind, family, value as string)
      return value
    })
  }

  recall({ kind, place }: Earlier, family: string): string | undefined {
    const own = this.#values.get(`${kind} ${family}`)
    const values = own !== undefined && place % 4 !== 0 ? own : this.#values.get(kind)
    return values?.[place % values.length]
  }

  #add(kind: Kind, family: string, value: string): void {
    for (const key of [kind, `${kind} ${family}`]) {
      const values = this.#values.get(key) ?? []
      this.#values.set(key, values)
      if (values.includes(value)) continue
      values.push(value)
      if (values.length > 60) values.shift()
    }
  }
}

const earlier = (kind: Kind) => fc.nat().map((place) => new Earlier(kind, place))
const text = fc.oneof(
  { weight: 3, arbitrary: fc.lorem({ maxCount: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }) },
)
const day = fc
  .date({ min: new Date('1999-12-30'), max: new Date('2027-01-02'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const name = fc.stringMatching(/^[A-Z][a-z]{2,12}$/)
const password = fc.constantFrom('secret pass 1', 'a long admin password', 'firstpasscode')

/** Values of fields whose schema does not tell what they need. */
const byName: Record<string, fc.Arbitrary<unknown>> = {
  email: fc.nat().map((n) => `fuzz${n}@example.org`),
  password,
  newPassword: password,
  currentPassword: password,
  passcode: fc.constant('firstpasscode'),
  name,
  firstName: name,
  lastName: name,
  date: day,
  day,
  diaryDate: day,
  token: earlier('token'),
  base: fc.oneof(earlier('time'), fc.constant(null)),
  link: fc.constantFrom('/rules', 'https://example.org/a', 'javascript:1'),
  imageUrl: fc.constantFrom('', '/assets/house.webp', 'https://example.org/a.png', 'javascript:1'),
}

/** Values of the shape that the schema describes. */
function valid(schema: Schema, field = ''): fc.Arbitrary<unknown> {
  const { type, pattern, properties, items, anyOf, minimum, maximum } = schema
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (anyOf) return fc.oneof(...anyOf.map((each) => valid(each, field)))
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => valid({ ...schema, type: each }, field)))
  if (type === 'object')
    return fc.record(
      Object.fromEntries(Object.entries(properties ?? {}).map(([key, each]) => [key, valid(each, key)])),
      { requiredKeys: schema.required ?? [] },
    )
  if (type === 'array') return fc.array(valid(items ?? {}, field), { minLength: 1, maxLength: 4 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer') return fc.integer({ min: minimum ?? -0x80000000, max: maximum ?? 0x7fffffff })
  if (field === 'before') return earlier('cursor')
  const kind = pattern && kinds.find((each) => shapes[each].source === pattern)
  if (kind) return earlier(kind)
  if (byName[field]) return byName[field]
  return pattern ? fc.stringMatching(new RegExp(pattern)) : text
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom("' or 1=1 --", '%_\\', '$1', '..', '\0', '-0', '9'.repeat(40), '../../etc/passwd', '<b>'),
  fc.integer({ min: 0, max: 130_000 }).map((length) => 'a'.repeat(length)),
)
const odd = fc.oneof(
  oddText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.constant(new Earlier('thing', 0)),
)

/** A valid value with up to three fields replaced or added. */
const damaged = (schema: Schema) =>
  fc
    .tuple(valid(schema), fc.dictionary(fc.oneof(oddText, fields(schema)), odd, { maxKeys: 3 }))
    .map(([value, others]): unknown =>
      // A property named `__proto__` must reach the server unchanged.
      Object.assign(Object.create(null), value, others),
    )
const fields = ({ properties = {} }: Schema) => fc.constantFrom(...Object.keys(properties), 'isAdmin', 'id')

const asBytes = (value: string) => Buffer.from(value, 'latin1')
const junk = fc.oneof(
  fc.json({ maxDepth: 6 }).map((json) => Buffer.from(json)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('', '{', '{}', '[]', 'null', '{"a":1,"a":2}', '{"__proto__":{}}', 'a=b&c=d').map(asBytes),
  fc.integer({ min: 60_000, max: 600_000 }).map((size) => Buffer.alloc(size, '[')),
)
const headerText = fc.stringMatching(/^[\x20-\x7e]{0,60}$/)
const oddHeaders = fc.record(
  {
    'content-type': fc.oneof(
      fc.constantFrom(
        'application/json',
        'application/json; charset=utf-8',
        'application/json; charset=utf-16',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'multipart/form-data',
        'application/csp-report',
        '*/*',
      ),
      headerText,
    ),
    accept: fc.oneof(fc.constantFrom('text/html', 'application/json;q=0', '*/*'), headerText),
    'accept-encoding': fc.oneof(fc.constantFrom('br', 'gzip', 'identity;q=0', '*;q=0', 'zstd'), headerText),
    'accept-language': headerText,
    'if-none-match': fc.oneof(fc.constantFrom('*', 'W/"x"', '""'), headerText),
    'idempotency-key': fc.oneof(fc.constantFrom('one', 'two', 'three'), headerText),
    'last-event-id': headerText,
    'x-forwarded-for': fc.oneof(fc.ipV4(), fc.ipV6(), headerText),
    'x-http-method-override': fc.constantFrom('DELETE', 'PATCH'),
    'sec-fetch-site': fc.constantFrom('same-origin', 'none', 'same-site', 'cross-site', 'x'),
    origin: fc.oneof(fc.constantFrom('null', 'https://evil.example', 'http://localhost'), headerText),
    referer: headerText,
    range: fc.constantFrom('bytes=0-1', 'bytes=-1', 'bytes=9-1', 'x'),
    cookie: fc.oneof(fc.constantFrom('sid=x', 'sid=', 'sid=%00', '__Host-sid=a; sid=b'), headerText),
    'user-agent': headerText,
  },
  { requiredKeys: [] },
)

const boundary = 'fuzz'

/** A body of parts: the file that the call takes most of the time, with anything wrong in it otherwise. */
function parts({ properties = {} }: Schema): fc.Arbitrary<Buffer> {
  const [[field, { description = '' }]] = Object.entries(properties) as [[string, Schema]]
  const types = description.split(', at most')[0]!.split(', ')
  const content = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(Buffer.from(pdfText), pngBytes) },
    {
      weight: 2,
      arbitrary: fc.integer({ min: 8, max: 80 }).map((length) => pngBytes.subarray(0, length)),
    },
    { weight: 1, arbitrary: junk },
  )
  const part = fc
    .record({
      name: mostly(fc.constant(field), headerText),
      filename: mostly(fc.constantFrom('a.pdf', 'a.png'), headerText),
      type: mostly(fc.constantFrom(...types), headerText),
      content,
    })
    .map((made) =>
      Buffer.concat([
        asBytes(`--${boundary}\r\ncontent-disposition: form-data; name="${made.name}"; `),
        asBytes(`filename="${made.filename}"\r\ncontent-type: ${made.type}\r\n\r\n`),
        made.content,
        asBytes('\r\n'),
      ]),
    )
  return fc
    .tuple(
      mostly(fc.array(part, { minLength: 1, maxLength: 1 }), fc.array(part, { maxLength: 4 })),
      mostly(fc.constant(`--${boundary}--\r\n`), fc.constantFrom('', '--', `--${boundary}`)),
    )
    .map(([all, end]) => Buffer.concat([...all, asBytes(end)]))
}

export const roles = ['visitor', 'guest', 'person', 'admin'] as const
export type Role = (typeof roles)[number]

/** A call before the values of earlier answers are put in. */
export interface Recipe {
  /** Of the described call. */
  name: string
  role: Role
  /** Several people, so that they become friends, write to each other and block each other. */
  who: number
  method: string
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
  headers: Record<string, string | undefined>
}

const mostly = <T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: unusual })

/** A described call: mostly valid, otherwise with some invalid part. */
export const anyRecipe = (calls: readonly DescribedCall[]): fc.Arbitrary<Recipe> =>
  fc.constantFrom(...calls).chain((call) => {
    const { parameters, requestBody } = call.operation
    const among = (place: string) =>
      Object.fromEntries(
        parameters
          .filter((each) => each.in === place)
          .map(({ name: field, schema }) => [field, mostly(valid(schema, field), oddText)]),
      )
    const schema = requestBody?.content['application/json']?.schema
    const form = requestBody?.content['multipart/form-data']?.schema
    return fc.record<Recipe>({
      name: fc.constant(call.name),
      role: fc.oneof(...[1, 1, 5, 3].map((weight, n) => ({ weight, arbitrary: fc.constant(roles[n]!) }))),
      who: fc.nat({ max: 2 }),
      method: mostly(
        fc.constant(call.method),
        fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT'),
      ),
      params: fc.record(among('path')),
      query: mostly(
        fc.record(among('query'), { requiredKeys: [] }),
        fc.dictionary(fc.constantFrom('limit', 'before', 'q', 'x', 'limit[]', '__proto__'), oddText),
      ),
      body: schema
        ? fc.oneof(
            { weight: 6, arbitrary: valid(schema) },
            { weight: 3, arbitrary: damaged(schema) },
            { weight: 1, arbitrary: junk },
          )
        : form
          ? mostly(parts(form), junk)
          : mostly(fc.constant(undefined), junk),
      headers: mostly(fc.constant({}), oddHeaders).map((headers) => ({
        ...(form && { 'content-type': `multipart/form-data; boundary=${boundary}` }),
        ...headers,
      })),
    })
  })

/** Returns what is wrong with an answer: a fault, an undeclared code, or a body that does not match its schema. */
export class Judge {
  readonly #schemas = new Map<Schema, ReturnType<typeof fromJSONSchema>>()

  wrongOf({ operation, method }: DescribedCall, sent: string, answer: Answer): string | undefined {
    const { status, headers, body } = answer
    if (status >= 500) return `a fault ${status}`
    if (status === 304) return body === '' ? undefined : 'a body with 304'
    if (sent === 'HEAD') return body === '' ? undefined : 'a body for HEAD'
    if (sent !== method && status < 400) return undefined
    const described =
      operation.responses[status] ?? (status < 400 ? undefined : operation.responses['default'])
    if (described === undefined) return `status ${status} is not declared`
    const type = String(headers['content-type']).split(';')[0]!
    if (described.content === undefined) return body === '' ? undefined : `a body with ${status}`
    const content = described.content[type]
    if (content === undefined) return `media type ${type} is not declared`
    if (type !== 'application/json') return undefined
    const { success, error } = this.#schemaOf(content.schema).safeParse(JSON.parse(body))
    return success ? undefined : `not as declared: ${error.message}`
  }

  #schemaOf(schema: Schema) {
    const known = this.#schemas.get(schema)
    if (known !== undefined) return known
    const made = fromJSONSchema(schema as Parameters<typeof fromJSONSchema>[0])
    this.#schemas.set(schema, made)
    return made
  }
}
