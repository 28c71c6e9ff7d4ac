import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commonErrors } from '#contract/errors.ts'
import { inboxTopics } from '#contract/inbox/live.ts'
import { Notification } from '#contract/inbox/notification.ts'
import { roomTopics } from '#contract/rooms/live.ts'
import { contractNames } from '../contract-names.ts'
import { allowed, type CallRow, calls, requestOf } from '../testing/calls.ts'
import { type Operation, readDescription, type Schema } from '../testing/described-calls.ts'
import { startTestApp } from '../testing/test-app.ts'
import { shareWorld } from '../testing/world.ts'

const shared = shareWorld()

async function describedCalls(config = {}) {
  const { app, request } = await startTestApp({ config })
  const { body } = await request({ url: '/openapi.json' })
  const { paths, ...description } = readDescription(body)
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return { app, body, calls, description: description as Record<string, unknown> & typeof description }
}

const successOf = ({ responses }: Operation) => Object.entries(responses).find(([status]) => status < '3')![1]
const parametersOf = ({ parameters }: Operation, place: string) =>
  Object.fromEntries(parameters.filter((each) => each.in === place).map(({ name, schema }) => [name, schema]))

test('every described call has a name of its own, a sentence about it and a known feature', async () => {
  const { app, calls, description } = await describedCalls()
  const contract = app.mounted.filter(({ config }) => config.endpoint !== undefined)
  expect(calls.length).toBeGreaterThan(contract.filter(({ method }) => method !== 'HEAD').length)
  const tags = new Set((description.tags as { name: string }[]).map(({ name }) => name))
  const names = calls.map(({ operation }) => operation.operationId)
  expect(new Set(names).size).toBe(calls.length)
  expect(names).toEqual(expect.arrayContaining(['getDiaryEntry', 'sendPassage', 'openStream', 'getFeedAtom']))
  for (const { path, method, operation } of calls) {
    expect([method, path, operation.operationId]).toEqual([method, path, expect.stringMatching(/^[a-z]\w+$/)])
    expect([path, operation.summary]).toEqual([path, expect.stringMatching(/^[A-Z][a-z]+s .+\.$/)])
    expect([path, operation.tags.filter((tag) => !tags.has(tag))]).toEqual([path, []])
    expect([path, Object.keys(operation.responses)]).toEqual([
      path,
      expect.arrayContaining(['429', '503', 'default']),
    ])
  }
})

test('the contract names the schemas of the description, and each component is used [S27]', async () => {
  const { body, description } = await describedCalls()
  const { schemas } = description.components
  expect(Object.keys(schemas!)).toEqual(
    expect.arrayContaining([
      'Error',
      'Id',
      'PublicPost',
      'Room',
      'RoomPassage',
      'User',
      'DiaryEntry',
      'NewRoom',
    ]),
  )
  expect([schemas!.Instant, schemas!.Day]).toMatchObject([{ format: 'date-time' }, { format: 'date' }])
  const used = new Set(Array.from(body.matchAll(/"#\/components\/(\w+\/\w+)"/g), ([, name]) => name))
  const { securitySchemes: _session, ...components } = description.components
  for (const [kind, made] of Object.entries(components))
    for (const name of Object.keys(made))
      expect([`${kind}/${name}`, used.has(`${kind}/${name}`)]).toEqual([`${kind}/${name}`, true])
})

test('the description says which headers a call takes and answers [R7]', async () => {
  const { calls } = await describedCalls()
  const withHeader = (find: (operation: Operation) => object | undefined, name: string) =>
    calls.flatMap(({ operation }) => (name in (find(operation) ?? {}) ? operation.operationId : []))
  const takes = (name: string) => withHeader((operation) => parametersOf(operation, 'header'), name)
  const answers = (name: string) => withHeader((operation) => successOf(operation).headers, name)
  expect(takes('Idempotency-Key')).toEqual(
    expect.arrayContaining(['saveDiaryEntry', 'sendPassage', 'createRoom']),
  )
  expect(takes('Idempotency-Key')).not.toContain('login')
  // The answer of the search has a cursor for each of its lists instead.
  const takesLimit = withHeader((operation) => parametersOf(operation, 'query'), 'limit')
  expect(answers('Next-Before')).toEqual(takesLimit.filter((name) => name !== 'search'))
  expect(answers('ETag')).toEqual(takes('If-None-Match'))
  expect(answers('ETag')).toEqual(expect.arrayContaining(['getFeedDay', 'listRooms', 'getFeedRss']))
  expect(answers('Feed-Day')).toEqual(['getFeedDay'])
  for (const { path, operation } of calls)
    expect([path, operation.responses[429]!.headers]).toEqual([path, { 'Retry-After': expect.anything() }])
})

test('the calls that answer an ETag are those of which the description says so [S38]', async () => {
  const { calls: described } = await describedCalls()
  const isDescribed = ({ endpoint }: CallRow) => {
    const name = contractNames.nameOf(endpoint)?.operationId
    const call = described.find(({ operation }) => operation.operationId === name)
    return call === undefined ? false : 'ETag' in (successOf(call.operation).headers ?? {})
  }
  const world = shared()
  for (const row of calls.filter(({ endpoint }) => endpoint.method === 'GET')) {
    const { headers } = await allowed(world, row).request(requestOf(row, row.make(world)))
    expect([row.name, 'etag' in headers]).toEqual([row.name, isDescribed(row)])
  }
})

test('numbers and days in an address are numbers and days in the description', async () => {
  const { calls } = await describedCalls()
  const operation = (name: string) => calls.find((call) => call.operation.operationId === name)!.operation
  for (const { operation: each } of calls) {
    const { limit } = parametersOf(each, 'query')
    expect([each.operationId, limit?.type ?? 'integer', limit?.pattern]).toEqual([
      each.operationId,
      'integer',
      undefined,
    ])
  }
  expect(parametersOf(operation('getFeedDay'), 'path')).toEqual({ offset: { type: 'integer', minimum: 0 } })
  expect(parametersOf(operation('getDiaryEntry'), 'path')).toMatchObject({ day: { format: 'date' } })
  expect(parametersOf(operation('listAdminPosts'), 'query')).toMatchObject({ isVisible: { type: 'boolean' } })
})

test('public calls need no session in the description, and all others the cookie of the installation [S21]', async () => {
  const plain = await describedCalls()
  const schemeOf = ({ description }: typeof plain) => description.components.securitySchemes!.session
  expect(schemeOf(plain)).toMatchObject({ in: 'cookie', name: 'sid' })
  expect(plain.description.servers).toEqual([{ url: '/' }])
  const secure = await describedCalls({ publicOrigin: 'https://zimmer.example' })
  expect(schemeOf(secure)).toMatchObject({ name: '__Host-sid' })
  expect(secure.description.servers).toEqual([{ url: 'https://zimmer.example' }])
  for (const { url, method, config } of plain.app.mounted) {
    const path = url.replace(/:(\w+)/g, '{$1}')
    const call = plain.calls.find((each) => each.path === path && each.method.toUpperCase() === method)
    if (call === undefined) continue
    const { visitor, ignoresSession, scope } = config.policy!
    const byCookie = ignoresSession ? [] : [{ session: [] }]
    const byToken = scope === undefined ? [] : [{ token: scope === 'any' ? [] : [scope] }]
    const isFree = visitor === true && (!ignoresSession || scope !== undefined)
    expect([path, call.operation.security]).toEqual([
      path,
      [...(isFree ? [{}] : []), ...byCookie, ...byToken],
    ])
  }
})

test('the description says how long a text may be [S27]', async () => {
  const { calls } = await describedCalls()
  const inputs = calls.flatMap(({ operation: { operationId, requestBody } }) => {
    const schema = requestBody?.content['application/json']?.schema
    return schema ? [[operationId, schema] as const] : []
  })
  const inputOf = new Map(inputs)
  expect(inputOf.get('sendPassage')!.properties!.content).toMatchObject({ type: 'string', maxLength: 5000 })
  expect(inputOf.get('registerByOnboarding')!.properties).toMatchObject({
    name: { maxLength: 50 },
    email: { maxLength: 100 },
    passcode: { maxLength: 128 },
  })
  const isUnbounded = ({ type, ...rules }: Schema) =>
    type === 'string' &&
    !['maxLength', 'pattern', 'format', 'enum', 'const'].some((rule) => Object.hasOwn(rules, rule))
  const unboundedTexts = (place: string, schema: Schema): string[] => [
    ...(isUnbounded(schema) ? [place] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([field, each]) =>
      unboundedTexts(`${place}.${field}`, each),
    ),
    ...[schema.items ?? [], schema.anyOf ?? []].flat().flatMap((each) => unboundedTexts(place, each)),
  ]
  expect(inputs.flatMap(([name, schema]) => unboundedTexts(name, schema))).toEqual([])
})

test('docs/api.md lists with its status every error that any call may answer', async () => {
  const manual = await readFile(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
  const rows = Array.from(manual.matchAll(/^\| (\d{3}) +\| (.+?) +\|/gm), ([, status, codes]) =>
    Array.from(codes!.matchAll(/\w+/g), ([code]) => [code, Number(status)] as const),
  )
  const { IdempotencyKeyReused: _onlyKeyedCalls, ...ofEveryCall } = commonErrors
  expect(Object.fromEntries(rows.flat())).toEqual(
    Object.fromEntries(Object.entries(ofEveryCall).map(([code, { status }]) => [code, status])),
  )
})

test('docs/api.md names every event of the live stream and the fields of each notification', async () => {
  const { description } = await describedCalls()
  const manual = await readFile(join(import.meta.dirname, '../../docs/api.md'), 'utf8')
  const stream = manual.slice(manual.indexOf('## The live stream'), manual.indexOf('## Feeds'))
  const rows = Array.from(stream.matchAll(/^\| (`.+?) +\| (.+?) +\|$/gm), ([, names, data]) => ({
    names,
    data,
  }))
  const told = new Map(
    rows.flatMap(({ names, data }) =>
      Array.from(names!.matchAll(/[\w.-]+/g), ([name]) => [name, data!] as const),
    ),
  )
  expect([...told.keys()].toSorted()).toEqual(
    [...Object.keys(roomTopics.events), ...Object.keys(inboxTopics.events)].toSorted(),
  )
  for (const { shape } of Notification.def.options) {
    const [name] = shape.type.def.values
    const fields = /^`\{(.*)\}`/.exec(told.get(name!)!)?.[1]
    if (fields === undefined) continue
    expect([name, fields.split(', ').toSorted()]).toEqual([name, Object.keys(shape.data.shape).toSorted()])
  }
  const schemas = Array.from(told.values().flatMap((data) => data.match(/(?<=`)[A-Z]\w+(?=`)/g) ?? []))
  expect(schemas).toContain('RoomPassage')
  expect(Object.keys(description.components.schemas!)).toEqual(expect.arrayContaining(schemas))
})
