import type { ServerResponse } from 'node:http'
import type { Page } from '@playwright/test'
import { pagePaths } from '#contract/app/pages.ts'
import { startProxy } from './proxy.ts'
import { type App, asVisitor, expect, shareSession, test } from './test.ts'
import { weightOf } from './weight.ts'

interface FirstPage {
  who: string
  path: string
  file: string
  heading: string
  enter?: (page: Page, app: App) => Promise<void>
}

function asAdmin(page: Page, app: App) {
  return shareSession(page, app.admin)
}

const feed = { path: '/dashboard', file: 'FeedPage', heading: 'Feed' }
const firstPages: FirstPage[] = [
  { who: 'a visitor without a session', path: '/', file: 'OnboardingPage', heading: 'About us' },
  { who: 'a visitor who browses', ...feed, enter: asVisitor },
  { who: 'a visitor of a page without the feed', path: '/about', file: 'other-pages', heading: 'Z!mmer' },
  { who: 'a person with a session', ...feed, enter: asAdmin },
  {
    who: 'a person who writes a diary',
    path: '/diary',
    file: 'DiaryPage',
    heading: 'My Diary',
    enter: asAdmin,
  },
]

for (const { who, path, file, heading, enter } of firstPages) {
  test(`${who} gets the file ${file} beside the entry script, not after it`, async ({ app, page }) => {
    await enter?.(page, app)
    const isRequested = page.waitForRequest((request) => request.url().includes(`/assets/${file}-`))
    await page.route('**/assets/index-*.js', async (route) => {
      await isRequested
      await route.continue()
    })
    await page.goto(`${app.url}${path}`)
    await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible()
  })
}

test('a rendered page that arrives in two parts is shown once it is whole to a person who needs another one', async ({
  app,
  page,
  forgive,
}) => {
  forgive(/^Failed to fetch user/)
  await app.publish()
  using proxy = await startSlowProxy(app)
  await page.addInitScript(() => localStorage.setItem('userId', '00000000-0000-7000-8000-000000000001'))
  const opened = page.goto(`${proxy.url}/dashboard`)
  await page.waitForURL('**/dashboard', { waitUntil: 'commit' })
  await expect.poll(() => page.evaluate(areScriptsLoaded)).toBe(true)
  await page.evaluate(someTurns)
  expect(await page.evaluate(() => document.readyState)).toBe('loading')
  proxy.sendRest()
  await opened
  await expect(page.getByRole('heading', { name: 'Feed' }).first()).toBeVisible()
})

/** Whether the entry script is loaded, and each script that the page requests beside it. */
function areScriptsLoaded() {
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')]
  return (
    loaded.some((name) => /\/index-.*\.js$/.test(name)) && links.every(({ href }) => loaded.includes(href))
  )
}

/** A script that is loaded runs meanwhile, unless it waits for the page. */
async function someTurns() {
  for (let turn = 0; turn < 20; turn++) await new Promise((next) => setTimeout(next))
}

/** A proxy before the app that sends the root element of a page, and all that follows, when it is told to. */
async function startSlowProxy(app: App) {
  const rest = Promise.withResolvers<void>()
  const sendInParts = async (path: string, answer: ServerResponse) => {
    const found = await fetch(`${app.url}${path}`)
    for (const name of ['content-type', 'content-security-policy'])
      answer.setHeader(name, found.headers.get(name)!)
    const body = await found.text()
    const rootAt = body.indexOf('<div id="root"')
    answer.write(body.slice(0, rootAt))
    await rest.promise
    answer.end(body.slice(rootAt))
  }
  const proxy = await startProxy(app, ({ url = '', headers }, answer) => {
    const isPage = headers['sec-fetch-dest'] === 'document'
    if (isPage) void sendInParts(url, answer)
    return isPage
  })
  return Object.assign(proxy, { sendRest: rest.resolve })
}

const signedInMost = { scripts: 25, bytes: 170_000 }

// `/verify` checks PDF files with libraries of its own.
const measured = [...pagePaths.filter((each) => each !== '/verify'), '/write']
const perWindow = 8

// A window opens the next page in half the time of the first one.
for (let at = 0; at < measured.length; at += perWindow) {
  const paths = measured.slice(at, at + perWindow)
  test(`each of these pages takes at most 25 scripts and 170 KB of JavaScript of a person with a session: ${paths.join(', ')}`, async ({
    app,
    page,
  }) => {
    await publishEnough(app)
    await shareSession(page, app.admin)
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.addInitScript(dropLaterWork)
    const scripts = new Set<string>()
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.add(new URL(request.url()).pathname)
    })
    for (const path of paths) {
      scripts.clear()
      await page.goto(`${app.url}${path}`)
      await expect(page.locator('header [aria-haspopup=dialog]')).toBeVisible()
      await page.waitForLoadState('networkidle')
      expect.soft(scripts.size, path).toBeGreaterThan(2)
      expect.soft(scripts.size, path).toBeLessThanOrEqual(signedInMost.scripts)
      expect.soft(weightOf(scripts), path).toBeLessThanOrEqual(signedInMost.bytes)
    }
  })
}

const withPosts = new WeakSet<App>()

/** Enough text that the rows below the posts, which load more, are not near. */
async function publishEnough(app: App) {
  if (withPosts.has(app)) return
  withPosts.add(app)
  for (let n = 0; n < 12; n++) await app.publish({ content: `Post ${n}\n\n${'A line.\n'.repeat(12)}` })
}

/** What a page fetches four seconds later does not count, however slow the machine is. */
function dropLaterWork() {
  const start = setTimeout
  window.setTimeout = Object.assign(
    (work: () => void, ms?: number) => start(work, (ms ?? 0) >= 3000 ? 2 ** 30 : ms),
    start,
  ) as typeof setTimeout
}
