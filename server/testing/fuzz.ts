import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { changePassword, login, loginAsGuest, register } from '#contract/account/endpoints.ts'
import {
  type Answer,
  anyRecipe,
  callsIn,
  type DescribedCall,
  Earlier,
  Judge,
  Memory,
  readDescription,
  type Recipe,
  type Role,
} from './described-calls.ts'

export interface FuzzRequest {
  method: string
  url: string
  headers: Record<string, string>
  payload?: Buffer
}

export interface Fuzzed {
  send: (request: FuzzRequest) => Promise<Omit<Answer, 'body'> & { bytes: Buffer }>
  admin: { email: string; password: string }
  /** Which calls are made; all of them when left out. */
  among?: (call: DescribedCall) => boolean
  /** Called after each request with the number of those made. */
  afterEach?: (count: number) => Promise<void> | void
}

/**
 * Makes so many requests out of the description of the API, with ids of earlier answers, and fails at the first wrong
 * answer. The failure names the seed. Returns how often each call got each status.
 */
export async function fuzz(
  { send: sendBytes, admin, among = () => true, afterEach }: Fuzzed,
  options: { numRuns: number; seed: number },
) {
  const send = async (request: FuzzRequest): Promise<Answer> => {
    const { bytes, ...answer } = await sendBytes(request)
    return { ...answer, body: textOf(bytes, answer.headers['content-encoding']) }
  }
  const description = await send({ method: 'GET', url: '/openapi.json', headers: {} })
  const calls = callsIn(readDescription(description.body)).filter(among)
  const [memory, judge] = [new Memory(), new Judge()]
  const people = new Map<string, Map<string, string>>()
  const adminNow = { ...admin }
  const counts = new Map<string, Map<number, number>>()
  let [count, arrived] = [0, 0]

  const property = fc.asyncProperty(anyRecipe(calls), async (recipe) => {
    const { role, who } = recipe
    const call = calls.find(({ name }) => name === recipe.name)!
    const person = `${role} ${who}`
    const cookies = people.get(person) ?? (await arrive(role))
    people.set(person, cookies)
    const request = requestOf(call, recipe, { memory, cookies })
    const answer = await send(request)
    // A wrong method for one call may be the right one for another call with the same path.
    const called = calls.find(({ method, path }) => method === recipe.method && path === call.path)
    const wrong = judge.wrongOf(called ?? call, recipe.method, answer)
    if (wrong !== undefined) throw new Error(describe(request, answer, wrong))
    memory.learn(familyOf(call.path), answer)
    keepCookies(cookies, answer)
    const isChangedPassword = call.path === changePassword.path && answer.status === 200
    if (isChangedPassword && role === 'admin')
      adminNow.password = (JSON.parse(String(request.payload)) as { newPassword: string }).newPassword
    // The session may have ended or be that of another person.
    const isOver =
      answer.status === 401 || (call.path !== changePassword.path && 'set-cookie' in answer.headers)
    if (isOver) people.delete(person)
    const ofCall = counts.get(call.name) ?? new Map<number, number>()
    counts.set(call.name, ofCall.set(answer.status, (ofCall.get(answer.status) ?? 0) + 1))
    await afterEach?.(++count)
  })
  // Do not shrink: the state of the server differs at each run.
  await fc.assert(property, { ...options, endOnFailure: true })
  return { calls, counts }

  /** Signs in, and makes the id of this person known to the others. */
  async function arrive(role: Role): Promise<Map<string, string>> {
    const cookies = new Map<string, string>()
    if (role === 'visitor') return cookies
    const [endpoint, input] = {
      guest: [loginAsGuest, undefined] as const,
      person: [register, { ...newPerson, email: `arrives${++arrived}@example.org` }] as const,
      admin: [login, adminNow] as const,
    }[role]
    const answer = await send({
      method: endpoint.method,
      url: endpoint.path,
      headers: input ? { 'content-type': 'application/json' } : {},
      ...(input && { payload: Buffer.from(JSON.stringify(input)) }),
    })
    if (answer.status >= 300) throw new Error(`${role} cannot arrive: ${answer.status} ${answer.body}`)
    keepCookies(cookies, answer)
    memory.learn('people', answer)
    return cookies
  }
}

function textOf(bytes: Buffer, encoding: unknown): string {
  if (bytes.length === 0) return ''
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  return (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString()
}

const newPerson = { password: 'secret pass 1', firstName: 'Fia', lastName: 'Fuzz' }

const familyOf = (path: string) => path.split('/')[2]!

function requestOf(
  call: DescribedCall,
  { method, params, query, body, headers }: Recipe,
  { memory, cookies }: { memory: Memory; cookies: Map<string, string> },
): FuzzRequest {
  const family = familyOf(call.path)
  const filled = (value: unknown): unknown => {
    if (value instanceof Earlier) return memory.recall(value, family) ?? 'nothing yet'
    if (Buffer.isBuffer(value) || typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map(filled)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each)]))
  }
  const inAddress = (value: unknown) =>
    encodeURIComponent(String(filled(value)).slice(0, 3000).toWellFormed())
  const path = Object.entries(params).reduce(
    (all, [name, value]) => all.replace(`{${name}}`, () => inAddress(value) || '-'),
    call.path,
  )
  const search = Object.entries(query).map(([name, value]) => `${name}=${inAddress(value)}`)
  const payload = Buffer.isBuffer(body) ? body : body === undefined ? undefined : toJson(filled(body))
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return {
    method,
    url: search.length === 0 ? path : `${path}?${search.join('&')}`,
    headers: {
      ...(cookie !== '' && { cookie }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    } as Record<string, string>,
    ...(payload !== undefined && { payload }),
  }
}

const toJson = (value: unknown) => Buffer.from(JSON.stringify(value))

function keepCookies(cookies: Map<string, string>, { headers }: Answer) {
  for (const line of [headers['set-cookie'] ?? []].flat() as string[]) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '') cookies.delete(name)
    else cookies.set(name, value)
  }
}

const describe = ({ method, url, headers, payload }: FuzzRequest, answer: Answer, wrong: string) =>
  [
    `${method} ${url.slice(0, 300)}: ${wrong}`,
    JSON.stringify(headers),
    String(payload ?? '').slice(0, 500),
    `${answer.status} ${answer.body.slice(0, 500)}`,
  ].join('\n')
