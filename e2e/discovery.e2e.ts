import type { Page } from '@playwright/test'
import { search } from '#contract/search/endpoints.ts'
import type { App } from './app.ts'
import { examineAsShown } from './examine.ts'
import { bottomBar } from './people.ts'
import { asVisitor, expect, test } from './test.ts'

const box = (page: Page) => page.getByRole('combobox', { name: 'Search' })

/** Scrolls to the rows below the posts and waits until they are fetched. */
async function scrollToRows(page: Page) {
  await page.getByRole('heading', { name: 'Recently viewed' }).evaluate((heading) => heading.scrollIntoView())
  await expect(page.getByRole('button', { name: /^Follow / }).first()).toBeVisible()
}

/** Publishes a post and waits until a search finds it. */
async function publishFound(app: App, post: { content: string; authorName?: string }) {
  const published = await app.publish(post)
  const q = post.content.split('\n')[0]!
  const ids = async () =>
    (await app.visitor().does(search, { query: { q, kind: 'posts' } })).posts.found.map(({ id }) => id)
  await expect.poll(ids).toContain(published.id)
  return published
}

test('a reader follows a creator and writes an entry: after a reload the entry is there, but no favourite, and the entrant goes on to the portal [FEED-18 FEED-25 COMP-15 COMP-20 COMP-24 COMP-25]', async ({
  page,
  context,
  app,
}) => {
  // Without a post there is no competition.
  await app.publish()
  const sent: string[] = []
  page.on('request', (request) => void (request.method() !== 'GET' && sent.push(request.url())))
  await context.route('https://submissions.zimmer.example/**', (route) =>
    route.fulfill({ body: 'the portal' }),
  )
  await asVisitor(page)
  await page.goto('/dashboard')
  const enter = page.getByRole('button', { name: 'Enter the competition' })
  const favourites = page.getByRole('region', { name: 'favourite creators' }).first()
  await scrollToRows(page)
  await page.getByRole('button', { name: 'Follow Amara Okonjo' }).click()
  await expect(favourites.getByRole('button', { name: 'Following Amara Okonjo' })).toBeVisible()
  await enter.click()
  await page.getByLabel('Content').fill('Once upon a time')
  const continueButton = page.getByRole('button', { name: 'Continue to the portal' })
  await continueButton.click()
  await expect(page.getByText('Missing Information', { exact: true })).toBeVisible()
  await page.reload()
  await scrollToRows(page)
  await expect(favourites.getByText('Creators you follow appear here.')).toBeVisible()
  expect((await favourites.boundingBox())!.height).toBeLessThan(120)
  await enter.click()
  await expect(page.getByLabel('Content')).toHaveValue('Once upon a time')
  await page.getByLabel('Title').fill('The night train')
  await page.getByLabel('Author name').fill('Ana Lima')
  await page.getByLabel('Email').fill('ana@example.org')
  const portal = context.waitForEvent('page')
  await continueButton.click()
  const opened = await portal
  await expect(opened.getByText('the portal')).toBeVisible()
  expect(
    await opened.evaluate(() => ({ opener: window.opener as unknown, referrer: document.referrer })),
  ).toEqual({
    opener: null,
    referrer: '',
  })
  expect(sent).toEqual([])
})

test('a stranger who opens a linked article sees its title in the tab, and reads on in the feed [SHELL-94 ART-01]', async ({
  page,
  app,
}) => {
  const poem = 'Rain on the "roof" & <eaves>\n\nIt rained all night.\nNobody slept.'
  const post = await app.publish({ content: poem, authorName: 'Ana Lima' })
  const title = 'Rain on the "roof" & <eaves> · Ana Lima · Z!mmer'
  const served = await page.request.get(`/posts/${post.id}`)
  const html = await served.text()
  expect(html).toContain(
    '<title>Rain on the &quot;roof&quot; &amp; &lt;eaves&gt; · Ana Lima · Z!mmer</title>',
  )
  expect(html.match(/<title>|name="description"/g)).toHaveLength(2)
  expect(html).toMatch(/name="description" content="Rain on the [^"]* It rained all night. Nobody slept."/)
  const home = await (await page.request.get('/')).text()
  expect(home).toContain('<title>Z!mmer</title>')
  expect(home).toContain('content="A home for people who write')

  await page.goto(`/posts/${post.id}`)
  await expect(page).toHaveTitle(title)
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('link', { name: 'Go to the feed' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'About us' })).toBeHidden()
  await expect(page).toHaveTitle('Feed · Z!mmer')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('a reader opens an article by a click in the feed, starts at its title, and leaves by Escape, Close or Back; at its address it is a page [ART-01 SHELL-94]', async ({
    page,
    app,
  }) => {
    const post = await app.publish({
      content: `The ferry\n\n${'It was late, and nobody spoke. '.repeat(60)}`,
    })
    await asVisitor(page)
    const title = page.getByRole('dialog').getByRole('heading', { name: 'The ferry' })
    await page.goto('/dashboard')
    const opening = page
      .getByRole('article')
      .filter({ hasText: 'The ferry' })
      .getByRole('link', { name: 'Continue reading' })
    await opening.click()
    await expect(page).toHaveURL(new RegExp(`/posts/${post.id}$`))
    await expect(title).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(opening).toBeFocused()
    await opening.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await expect(opening).toBeFocused()
    await opening.click()
    await expect(title).toBeFocused()
    await page.goBack()
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(title).toBeHidden()

    await opening.click()
    await expect(title).toBeFocused()
    await page.reload()
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'The ferry' })).toBeVisible()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(page.getByText('Continue reading')).toBeHidden()
    await page.goBack()
    await expect(opening).toBeVisible()
  })
})

test.describe('on a touch screen', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a reader whose word is wider than the window reads all of it, and the kinds of results stand in the middle of their frames [SRCH-01]', async ({
    page,
  }) => {
    await asVisitor(page)
    const word = 'Donaudampfschifffahrtsgesellschaftskapitaenswitwenrente'
    await page.goto(`/search?q=${word}`)
    const [left, right] = await page
      .getByText(`Nothing found for “${word}”`)
      .evaluate((text) => [text.getBoundingClientRect().left, text.getBoundingClientRect().right])
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(390)
    const offsets = await page
      .getByRole('navigation', { name: 'Kinds of results' })
      .getByRole('link')
      .evaluateAll((links) =>
        links.map((link) => {
          const range = document.createRange()
          range.selectNodeContents(link)
          const [text, frame] = [range.getBoundingClientRect(), link.getBoundingClientRect()]
          return Math.abs(text.top - frame.top - (frame.bottom - text.bottom))
        }),
      )
    expect(offsets).toHaveLength(5)
    expect(Math.max(...offsets)).toBeLessThan(2)
  })
})

test('a writer on a tablet sees the day, its buttons and Create Post in one row, and no gap below the form [FEED-01]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.setViewportSize({ width: 820, height: 1180 })
  await page.goto('/dashboard')
  const create = page.getByRole('button', { name: 'Create Post' })
  const row = (await page.getByRole('link', { name: 'Previous day' }).boundingBox())!
  const middle = row.y + row.height / 2
  const box = (await create.boundingBox())!
  expect(Math.abs(box.y + box.height / 2 - middle)).toBeLessThan(12)
  await create.click()
  const dialog = page.getByRole('dialog')
  const footer = dialog.getByRole('button', { name: 'Submit' }).locator('..')
  await expect(footer).toBeVisible()
  const endOf = async (part: typeof dialog) => {
    const { y, height } = (await part.boundingBox())!
    return y + height
  }
  await expect.poll(async () => (await endOf(dialog)) - (await endOf(footer))).toBeLessThan(3)
})

test('a reader sees nothing move while the feed and its rows load [FEED-24]', async ({ page, app }) => {
  await app.publish()
  await asVisitor(page)
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  for (const [path, width, height] of [
    ['/dashboard', 390, 844],
    ['/dashboard', 1440, 900],
    // A day without posts, so that all rows are in sight at once.
    ['/dashboard?day=1', 1440, 3000],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(path)
    await scrollToRows(page)
    const shifts = await page.evaluate(() => (window as Window & { shifts?: number[] }).shifts)
    expect(shifts, `${path} at ${width} px`).toEqual([])
  }
})

test('a reader who writes a search finds a text of another day, and all of them on a page with filters [LOOP-13 LOOP-14 LOOP-16]', async ({
  page,
  app,
}) => {
  const post = await publishFound(app, { content: 'The curlew\n\nA curlew calls over the marsh.' })
  await asVisitor(page)
  await page.goto('/about')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('marsh cur')
  const option = page.getByRole('group', { name: 'Posts' }).getByRole('option', { name: /The curlew/ })
  await expect(option.locator('mark')).toHaveText(['curlew', 'curlew', 'marsh'])
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Search' })).toBeVisible()
  await page.getByText('Filters and order').click()
  await page.getByLabel('Form').selectOption('Prose')
  await expect(page).toHaveURL(/\/search\?q=marsh\+cur&form=prose$/)
  const result = page.getByRole('main').getByRole('link', { name: /The curlew/ })
  await expect(result).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await examineAsShown(page, 'the page of a search', page.getByRole('main'))
  await result.click()
  await expect(page).toHaveURL(new RegExp(`/posts/${post.id}$`))
})

test('a reader on a phone finds the search results over the whole width and not under the bottom bar, and them, details and the dialogs of the rows accessible at night [SRCH-01]', async ({
  page,
  app,
}) => {
  await publishFound(app, { content: 'The kingfisher dives.', authorName: 'Xenia Brook' })
  await asVisitor(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.goto('/dashboard')
  await scrollToRows(page)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = page.getByRole('dialog')
  for (const [name, opener] of [
    ['an entry', 'Enter the competition'],
    ['all people', 'Show all of Recently viewed'],
    ['categories', 'Show all of Browse by category'],
  ] as const) {
    await press(opener)
    await expect(dialog).toBeVisible()
    await examineAsShown(page, name)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(dialog).toBeHidden()
  }

  await press('Open search')
  const list = page.getByRole('listbox')
  const find = async (query: string) => {
    await box(page).fill(query)
    await expect(list).toBeVisible()
  }
  await find('the')
  await expect(page.getByRole('option').nth(5)).toBeVisible()
  const { x, y, width, height } = (await list.locator('..').boundingBox())!
  expect([x, width]).toEqual([0, 390])
  expect(y + height).toBeLessThanOrEqual((await bottomBar(page).boundingBox())!.y)
  await find('kingfisher')
  // The server has found the post once its option is a link.
  await expect(page.locator('a[role=option]', { hasText: 'kingfisher' })).toBeVisible()
  const header = page.getByRole('banner')
  await examineAsShown(page, 'results', header)
  await find('qqqq')
  await expect(page.getByText('Nothing found for “qqqq”')).toBeVisible()
  await examineAsShown(page, 'no results', header)
  for (const [name, query] of [
    ['an author', 'Xenia'],
    ['a creator', 'Amara Okonjo'],
  ] as const) {
    await find(query)
    await page.getByRole('option').first().click()
    await expect(dialog).toBeVisible()
    await examineAsShown(page, name)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
})
