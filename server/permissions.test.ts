import type { InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import {
  allowed,
  type CallRow,
  calls,
  expectSound,
  requestOf,
  startWorld,
  viewers,
  type World,
} from './testing/calls.ts'
import { contentOf } from './testing/content.ts'

/** No endpoints of the contract; each has tests of its own. */
const others = ['GET /api/live', 'GET /api/logout', 'POST /api/csp-report']

test('every call that is mounted has its row in the table of who may call what, and the other way round [S2]', async () => {
  const { app } = await startWorld()
  const mounted = app.mounted
    .filter(({ url, method }) => url.startsWith('/api/') && typeof method === 'string' && method !== 'HEAD')
    .map(({ url, method }) => `${String(method)} ${url}`)
  expect(mounted.toSorted()).toEqual([...calls.map(({ name }) => name), ...others].toSorted())
})

test('outside of the API everything is the same for everybody, and no session is looked up [S2]', async () => {
  const { app } = await startWorld()
  for (const { url, config } of app.mounted.filter((each) => !each.url.startsWith('/api/')))
    expect([url, config.policy]).toEqual([
      url,
      { visitor: true, guest: true, user: true, admin: true, ignoresSession: true },
    ])
})

test.each(calls)(
  '$name answers each kind of viewer as the table says; a refusal comes before the input and changes nothing [S1 S2 S4 S38 S26 PERM-01 PERM-05 PERM-06]',
  async (row) => {
    const world = await startWorld()
    const policy = policyOf(world, row)
    for (const [place, who] of viewers.entries()) {
      const status = row.answers[place]!
      const verdict = policy[who === 'person' ? 'user' : who]
      const client = await world[who]()
      const before = await contentOf(world.db)
      const rightly = await client.request(requestOf(row, row.make(world)))
      expectSound(rightly)
      expect([who, rightly.statusCode]).toEqual([who, status])
      if (status < 400) continue
      // A rule of the handler, such as that an admin stays, comes after the input.
      const isByPolicy = verdict !== true
      const broken = isByPolicy ? await client.request(brokenRequestOf(row)) : rightly
      expect(broken.json()).toEqual(rightly.json())
      const { code } = rightly.json<{ code: string }>()
      expect(isByPolicy ? code : verdict).toBe(isByPolicy ? codes[verdict] : true)
      const { audit_log: audited, ...after } = await contentOf(world.db)
      const { audit_log: auditedBefore, ...unchanged } = before
      expect(after).toEqual(unchanged)
      // A refused call of an admin's is noted, the second one of a minute with a count later, and nothing else is (S49 S52).
      const isNoted = status === 403 && verdict === 403 && policy.user === 403
      const added = audited!.filter((line) => !auditedBefore!.includes(line))
      expect(added).toHaveLength(isNoted ? 1 : 0)
      for (const line of added) expect(line).toContain(',admin-call-refused,')
    }
  },
)

test.each(calls.filter(({ answers }) => answers[0] === 401))(
  '$name answers a token that opens nothing, and one whose person is gone, like a visitor [S4 S20 S23]',
  async (row) => {
    const world = await startWorld()
    const gone = await world.guest()
    const token = gone.cookies.get('sid')!
    await gone.request({ method: 'DELETE', url: '/api/delete-account' })
    const before = await contentOf(world.db)
    for (const sid of [token, 'a'.repeat(43), '', "' or 1=1 --", '%00']) {
      const answer = await world.request({ ...requestOf(row, row.make(world)), cookies: { sid } })
      expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'SignInRequired' }])
    }
    expect(await contentOf(world.db)).toEqual(before)
  },
)

const codes = { 401: 'SignInRequired', 403: 'NotAllowed' }

const changes = calls.filter(({ endpoint }) => endpoint.method !== 'GET')

test.each(changes)(
  '$name from a page that is not ours is refused whoever it is, and changes nothing [S24]',
  async (row) => {
    const world = await startWorld()
    const client = await allowed(world, row)
    const before = await contentOf(world.db)
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' },
      { origin: 'https://evil.example' },
      { origin: 'http://localhost.evil.example' },
      { origin: 'null' },
    ]) {
      for (const someone of [client, world.visitor()]) {
        const answer = await someone.request({ ...requestOf(row, row.make(world)), headers })
        expectSound(answer)
        expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'ForeignRequest' }])
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    }
    expect(await contentOf(world.db)).toEqual(before)
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' }
    const own = await client.request({ ...requestOf(row, row.make(world)), headers })
    expect(own.statusCode).toBeLessThan(300)
  },
)

test.each(changes)('$name takes no form of a foreign page, with or without a body [S24]', async (row) => {
  const world = await startWorld()
  const client = await allowed(world, row)
  const before = await contentOf(world.db)
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
    for (const payload of ['a=b', JSON.stringify(row.make(world).input ?? {}), '']) {
      const headers = { 'content-type': type }
      const answer = await client.request({ ...requestOf(row, row.make(world)), payload, headers })
      expectSound(answer)
      expect([answer.statusCode, answer.json()]).toMatchObject([415, { code: 'UnsupportedMediaType' }])
    }
  }
  expect(await contentOf(world.db)).toEqual(before)
})

const policyOf = ({ app }: World, { endpoint }: CallRow) =>
  app.mounted.find(({ config }) => config.endpoint === endpoint)!.config.policy!

/** The call with nothing right about it but its address. */
function brokenRequestOf(row: CallRow): InjectOptions {
  const request = requestOf(row, { params: { id: 'no-id', offset: 'no-day' } })
  const url = `${request.url}?limit=1&limit=2&before=`
  if (row.endpoint.method === 'GET') return { ...request, url }
  return { ...request, url, payload: '{"broken', headers: { 'content-type': 'application/json' } }
}
