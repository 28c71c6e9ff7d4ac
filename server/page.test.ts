import { expect, test } from 'vitest'
import { type AppConfig, getConfig } from '#contract/app/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { createPost } from '#contract/feed/endpoints.ts'
import { feedDayPath } from '#contract/feed/paths.ts'
import { dataIn, makePageFolder } from '#server/testing/page-folder.ts'
import { startTestApp } from '#server/testing/test-app.ts'

test('an existing asset is cacheable for a year, and a missing one is not [S55]', async () => {
  const pageFolder = makePageFolder({ 'present-A1b2C3d4.js': 'export {}' })
  const { request } = await startTestApp({ pageFolder })
  const present = await request({ url: '/assets/present-A1b2C3d4.js' })
  expect([present.statusCode, present.body]).toEqual([200, 'export {}'])
  expect(present.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  // Its name does not change with its content.
  expect((await request({ url: '/theme.js' })).headers['cache-control']).toBe('public, no-cache')
  for (const [url, headers, status] of [
    ['/assets/missing-A1b2C3d4.js', {}, 404],
    ['/assets/missing-A1b2C3d4.js', { 'accept-encoding': 'gzip, br' }, 404],
    ['/assets/', {}, 404],
    ['/assets/a/b.js', {}, 404],
    ['/assets/..%2findex.html', {}, 404],
    ['/assets/present-A1b2C3d4.js', { range: 'bytes=999-' }, 400],
    ['/assets/present-A1b2C3d4.js', { 'if-match': '"another"' }, 400],
  ] as const) {
    const answer = await request({ url, headers })
    expect([url, answer.statusCode, answer.headers['cache-control']]).toEqual([url, status, 'no-store'])
  }
})

test('dot files and source maps of the page are hidden [S50]', async () => {
  const pageFolder = makePageFolder({ '.secret': 'hidden', 'present-A1b2C3d4.js.map': 'hidden' })
  const { request } = await startTestApp({ pageFolder })
  for (const url of ['/assets/.secret', '/assets/present-A1b2C3d4.js.map']) {
    const answer = await request({ url })
    expect([url, answer.statusCode, answer.headers['cache-control']]).toEqual([url, 404, 'no-store'])
    expect(answer.body).not.toContain('hidden')
  }
})

test('a page that does not exist is not cacheable [S55]', async () => {
  const { request } = await startTestApp()
  for (const url of ['/nowhere', '/posts/k7q2m4xp3d']) {
    const answer = await request({ url })
    expect([url, answer.statusCode, answer.headers['cache-control']]).toEqual([url, 404, 'no-store'])
  }
})

const today = '/api/feed/day/0'

test('the feed comes with the pages that show it first, and an article comes without the feed behind it [R24]', async () => {
  const { admin, request } = await startTestApp()
  const boss = await admin()
  const post = await boss.does(createPost, { input: { content: 'An <b>article</b>', authorName: 'Ana' } })
  const answersAt = async (url: string) => dataIn((await request({ url })).body).answers
  for (const url of ['/', '/dashboard'])
    expect((await answersAt(url))[today]).toMatchObject([{ id: post.id }])
  const article = await answersAt(`/posts/${post.id}`)
  expect(article[`/api/posts/${post.id}`]).toMatchObject({ content: 'An <b>article</b>' })
  expect(article[today]).toBeUndefined()
  expect(Object.keys(await answersAt('/diary'))).toEqual(['/api/config'])
})

test('a page changes with the feed in it, keeps its tag until then, and comes alone when the feed is long [R24 S38]', async () => {
  const { admin, request } = await startTestApp({
    config: { limitsRates: false },
  })
  const boss = await admin()
  const publish = (content: string) => boss.does(createPost, { input: { content, authorName: 'Ana' } })
  await publish('one')
  // The page also says that there is a post at all, which the server finds out a moment later.
  await expect.poll(async () => hasPostsIn(await request({ url: '/' }))).toBe(true)
  const { etag } = (await request({ url: '/' })).headers
  expect((await request({ url: '/', headers: { 'if-none-match': etag! } })).statusCode).toBe(304)
  await publish('two')
  const changed = await request({ url: '/', headers: { 'if-none-match': etag! } })
  expect(changed.statusCode).toBe(200)
  expect(dataIn(changed.body).answers[today]).toMatchObject([{ content: 'two' }, { content: 'one' }])
  for (let n = 0; n < 22; n++) await publish('long'.repeat(12_500))
  const long = await request({ url: '/dashboard' })
  expect(dataIn(long.body).answers[today]).toBeUndefined()
  expect(long.body).not.toContain('rendered')
  expect((await request({ url: today })).json()).toHaveLength(24)
})

test('a page of an empty day that was read before the first post says afterwards that there are posts [R24]', async () => {
  const { admin, visitor, request } = await startTestApp()
  const url = feedDayPath(addDays((await visitor().does(getConfig)).today, -1))
  expect(hasPostsIn(await request({ url }))).toBe(false)
  const boss = await admin()
  await boss.does(createPost, { input: { content: 'The first', authorName: 'Ana' } })
  await expect.poll(async () => hasPostsIn(await request({ url }))).toBe(true)
})

const hasPostsIn = ({ body }: { body: string }) => (dataIn(body).answers['/api/config'] as AppConfig).hasPosts

test('the shell is the page without data, the same for everybody, and says that it is the shell [OWN-01 OWN-21]', async () => {
  const { admin, request } = await startTestApp()
  const boss = await admin()
  await boss.does(createPost, { input: { content: 'A late lamp', authorName: 'Ana' } })
  const shell = await request({ url: '/shell' })
  expect(shell.body).toContain('<html data-shell="true" lang="en">')
  expect(shell.body).not.toMatch(/lamp|id="embedded-data"|data-rendered|rendered /)
  const own = await boss.request({ method: 'GET', url: '/shell' })
  expect([own.statusCode, own.body, own.headers['set-cookie']]).toEqual([200, shell.body, undefined])
  const etag = shell.headers.etag as string
  expect((await request({ url: '/shell', headers: { 'if-none-match': etag } })).statusCode).toBe(304)
  expect((await request({ url: '/dashboard' })).body).not.toContain('data-shell')
})

test('the service worker is a script that browsers ask for again at each visit [OWN-01]', async () => {
  const { request } = await startTestApp({ pageFolder: makePageFolder() })
  const { statusCode, headers } = await request({ url: '/sw.js' })
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'application/javascript; charset=utf-8',
    'public, no-cache',
  ])
})
