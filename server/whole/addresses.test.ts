import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { removeBookmark } from '#contract/bookmarks/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { unfollowPerson } from '#contract/follows/endpoints.ts'
import { answerHeaders } from '../platform/http/headers.ts'
import { allowed, type CallRow, calls, expectSound, requestOf } from '../testing/calls.ts'
import { shareWorld } from '../testing/world.ts'
import { contentOf } from '../testing/content.ts'
import { startTestApp } from '../testing/test-app.ts'

const notFound = { code: 'NotFound', error: 'This does not exist.' }

const sharedWorld = shareWorld()

/** A client that may make the call, and a function that sends variants of the right request. */
async function startWith(row: CallRow) {
  const world = sharedWorld()
  const client = allowed(world, row)
  const right = requestOf(row, row.make(world))
  const ask = async (change: InjectOptions) => {
    const answer = await client.request({ ...right, ...change })
    expectSound(answer, row.endpoint)
    return answer
  }
  return { world, right, ask, before: await contentOf(world.db) }
}

test.each(calls)(
  'an address that only looks like $name reaches no handler and answers a plain 404 [S7 S8]',
  async (row) => {
    const { world, right, ask, before } = await startWith(row)
    const [path = '', query] = right.url.split('?')
    const search = query === undefined ? '' : `?${query}`
    const others = [
      `${path}/`,
      `/${path}`,
      path.replace('/api/', '/api//'),
      path.replace('/api/', '/API/'),
      path.replace(/^(\/api\/)(\w)/, (_all, api: string, letter: string) => `${api}${letter.toUpperCase()}`),
      path.replace('/api/', '/api%2f'),
      path.replace('/api/', '/api%5c'),
      path.replace('/api/', '/api/;/'),
      `${path};a=1`,
      `${path}%00`,
      `${path}%`,
      `${path}%ff`,
      `${path}/unknown`,
    ]
    // What follows the slash may be the parameter of another call.
    const hasParameter = world.app.mounted.some(({ url }) => url.startsWith(`${row.endpoint.path}/:`))
    for (const other of others.filter((each) => !hasParameter || !each.startsWith(`${path}/`))) {
      const answer = await ask({ url: `${other}${search}` })
      expect([other, answer.statusCode, answer.json()]).toEqual([other, 404, notFound])
    }
    expect(await contentOf(world.db)).toEqual(before)
  },
)

test.each(calls)(
  'a caller of $name with another method gets 405 and the methods of the path [S8]',
  async (row) => {
    const { world, right, before } = await startWith(row)
    const { path } = row.endpoint
    const own = world.app.mounted
      .filter(({ url, method }) => url === path && typeof method === 'string' && method !== 'HEAD')
      .map(({ method }) => String(method))
    if (own.includes('GET')) own.push('HEAD')
    own.sort()
    expect(own).toContain(row.endpoint.method)
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      if (own.includes(method)) continue
      const { payload: _payload, ...bare } = right
      const answer = await world.request({ ...bare, method })
      expectSound(answer)
      expect([answer.statusCode, answer.json()]).toMatchObject([405, { code: 'MethodNotAllowed' }])
      expect(String(answer.headers.allow).split(', ').toSorted()).toEqual(own)
    }
    expect(await contentOf(world.db)).toEqual(before)
  },
)

test.each(calls.filter(({ endpoint }) => endpoint.method === 'GET'))(
  'the headers alone of $name can be asked for [S8 S38]',
  async (row) => {
    const { ask } = await startWith(row)
    const head = await ask({ method: 'HEAD' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
  },
)

test.each(calls)(
  'a parameter that is repeated or has brackets in the address of $name is refused [S27]',
  async (row) => {
    const { world, right, ask, before } = await startWith(row)
    const path = right.url.split('?')[0]
    for (const name of [
      'limit[]',
      'limit[0]',
      'q[x]',
      'unknown[]',
      '[]',
      'before]',
      '%5Blimit%5D',
      'q%5b%5d',
    ]) {
      const answer = await ask({ url: `${path}?${name}=1` })
      expect([name, answer.statusCode, answer.json()]).toMatchObject([name, 400, { code: 'InvalidInput' }])
    }
    for (const name of ['limit', 'before', 'q', 'unknown', '__proto__']) {
      const answer = await ask({ url: `${path}?${name}=5&${name}=5` })
      expect([name, answer.statusCode, answer.json()]).toMatchObject([name, 400, { code: 'InvalidInput' }])
    }
    const long = await ask({ url: `${path}?unknown=${'1'.repeat(2048)}` })
    expect([long.statusCode, long.json()]).toMatchObject([414, { code: 'AddressTooLong' }])
    expect(await contentOf(world.db)).toEqual(before)
  },
)

/** They answer alike whether there was something to remove, so they have no answer for a missing object. */
const repeatableRemovals: Endpoint[] = [removeBookmark, unfollowPerson]

const namesAnObject = ({ endpoint }: CallRow) =>
  !repeatableRemovals.includes(endpoint) && /:(id|\w+Id)\b/.test(endpoint.path)

test.each(calls.filter(namesAnObject))(
  'an id in the address of $name that is not in its one form answers as a missing object does [S6 S31 S32]',
  async (row) => {
    const { world, ask, before } = await startWith(row)
    const { params = {}, ...rest } = row.make(world)
    for (const [name, id] of Object.entries(params).filter(([key]) => /^id$|Id$/.test(key))) {
      const isPerson = id.length === 10
      const missing = isPerson ? '0000000000' : '00000000-0000-7000-8000-000000000001'
      const answerFor = async (value: string) => {
        const answer = await ask({
          url: requestOf(row, { ...rest, params: { ...params, [name]: value } }).url,
        })
        return { value, status: answer.statusCode, body: answer.json<unknown>(), tag: answer.headers.etag }
      }
      const expected = await answerFor(missing)
      expect(expected.status).toBe(404)
      for (const value of [
        `${id.slice(0, -1)}A`,
        id.toUpperCase().replace(/^\d+$/, 'O'),
        id.replace(/^./, 'é'),
        ...(isPerson ? [`${id}0`] : [`{${id}}`, id.replaceAll('-', ''), `urn:uuid:${id}`]),
        ` ${id}`,
        `${id} `,
        `${id}\n`,
        `${id}'--`,
        '0',
        '-1',
        '1e3',
        '9'.repeat(190),
        'null',
        '*',
        '%',
      ])
        expect(await answerFor(value)).toEqual({ ...expected, value })
      expect((await answerFor('a'.repeat(500))).status).toBe(404)
    }
    expect(await contentOf(world.db)).toEqual(before)
  },
)

test('an address with a host before its path reaches no handler [S8]', async () => {
  for (const address of ['http://localhost/api/config', 'https://evil.example/api/config']) {
    const answer = await answerTo(`GET ${address} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatchObject({ status: 404, body: notFound })
  }
})

test.each([
  ['with headers over 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
  ['that is no HTTP', 'nonsense\r\n\r\n', 400],
])(
  'a request %s is refused with a code and the protecting headers [S7 S31 S38]',
  async (_what, sent, status) => {
    const answer = await answerTo(sent)
    expect(answer).toMatchObject({ status, body: { code: expect.any(String), error: expect.any(String) } })
    for (const [name, value] of Object.entries(
      answerHeaders({ publicOrigin: undefined, hstsSubdomains: false, searchEngines: true }),
    ))
      expect(answer.headers).toContain(`${name}: ${value}`)
  },
)

/** Sends bytes as they are, which no client library would. */
async function answerTo(sent: string) {
  const { app } = await startTestApp()
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.write(sent)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [status = '', ...headers] = head.split('\r\n')
  return { status: Number(status.split(' ')[1]), headers, body: JSON.parse(body) as unknown }
}
