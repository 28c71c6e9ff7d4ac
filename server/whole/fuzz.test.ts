import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { callsIn, Judge, readDescription } from '../testing/described-calls.ts'
import { fuzz } from '../testing/fuzz.ts'
import { startTestApp } from '../testing/test-app.ts'

// With one seed, so that equal code gets equal requests. 10,000 and more with random seeds, over a real connection, with
// memory and event loop: `npm run bench -- fuzz`.
test('for any request of visitors, guests, people and admins, each answer is as the API describes it, and none is a fault [S7 S27 S32]', async () => {
  const { request, admin } = await startTestApp({ config: { limitsRates: false } })
  const boss = await admin()
  const { calls, counts } = await fuzz(
    {
      send: async (asked) => {
        const { statusCode, headers, rawPayload } = await request(asked as InjectOptions)
        return { status: statusCode, headers, bytes: rawPayload }
      },
      admin: { email: boss.me.email!, password: 'a long admin password' },
    },
    { numRuns: 400, seed: 1 },
  )
  expect(counts.size).toBeGreaterThan(calls.length / 2)
}, 120_000)

test('whatever people send as a file, each answer is as described; whole files of admins are taken, and others are refused [S7 S33]', async () => {
  const { request, admin } = await startTestApp({ config: { limitsRates: false } })
  const boss = await admin()
  const { calls, counts } = await fuzz(
    {
      send: async (asked) => {
        const { statusCode, headers, rawPayload } = await request(asked as InjectOptions)
        return { status: statusCode, headers, bytes: rawPayload }
      },
      admin: { email: boss.me.email!, password: 'a long admin password' },
      among: ({ operation }) => operation.requestBody?.content['multipart/form-data'] !== undefined,
    },
    { numRuns: 400, seed: 1 },
  )
  expect(calls.map(({ path }) => path).toSorted()).toEqual(['/api/admin/covers', '/api/upload-litmag'])
  for (const { name } of calls)
    expect([...counts.get(name)!.keys()]).toEqual(expect.arrayContaining([201, 400, 401, 403]))
}, 120_000)

test('the description names the types of the files of a story, and an answer of another type is wrong [S35]', async () => {
  const { request } = await startTestApp()
  const calls = callsIn(readDescription((await request({ url: '/openapi.json' })).body))
  const story = calls.find(({ path }) => path.includes('/story.'))!
  const types = ['application/epub+zip', 'text/markdown', 'text/plain']
  expect(Object.keys(story.operation.responses[200]!.content!).toSorted()).toEqual(types)
  const wrongOf = (type: string) =>
    new Judge().wrongOf(story, 'GET', {
      status: 200,
      headers: { 'content-type': type },
      body: 'It was late.',
    })
  expect(wrongOf('text/plain; charset=utf-8')).toBeUndefined()
  expect(wrongOf('application/json')).toBe('media type application/json is not declared')
})

test('the check of answers finds a missing or unknown field, an undeclared code or status, and a fault', async () => {
  const { request } = await startTestApp()
  const calls = callsIn(readDescription((await request({ url: '/openapi.json' })).body))
  const call = calls.find(({ name }) => name === 'GET /api/posts/{id}')!
  const wrongOf = (status: number, body: object) => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    return new Judge().wrongOf(call, 'GET', { status, headers, body: JSON.stringify(body) })
  }
  expect(wrongOf(404, { code: 'PostNotFound', error: 'It is gone.' })).toBeUndefined()
  expect(wrongOf(404, { code: 'RoomNotFound', error: 'It is gone.' })).toMatch('not as declared')
  expect(wrongOf(404, { code: 'PostNotFound' })).toMatch('not as declared')
  expect(wrongOf(201, {})).toBe('status 201 is not declared')
  expect(wrongOf(503, { code: 'Unavailable', error: 'Later.' })).toBe('a fault 503')
  const config = calls.find(({ name }) => name === 'GET /api/config')!
  const right = (await request({ url: '/api/config' })).json<object>()
  const wrongConfig = (body: object) =>
    new Judge().wrongOf(config, 'GET', {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect(wrongConfig(right)).toBeUndefined()
  expect(wrongConfig({ ...right, timeZone: 5 })).toMatch('not as declared')
  expect(wrongConfig({ ...right, secret: 'x' })).toMatch('not as declared')
})
