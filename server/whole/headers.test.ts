import { sql } from 'drizzle-orm'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { expect, test } from 'vitest'
import { instancePagePath, instancePages } from '#contract/instance/pages.ts'
import { pagePaths, writePaths } from '#contract/app/pages.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { uploadIssue } from '#contract/magazine/endpoints.ts'
import { feedFormats } from '#contract/syndication/paths.ts'
import { allowed, type CallRow, calls, requestOf } from '../testing/calls.ts'
import { startWorld, type World } from '../testing/world.ts'
import { pageFiles } from '../page.ts'
import { makePageFolder } from '../testing/page-folder.ts'
import { openStream } from '../testing/stream-client.ts'
import { startTestApp } from '../testing/test-app.ts'

const origins = [undefined, 'https://zimmer.example'] as const

const api = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }
const page = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types zimmer; report-uri /api/csp-report",
  'cross-origin-opener-policy': 'same-origin',
}

/** Each kind of answer, with all its protecting headers. */
const kinds = {
  private: { ...api, 'cache-control': 'no-store' },
  'of the caller': { ...api, 'cache-control': 'private, no-cache' },
  public: { ...api, 'cache-control': 'public, no-cache' },
  page: { ...page, 'cache-control': 'no-cache' },
  shell: { ...page, 'cache-control': 'no-cache', 'x-robots-tag': 'noai, noimageai, noindex' },
  'missing page': { ...page, 'cache-control': 'no-store' },
  file: { ...page, 'cache-control': 'public, no-cache' },
  upload: {
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'public, max-age=300',
  },
  'unused upload': {
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, no-store',
  },
  preview: {
    ...api,
    'cache-control': 'public, max-age=300',
    'cross-origin-resource-policy': 'cross-origin',
  },
  asset: { ...page, 'cache-control': 'public, max-age=31536000, immutable' },
}
type Kind = keyof typeof kinds

const everywhere = (isHttps: boolean) => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'x-robots-tag': 'noai, noimageai',
  'tdm-reservation': '1',
  ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
})

const protecting =
  /^(content-security-policy.*|cross-origin-.*|cache-control|x-.*|referrer-policy|permissions-policy|tdm-reservation|strict-transport-security|server|access-control-.*|expires|pragma)$/

const protectingOf = (headers: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => protecting.test(name) && name !== 'x-request-id'),
  )

/** Successful answers of the API that a browser may store. */
const kept: Record<string, Kind> = {
  'GET /api/feed/day/:offset': 'public',
  'GET /api/zimmers/rooms': 'of the caller',
  'GET /api/zimmer-rooms': 'of the caller',
  'GET /api/zimmers/open': 'of the caller',
  'GET /api/zimmers/slow': 'of the caller',
  'GET /api/zimmers/finished': 'of the caller',
  'GET /api/people/:id': 'of the caller',
  'GET /api/people/:id/posts': 'of the caller',
  'GET /api/people/:id/stories': 'of the caller',
}

type Row = [path: string, request: InjectOptions, status: number, kind: Kind]

/** The answers outside of the calls of the contract. */
const others: Row[] = [
  ...[...pagePaths, ...writePaths].flatMap((path): Row[] => [
    [path, {}, 200, 'page'],
    [path, { method: 'HEAD' }, 200, 'page'],
    [path, { method: 'POST' }, 405, 'private'],
  ]),
  // There is an admin.
  ['/setup', {}, 404, 'missing page'],
  ['/api/setup', { method: 'POST', payload: {} }, 400, 'private'],
  ['/api/openid/attempts', { method: 'POST' }, 404, 'private'],
  ['/api/openid/answers', { method: 'POST', payload: {} }, 400, 'private'],
  ['/api/openid/register', { method: 'POST', payload: {} }, 400, 'private'],
  ['/api/me/openid/attempts', { method: 'POST' }, 401, 'private'],
  // No admin has set a text, but the program writes about privacy.
  ...instancePages.map((page): Row =>
    page === 'privacy'
      ? [instancePagePath(page), {}, 200, 'page']
      : [instancePagePath(page), {}, 404, 'missing page'],
  ),
  ['/api/registration-requests', { method: 'POST', payload: {} }, 400, 'private'],
  ['/posts/:id', {}, 200, 'page'],
  ['/posts/nothing', {}, 404, 'missing page'],
  ['/stories/:id', {}, 200, 'page'],
  ['/stories/nothing', {}, 404, 'missing page'],
  ['/people/:id', {}, 200, 'page'],
  ['/people/nothing', {}, 404, 'missing page'],
  ...feedFormats.flatMap((format): Row[] => [
    [`/feed.${format}`, {}, 200, 'public'],
    [`/feed.${format}`, { method: 'HEAD' }, 200, 'public'],
    [`/feed.${format}?before=x`, {}, 400, 'private'],
    [`/feed.${format}`, { method: 'POST' }, 405, 'private'],
    [`/stories/feed.${format}`, {}, 200, 'public'],
    [`/people/:id/feed.${format}`, {}, 200, 'public'],
    [`/people/nothing/feed.${format}`, {}, 404, 'private'],
  ]),
  ['/nothing', {}, 404, 'missing page'],
  ['/favicon.ico', {}, 404, 'missing page'],
  ['/assets/*', {}, 200, 'asset'],
  ['/assets/*', { method: 'HEAD' }, 200, 'asset'],
  ['/assets/*', { headers: { 'accept-encoding': 'br' } }, 200, 'asset'],
  ['/assets/*', { method: 'DELETE' }, 405, 'private'],
  ['/assets/nothing.js', {}, 404, 'private'],
  ['/assets/.hidden', {}, 404, 'private'],
  ['/robots.txt', {}, 200, 'public'],
  ['/.well-known/tdmrep.json', {}, 200, 'public'],
  ['/.well-known/zimmer-seal.json', {}, 200, 'public'],
  ['/sitemap.xml', {}, 200, 'public'],
  ['/sitemap.xml?posts=', {}, 200, 'public'],
  ['/sitemap.xml', { method: 'HEAD' }, 200, 'public'],
  ['/sitemap.xml?people=x', {}, 400, 'private'],
  ['/sitemap.xml', { method: 'POST' }, 405, 'private'],
  ...[...pageFiles, 'manifest.webmanifest'].map((name): Row => [`/${name}`, {}, 200, 'file']),
  ['/shell', {}, 200, 'shell'],
  ['/shell', { method: 'HEAD' }, 200, 'shell'],
  ['/uploads/magazine/:name', {}, 200, 'upload'],
  ['/uploads/magazine/:name', { method: 'HEAD' }, 200, 'upload'],
  ['/uploads/magazine/:name', { headers: { range: 'bytes=0-1' } }, 206, 'upload'],
  ['/uploads/magazine/:name', { method: 'PUT' }, 405, 'private'],
  ['/uploads/magazine/nothing.pdf', {}, 404, 'private'],
  ['/uploads/covers/:name', {}, 200, 'unused upload'],
  ['/uploads/covers/:name', { method: 'HEAD' }, 200, 'unused upload'],
  ['/uploads/covers/:name', { method: 'PUT' }, 405, 'private'],
  ['/uploads/covers/nothing.webp', {}, 404, 'private'],
  ...['posts', 'stories', 'people'].flatMap((kind): Row[] => [
    [`/preview/${kind}/:id.png`, {}, 200, 'preview'],
    [`/preview/${kind}/:id.png`, { method: 'HEAD' }, 200, 'preview'],
    [`/preview/${kind}/nothing.png`, {}, 404, 'private'],
  ]),
  ['/health/live', {}, 200, 'private'],
  ['/health/ready', {}, 200, 'private'],
  ['/metrics', {}, 200, 'private'],
  ['/openapi.json', {}, 200, 'private'],
  ['/api/nothing', {}, 404, 'private'],
  ['/api/logout', {}, 303, 'private'],
  ['/unsubscribe/:token', {}, 303, 'private'],
  ['/unsubscribe/:token', { method: 'POST' }, 404, 'private'],
  ['/api/logout', { headers: { 'sec-fetch-site': 'cross-site' } }, 303, 'private'],
  ['/api/csp-report', { method: 'POST', payload: '{}', headers: cspReport() }, 204, 'private'],
  ['/api/csp-report', { method: 'POST', payload: 'x', headers: { 'content-type': 'a/b' } }, 415, 'private'],
  ['/api/live', { method: 'HEAD' }, 200, 'private'],
  ['/api/live', { method: 'POST' }, 405, 'private'],
  ['/%ff', {}, 404, 'private'],
  [`/${'a'.repeat(3000)}`, {}, 414, 'private'],
]

function cspReport() {
  return { 'content-type': 'application/csp-report' }
}

async function startSite(publicOrigin: string | undefined) {
  const pageFolder = makePageFolder({ 'present-A1b2C3d4.js': 'export {}' })
  return startWorld({ pageFolder, config: { ...(publicOrigin && { publicOrigin }) } })
}

/** Writes the ids of this world into a path of the table. */
async function pathsIn(world: World) {
  const uploaded = async (upload: Endpoint) => {
    const call = calls.find(({ endpoint }) => endpoint === upload)!
    return (await world.callers.admin.request(requestOf(call, call.make(world)))).json<
      Record<string, string>
    >()
  }
  const { url } = await uploaded(uploadIssue)
  const { imageUrl } = await uploaded(uploadCover)
  return (path: string) =>
    path
      .replace('/posts/:id', `/posts/${world.published}`)
      .replace('/people/:id', `/people/${world.known.id}`)
      .replace('/stories/:id', `/stories/${world.story}`)
      .replace('/unsubscribe/:token', '/unsubscribe/unknown')
      .replace('/uploads/magazine/:name', url!)
      .replace('/uploads/covers/:name', imageUrl!)
      .replace('/assets/*', '/assets/present-A1b2C3d4.js')
}

test.each(origins)(
  'every page, file and address beside the calls has the headers of its kind, at the origin %s [S21 S38 S26 S55]',
  async (publicOrigin) => {
    const world = await startSite(publicOrigin)
    const pathIn = await pathsIn(world)
    const paths = new Set([...others.map(([path]) => path), ...calls.map(({ endpoint }) => endpoint.path)])
    expect(world.app.mounted.map(({ url }) => url).filter((url) => !paths.has(url))).toEqual([])
    const expected = everywhere(publicOrigin !== undefined)
    for (const [path, request, status, kind] of others) {
      const url = pathIn(path)
      const answer = await world.request({ url, ...request })
      expect([path, answer.statusCode, protectingOf(answer.headers)]).toEqual([
        path,
        status,
        { ...expected, ...kinds[kind] },
      ])
      const tag = answer.headers.etag
      if (tag === undefined) continue
      const again = await world.request({ url, headers: { 'if-none-match': tag } })
      expect([path, again.statusCode, again.body, protectingOf(again.headers)]).toEqual([
        path,
        304,
        '',
        { ...expected, ...kinds[kind] },
      ])
    }
  },
)

test.each(origins)(
  'every call has the headers of its kind whatever its status, at the origin %s [S38 S26 S55]',
  async (publicOrigin) => {
    const world = await startSite(publicOrigin)
    const expected = everywhere(publicOrigin !== undefined)
    const statuses = new Set<number>()
    const check = (name: string, { statusCode, headers }: LightMyRequestResponse, kind: Kind) => {
      statuses.add(statusCode)
      const shown = [name, statusCode, protectingOf(headers)]
      expect(shown).toEqual([name, statusCode, { ...expected, ...kinds[kind] }])
    }
    for (const row of calls) {
      const { method, path, input } = row.endpoint
      const name = `${method} ${path}`
      const right = requestOf(row, row.make(world))
      const refused = (answer: LightMyRequestResponse) => check(name, answer, 'private')
      const isOpen = row.answers.visitor < 400
      if (!isOpen) refused(await world.request(right))
      refused(await world.request({ ...right, method: 'PUT' }))
      refused(await world.request({ ...right, url: `${right.url.split('?')[0]}?limit=1&limit=2` }))
      const json = { 'content-type': 'application/json' }
      if (input) {
        refused(await allowed(world, row).request({ ...right, payload: '{"a', headers: json }))
        const long = 'a'.repeat(600 * 1024)
        refused(await allowed(world, row).request({ ...right, payload: `{"a":"${long}"}`, headers: json }))
      }
      if (method !== 'GET') continue
      const done = await allowed(world, row).request(right)
      check(name, done, kept[name] ?? 'private')
      expect([name, 'etag' in done.headers]).toEqual([name, name in kept])
      const { etag } = done.headers
      if (etag === undefined) continue
      const again = await allowed(world, row).request({ ...right, headers: { 'if-none-match': etag } })
      expect([name, again.statusCode, again.body]).toEqual([name, 304, ''])
      check(name, again, kept[name]!)
    }
    expect([...statuses].toSorted()).toEqual([200, 304, 400, 401, 405, 413, 415])
  },
)

test.each(origins)(
  'a fault, an unavailable server and a stream have the same headers, at the origin %s [S38 S26 S55]',
  async (publicOrigin) => {
    const expected = { ...everywhere(publicOrigin !== undefined), ...kinds.private }
    const config = publicOrigin === undefined ? {} : { publicOrigin }
    const { app, db, request, visitor } = await startTestApp({ config })
    const stream = await openStream(app, visitor())
    expect(protectingOf(Object.fromEntries(stream.headers))).toMatchObject(expected)
    stream.close()
    await db.execute(sql`alter table rooms rename to away`)
    const fault = await request({ url: '/api/zimmers/rooms' })
    expect([fault.statusCode, protectingOf(fault.headers)]).toEqual([500, expected])
    const slow = await startTestApp({ config, maxLoopDelayMs: 0 })
    const unavailable = async () => {
      const { statusCode, headers } = await slow.request({ url: '/api/zimmers/rooms' })
      return statusCode === 503 && protectingOf(headers)
    }
    await expect.poll(unavailable).toEqual(expected)
  },
)

/** The names of the cookies that each call sets. */
const cookies: Record<string, string[]> = {
  'POST /api/login': ['sid', 'signed-in', 'device'],
  'POST /api/register': ['sid', 'signed-in', 'device'],
  'POST /api/onboarding/register': ['sid', 'signed-in', 'device'],
  'POST /api/guest-login': ['sid', 'signed-in'],
  'POST /api/auth/simple-change-password': ['sid', 'signed-in', 'device'],
  'POST /api/logout': ['sid', 'signed-in'],
  'DELETE /api/delete-account': ['sid', 'signed-in'],
}

test.each(origins)(
  'no call but those of a session sets a cookie, and each cookie has the strictest attributes, at the origin %s [S20 S21]',
  async (publicOrigin) => {
    const prefix = publicOrigin ? '__Host-' : ''
    const expected = (name: string) =>
      name === 'signed-in'
        ? ['Path=/', ...(publicOrigin ? ['Secure'] : []), 'SameSite=Strict']
        : ['HttpOnly', 'Path=/', ...(publicOrigin ? ['Secure'] : []), 'SameSite=Strict']
    const set = new Map<string, Set<string>>()
    const world = await startSite(publicOrigin)
    const nameOf = ({ endpoint }: CallRow) => `${endpoint.method} ${endpoint.path}`
    // Calls that end a session come last.
    const inOrder = calls.toSorted((a, b) => Number(nameOf(a) in cookies) - Number(nameOf(b) in cookies))
    for (const row of inOrder) {
      const client = row.answers.visitor < 300 ? world.visitor() : allowed(world, row)
      const { headers } = await client.request(requestOf(row, row.make(world)))
      for (const line of [headers['set-cookie'] ?? []].flat()) {
        const [pair = '', ...attributes] = line.split('; ')
        const [name = ''] = pair.split('=')
        const bare = name.replace(prefix, '')
        set.set(nameOf(row), (set.get(nameOf(row)) ?? new Set()).add(bare))
        const lasting = attributes.filter((each) => !/^(Max-Age|Expires)=/.test(each))
        expect([name, lasting.toSorted()]).toEqual([
          bare === 'signed-in' ? bare : `${prefix}${bare}`,
          expected(bare).toSorted(),
        ])
      }
    }
    const found = Object.fromEntries([...set].map(([name, each]) => [name, [...each].toSorted()]))
    const table = Object.entries(cookies).map(([name, each]) => [name, each.toSorted()])
    expect(found).toEqual(Object.fromEntries(table))
  },
)
