import type { Page } from '@playwright/test'
import { shelfPath, storyPath } from '#contract/rooms/paths.ts'
import { poem, test } from './finished.ts'
import { expect, holdRequests, shareSession } from './test.ts'

const withoutScripts = { javaScriptEnabled: false }

test('a reader without scripts goes from day to day, reads a whole article, and opens the page of its writer [PUB-01]', async ({
  open,
  app,
}) => {
  const writer = await app.signUp({
    firstName: 'Odile',
    lastName: 'Marsh',
    email: 'odile@example.org',
  })
  const { id } = await app.publish({ content: poem, authorName: 'Odile Marsh', by: writer.client })
  const page = await open(withoutScripts)

  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'About us' })).toBeVisible()
  await expect(page.locator('form noscript p')).toContainText('Signing in needs JavaScript.')
  await page.getByRole('link', { name: 'Browse the feed' }).click()
  await expect(page).toHaveURL('/dashboard')
  const card = page.getByRole('article', { name: 'Post by Odile Marsh' })
  await expect(card).toBeVisible()

  await page.getByRole('link', { name: 'Previous day' }).click()
  await expect(page).toHaveURL(/\/dashboard\?date=[\d-]{10}$/)
  await expect(page.getByText('No posts for Yesterday')).toBeVisible()
  await page.getByRole('link', { name: 'Next day' }).click()
  await expect(page).toHaveURL('/dashboard')

  await card.getByRole('link', { name: /:\d\d/ }).click()
  await expect(page).toHaveURL(`/posts/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Under the lamp' })).toBeVisible()
  await expect(page.getByText('the last one.')).toBeVisible()
  await page.getByRole('link', { name: 'Odile Marsh' }).click()
  await expect(page).toHaveURL(`/people/${writer.user.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Odile Marsh' })).toBeVisible()
  await expect(page.getByText('The owl has read')).toBeVisible()

  await page.goto('/about')
  await expect(page.getByText('It is free software that you can run yourself.')).toBeVisible()
})

test('a reader without scripts on a phone goes from an article to the next one, back, and to the day of both [LOOP-20 LOOP-22]', async ({
  open,
  app,
}) => {
  const older = await app.publish({ content: 'The ferry\n\nIt was late.' })
  const newer = await app.publish({ content: 'The train\n\nIt left.' })
  const page = await open({ ...withoutScripts, viewport: { width: 390, height: 844 } })
  await page.goto(`/posts/${newer.id}`)
  await page.getByRole('link', { name: 'Next: The ferry · Ana Lima' }).click()
  await expect(page).toHaveURL(`/posts/${older.id}`)
  await page.getByRole('link', { name: 'Previous: The train · Ana Lima' }).click()
  await expect(page).toHaveURL(`/posts/${newer.id}`)
  await page.getByRole('link', { name: 'All posts of' }).click()
  await expect(page).toHaveURL(/\/dashboard\?date=[\d-]{10}$/)
  await expect(page.getByRole('heading', { level: 2, name: 'The ferry' })).toBeVisible()
})

test('hydration changes no text and no title of a public page, nothing on it moves, and the browser complains about nothing [PUB-04]', async ({
  open,
  app,
}) => {
  const writer = await app.signUp({ firstName: 'Rhea', lastName: 'Quill', email: 'rhea-moves@example.org' })
  const { id } = await app.publish({ content: poem, authorName: 'Rhea Quill', by: writer.client })
  // The locale in which the server writes times.
  const page = await open({ locale: 'en-US', timezoneId: 'Europe/Berlin' })
  const said = listen(page)
  await page.addInitScript(() => {
    const changes: string[] = []
    Object.assign(window, { changes })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & { value: number; sources: { node?: Node }[] }
        const moved = sources.map(({ node }) => node?.textContent?.slice(0, 40))
        changes.push(`a shift of ${value} after ${entry.startTime} ms: ${moved.join(', ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
    document.addEventListener('DOMContentLoaded', () =>
      Object.assign(window, { text: document.querySelector('#root')!.textContent, title: document.title }),
    )
  })
  const titles = {
    '/': 'Z!mmer',
    '/about': 'About · Z!mmer',
    '/dashboard': 'Feed · Z!mmer',
    '/dashboard?day=1': 'Feed of Yesterday · Z!mmer',
    [`/posts/${id}`]: 'Under the lamp · Rhea Quill · Z!mmer',
    [`/people/${writer.user.id}`]: 'Rhea Quill · Z!mmer',
    [shelfPath]: 'Finished stories · Z!mmer',
    '/nowhere': '404 Page Not Found · Z!mmer',
  }
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(path)
    await expect(page.locator('html[data-rendered]')).toHaveCount(0)
    // The comments of this browser come last.
    if (path.startsWith('/posts/'))
      await expect(page.getByRole('heading', { name: 'Comments' })).toBeVisible()
    const { changes, before, after } = await page.evaluate(() => {
      const { changes, text, title } = window as unknown as { changes: string[]; text: string; title: string }
      const root = document.querySelector('#root')!
      return {
        changes,
        before: { text, title },
        after: { text: root.textContent, title: document.title },
      }
    })
    expect([path, changes, said]).toEqual([path, [], []])
    if (path.startsWith('/posts/')) after.text = after.text.replace(/Comments.*Post Comment/s, '')
    // On a day without posts the rows below it are in the window, so the browser loads them: only the title is compared.
    if (path.endsWith('?day=1')) after.text = before.text
    expect(after).toEqual(before)
    expect(before.title).toBe(title)
    expect(before.text.length).toBeGreaterThan(50)
  }
})

test('the browser complains about nothing on any public page that a signed-in person opens [PUB-04]', async ({
  page,
  app,
}) => {
  const writer = await app.signUp()
  const { id } = await app.publish({ content: poem, authorName: 'Ana Lima', by: writer.client })
  await shareSession(page, writer)
  const said = listen(page)
  for (const path of [
    '/',
    '/about',
    '/dashboard',
    '/dashboard?day=1',
    `/posts/${id}`,
    `/people/${writer.user.id}`,
    shelfPath,
    '/nowhere',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached()
    expect([path, said]).toEqual([path, []])
  }
})

/** All that the console says. Chromium reports a fault of the HTML as a warning, not as an error. */
function listen(page: Page) {
  const said: string[] = []
  page.on('console', (message) => {
    const is404 = message.location().url.endsWith('/nowhere') && message.text().includes('404')
    if (!is404) said.push(`${message.type()}: ${message.text()}`)
  })
  return said
}

/** Opens a page whose scripts are held back until the returned function is called. */
async function openBeforeScripts(page: Page, path: string) {
  const load = await holdRequests(page, '**/assets/*.js')
  // The event `load` would wait for the scripts.
  const opening = page.goto(path, { waitUntil: 'commit' })
  return async () => {
    load()
    await opening
  }
}

/** Title, and where the elements stand that the page first showed in its main part. The comments make an article longer. */
function look() {
  const seen = window as { elements?: Element[] }
  seen.elements ??= [...document.querySelectorAll('main :is(h1, h2, p, li, article)')].filter(
    (element) => element.textContent !== '' && element.getBoundingClientRect().top < innerHeight,
  )
  const places = seen.elements.map((element) => {
    const { x, y, width } = element.getBoundingClientRect()
    const place = element.isConnected ? [x, y, width].map(Math.round).join(' ') : 'is gone'
    return `${element.tagName} ${element.textContent.slice(0, 30)}: ${place}`
  })
  return { title: document.title, places }
}

test('a visitor who reads before the scripts arrive finds title and text unmoved when they have arrived [PUB-04]', async ({
  open,
  finished,
}) => {
  const { url, rooms, articles, people } = finished
  // The locale in which the server writes times.
  const page = await open({ baseURL: url, locale: 'en-US', timezoneId: 'Europe/Berlin' })
  const titles = {
    '/dashboard?day=1': 'Feed of Yesterday · Z!mmer',
    [`/posts/${articles.poem}`]: 'Under the lamp · Rhea Quill · Z!mmer',
    [`/people/${people.rhea}`]: 'Rhea Quill · Z!mmer',
    [storyPath(rooms.poem)]: 'The long night · Z!mmer',
    [shelfPath]: 'Finished stories · Z!mmer',
    '/nowhere': '404 Page Not Found · Z!mmer',
  }
  for (const [path, title] of Object.entries(titles)) {
    const load = await openBeforeScripts(page, path)
    await page.waitForFunction(() => document.readyState !== 'loading' && document.fonts.status === 'loaded')
    const before = await page.evaluate(look)
    await load()
    // The comments of this browser come last.
    if (path.startsWith('/posts/'))
      await expect(page.getByRole('heading', { name: 'Comments' })).toBeVisible()
    expect(await page.evaluate(look)).toEqual(before)
    expect(before.title).toBe(title)
    expect(before.places.length).toBeGreaterThan(0)
  }
})

test('a button that is pressed before the scripts arrive is pressed when they do [PUB-04]', async ({
  page,
}) => {
  const load = await openBeforeScripts(page, '/')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  await load()
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
})

test('a visitor who presses Browse the feed before the scripts arrive, or follows a link to a public page, goes on to the other pages [SHELL-86 SHELL-87]', async ({
  page,
  open,
  app,
}) => {
  const { id } = await app.publish({ content: poem })
  const openDiary = async (tab: Page) => {
    await tab.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Diary' }).click()
    await expect(tab.getByRole('heading', { level: 1, name: 'My Diary' })).toBeVisible()
  }
  const load = await openBeforeScripts(page, '/')
  await page.getByRole('link', { name: 'Browse the feed' }).click()
  await expect(page).toHaveURL('/dashboard')
  await load()
  await openDiary(page)

  for (const path of [`/posts/${id}`, '/about', shelfPath]) {
    const linked = await open()
    await linked.goto(path)
    await openDiary(linked)
    await linked.goto('/')
    await expect(linked.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  }
})

test('what a person types to sign in before the scripts arrive stays, and is sent when they do [PUB-04 R22]', async ({
  page,
  forgive,
}) => {
  forgive(/Login failed/)
  const load = await openBeforeScripts(page, '/')
  const form = page.getByRole('form', { name: 'Sign in' })
  await form.getByLabel('Email').fill('nobody@example.org')
  await form.getByLabel('Passcode').fill('secret1')
  await form.getByLabel('Passcode').press('Enter')
  await load()
  const alert = page.getByRole('alertdialog')
  await expect(alert).toContainText('Email or passcode is not right.')
  await alert.getByRole('button', { name: 'OK' }).click()
  await expect(form.getByLabel('Email')).toHaveValue('nobody@example.org')
  await expect(form.getByLabel('Passcode')).toHaveValue('secret1')
})

test('a visitor reads a rendered page after two fonts of together 70 KB, and before any script but that of the head is requested [PUB-04]', async ({
  page,
  app,
}) => {
  await app.publish({ content: 'The train\n\nIt left at ten.' })
  const answer = await page.goto('/dashboard')
  expect(await answer!.text()).not.toContain('rel="manifest"')
  await expect(page.locator('html[data-rendered]')).toHaveCount(0)
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/manifest.webmanifest')
  const { paintedAt, files } = await page.evaluate(() => ({
    paintedAt: performance.getEntriesByName('first-contentful-paint')[0]!.startTime,
    files: performance
      .getEntriesByType('resource')
      .map((entry) => entry.toJSON() as PerformanceResourceTiming)
      .map(({ name, startTime, encodedBodySize }) => ({ name, startTime, encodedBodySize })),
  }))
  const scripts = files.filter(({ name }) => /\/assets\/.*\.js$/.test(name))
  expect(scripts.length).toBeGreaterThan(2)
  expect(Math.min(...scripts.map(({ startTime }) => startTime))).toBeGreaterThan(paintedAt)
  const fonts = files.filter(({ name }) => name.endsWith('.woff2'))
  expect(fonts).toHaveLength(2)
  expect(fonts[0]!.encodedBodySize + fonts[1]!.encodedBodySize).toBeLessThanOrEqual(70_000)
})

test('a rendered page works in a browser that does not say when it paints [PUB-04]', async ({
  page,
  app,
}) => {
  await page.addInitScript(() => {
    PerformanceObserver.prototype.observe = () => {}
  })
  await app.publish({ content: 'The train\n\nIt left at ten.' })
  await page.goto('/dashboard')
  await expect(page.locator('html[data-rendered]')).toHaveCount(0)
})
