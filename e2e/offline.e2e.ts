import type { Locator, Page } from '@playwright/test'
import { pagePaths, publicPaths, writePaths } from '#contract/app/pages.ts'
import { saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { feedPath } from '#contract/syndication/paths.ts'
import { startProxy } from './proxy.ts'
import { type App, expect, signIn, test } from './test.ts'

test.use({ serviceWorkers: 'allow' })

const shell = (page: Page) => page.locator('html[data-shell=true]')
const noConnection = (page: Page) => page.getByText('There is no connection.')

/** Waits until the worker has stored the files of all pages. */
const installed = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })

/** What the worker has stored. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const files = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const answer = (await cache.match(request))!
        const { pathname, search } = new URL(request.url)
        files.push({
          path: pathname + search,
          type: answer.headers.get('content-type')!,
          text: await answer.text(),
        })
      }
    }
    return files
  })

test.beforeEach(({ forgive }) => forgive(/^Failed to|TypeError: Failed to fetch/))

test('a person opens every page without a network after one visit, a missing page is no page, and the line about the network covers neither what a person writes nor the bars, in windows of 390 and 1440 px [OWN-01 R22]', async ({
  page,
  app,
  context,
}) => {
  // Many pages in one window.
  test.setTimeout(240_000)
  await signIn(page, await app.signUp())
  await page.goto('/dashboard')
  await installed(page)
  await context.setOffline(true)
  const named = [...writePaths, ...publicPaths].map((path) => path.replace(':id', 'k7q2m4xp3d'))
  for (const path of [...pagePaths, ...named]) {
    await page.goto(path)
    await expect(shell(page), path).toBeAttached()
    // The frame of a text that this device has not read, or the page.
    await expect(page.getByRole('main'), path).toBeVisible()
    await expect(page.locator('[data-waiting]'), path).toHaveCount(0)
    await expect(page.getByText('This page could not be shown.'), path).toHaveCount(0)
  }
  for (const path of ['/nowhere', '/stories/feed.json', '/api/me', '/api/logout', '/uploads/magazine/a.pdf'])
    await expect(page.goto(path), path).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/)

  const line = page.getByRole('status').filter({ has: noConnection(page) })
  const save = page.getByRole('button', { name: 'Save Entry' })
  const boxOf = async (place: Locator) => (await place.boundingBox())!
  for (const [width, height, bar] of [
    [390, 800, page.getByRole('navigation', { name: 'Often used' })],
    [1440, 900, page.getByRole('region', { name: 'Account', exact: true })],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto('/diary')
    await expect(page.getByRole('heading', { level: 1, name: 'My Diary' })).toBeVisible()
    await expect(save).toBeVisible()
    await expect(noConnection(page)).toBeVisible()
    // One line is enough.
    await expect(page.getByText('You are offline.')).toBeHidden()
    await expect.poll(async () => below(await boxOf(save)) <= (await boxOf(line)).y).toBe(true)
    await expect.poll(async () => below(await boxOf(line)) <= (await boxOf(bar)).y).toBe(true)
    const { y } = await boxOf(save)
    await line.getByRole('button', { name: 'Close' }).click()
    await expect.poll(async () => (await boxOf(save)).y).toBeGreaterThan(y)
    await expect(page.getByText('You are offline.')).toBeVisible()
  }
})

const below = ({ y, height }: { y: number; height: number }) => y + height

test('a visitor without a network reads a sentence about it, and that the connection is back [OWN-01]', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await installed(page)
  await context.setOffline(true)
  await page.goto('/diary')
  await expect(noConnection(page)).toBeVisible()
  await expect(page.getByLabel('Email')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('The connection is back.')).toBeVisible()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(shell(page)).toHaveCount(0)
  await expect(page.getByText('The connection is back.')).toHaveCount(0)
})

test('with a network every page and refusal comes from the server, a navigation is sent once, and the worker stores the files of the program and the page without data, and nothing of a person [OWN-01 OWN-21]', async ({
  page,
  app,
  context,
}) => {
  const canary = 'Rain on the roof of the old station'
  const ana = await app.signUp()
  await ana.client.does(saveDiaryEntry, { input: { date: '2025-06-10', content: canary } })
  const { id } = await app.publish({ content: canary })
  await signIn(page, ana)
  await page.goto('/dashboard')
  await installed(page)
  // Under the worker, with a network, every page and refusal comes from the server.
  for (const path of ['/dashboard', '/diary?day=2025-06-10', `/posts/${id}`, '/about', '/reports'])
    await page.goto(path, { waitUntil: 'networkidle' })
  const post = await app.publish({ content: `${canary}, and a late lamp` })
  await page.goto(`/posts/${post.id}`)
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
  await expect(shell(page)).toHaveCount(0)
  await expect(page.getByText('a late lamp').first()).toBeVisible()
  for (const path of ['/posts/k7q2m4xp3d', '/nowhere'])
    expect((await page.goto(path))!.status(), path).toBe(404)
  const before = await readsOfFeed(app)
  await page.goto(feedPath({ kind: 'posts' }, 'json'))
  expect(await readsOfFeed(app)).toBe(before + 1)
  await page.goto('/diary')
  const files = await stored(page)
  expect(files.length).toBeGreaterThan(100)
  const others = files
    .filter(({ path }) => !path.startsWith('/assets/'))
    .map(({ path, type }) => `${path} ${type}`)
  expect(others.toSorted()).toEqual([
    '/icon.svg image/svg+xml',
    '/manifest.webmanifest application/manifest+json',
    '/shell text/html; charset=utf-8',
    expect.stringMatching(/^\/theme\.js\?\S+ application\/javascript/),
  ])
  const kinds = new Set(
    files.filter(({ path }) => path.startsWith('/assets/')).map(({ type }) => type.split(';')[0]),
  )
  expect([...kinds].toSorted()).toEqual(['font/woff2', 'text/css', 'application/javascript'].toSorted())
  expect(files.filter(({ path }) => path.endsWith('.woff2'))).toHaveLength(2)
  for (const { path, text } of files) expect(text.includes(canary), path).toBe(false)
  const { text } = files.find(({ path }) => path === '/shell')!
  expect(text).not.toContain('embedded-data"')
  await page.request.post('/api/logout')
  await context.setOffline(true)
  await page.goto('/diary')
  await expect(noConnection(page)).toBeVisible()
  expect(await page.content()).not.toContain(canary)
})

/** How often the server was asked for `/feed.json`. */
async function readsOfFeed({ url }: App) {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counts = text.matchAll(
    /^zimmer_http_request_duration_seconds_count\{[^}]*"\/feed\.json"[^}]*\} (\d+)$/gm,
  )
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

test('a page that a proxy answers in the place of scripts is never kept as a script, and the next visit installs the program [OWN-01]', async ({
  app,
  page,
}) => {
  let [isInTheWay, answers] = [true, 0]
  using proxy = await startProxy(app, ({ url = '', headers }, answer) => {
    const isDownload = headers['sec-fetch-dest'] === 'empty' && /^\/(assets\/|shell$)/.test(url)
    if (!isInTheWay || !isDownload) return false
    answers++
    answer.setHeader('content-type', 'text/html').end('<h1>Sign in to the network</h1>')
    return true
  })
  await page.goto(`${proxy.url}/`)
  await expect.poll(() => answers, { timeout: 30_000 }).toBeGreaterThan(0)
  const registration = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.scope)
  await expect.poll(registration, { timeout: 60_000 }).toBeUndefined()
  isInTheWay = false
  await page.goto(`${proxy.url}/`)
  await installed(page)
  const files = await stored(page)
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter(({ type }) => type.startsWith('text/html')).map(({ path }) => path)).toEqual(['/shell'])
})
