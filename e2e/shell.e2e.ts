import type { Locator } from '@playwright/test'
import { roomPath } from '#contract/rooms/paths.ts'
import { announce } from './announce.ts'
import { makeRoom } from './people.ts'
import { asVisitor, bar, expect, holdRequests, signIn, test } from './test.ts'

test('a reader browses without a session in one tab only, until they choose Login [SHELL-86 SHELL-93 SHELL-52]', async ({
  page,
  context,
}) => {
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto('/')
  await page.getByRole('link', { name: 'Browse the feed' }).click()
  const feed = page.getByRole('heading', { level: 1, name: 'Feed' })
  await expect(feed).toBeVisible()
  await page.reload()
  await expect(feed).toBeVisible()
  expect(calls).not.toContain('/api/me')

  const otherTab = await context.newPage()
  await otherTab.goto('/')
  await expect(otherTab.getByRole('heading', { name: 'About us' })).toBeVisible()

  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
})

test('nothing in the header moves when the page learns who is signed in, in windows of 390, 820 and 1440 px', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 844 })
    const answer = await holdRequests(page, '**/api/me')
    await page.goto('/about')
    const header = page.getByRole('banner')
    await expect(header.getByRole('link', { name: 'Z!mmer' })).toBeVisible()
    await page.evaluate(() => {
      const moved: string[] = []
      Object.assign(globalThis, { moved })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { sources: { node: Node | null }[] }[])
          for (const { node } of entry.sources)
            if (node?.parentElement?.closest('header')) moved.push(node.textContent ?? '')
      }).observe({ type: 'layout-shift' })
    })
    answer()
    await expect(header.getByRole('button', { name: 'Notifications' })).toBeEnabled()
    // A shift is reported with the frame after it.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
    const moved = await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved)
    expect(moved, `${width} px`).toEqual([])
    await page.unrouteAll()
  }
})

test('a person who has scrolled down opens a page that is a little higher than the window at its beginning', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signIn(page, await app.signUp())
  const scrolled = () => page.evaluate(() => scrollY)
  await page.goto('/reports')
  await expect(page.getByRole('heading', { name: 'Recent Writing Activity' })).toBeVisible()
  await page.mouse.wheel(0, 600)
  await expect.poll(scrolled).toBeGreaterThan(200)
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeFocused()
  expect(await scrolled()).toBe(0)
})

test('a person reads the feed that came with the page while the session is still being loaded [SHELL-93 SHELL-83]', async ({
  page,
  app,
}) => {
  await app.publish({ content: 'A lamp in the first window.' })
  await signIn(page, await app.signUp())
  const answer = await holdRequests(page, '**/api/me')
  await page.goto('/')
  await expect(page.getByText('A lamp in the first window.').first()).toBeVisible()
  await expect(bar(page)).not.toContainText('Ana Lima')
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
  answer()
  await expect(bar(page)).toContainText('Ana Lima')
})

test('the page asks who is signed in while the files of the opened page are still being fetched [SHELL-83]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  const fetchFiles = await holdRequests(page, '**/DiaryPage-*.js')
  // Without a clock the page does not stop waiting for its files.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  await Promise.all([page.waitForResponse('**/api/me'), page.goto('/diary')])
  await page.clock.resume()
  fetchFiles()
  await expect(page.getByRole('heading', { level: 1, name: 'My Diary' })).toBeVisible()
})

test('a visitor who goes back to the feed and to onboarding sees the overlay only until the page is shown [SHELL-58 SHELL-59 SHELL-61]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.goto('/')
  await page.evaluate(() => {
    const seen = ((globalThis as { seen?: string[] }).seen = [] as string[])
    new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('output'))
        if (textContent?.startsWith('Loading')) seen.push(textContent)
    }).observe(document.body, { childList: true, subtree: true })
  })
  const overlayTexts = () => page.evaluate(() => (globalThis as { seen?: string[] }).seen)
  await page.getByRole('complementary').getByRole('link', { name: 'Diary' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Diary' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  await expect.poll(overlayTexts).toContain('Loading...')
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)

  await page.evaluate(() => {
    history.replaceState(null, '', '/?onboarding=true')
    history.pushState(null, '', '/diary')
  })
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  await expect.poll(overlayTexts).toContain('Loading onboarding...')
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
})

test('a person on a phone finds the entries of sidebar and header in the menu [SHELL-27 SHELL-38]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await expect(page.getByRole('complementary')).toBeHidden()
  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  for (const name of ['Diary', 'Calendar', 'Home', 'Z!mmers', 'Settings', 'Messages', 'Reports', 'People']) {
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible()
  }
  await menu.getByRole('link', { name: 'Calendar' }).click()
  await expect(page).toHaveURL(/\/calendar$/)
  await expect(menu).toBeHidden()
})

test('a person finds the search at the same place on every page, however long its title is [SRCH-01]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  const room = await makeRoom(ana, { name: 'The long night of a very long title that does not end' })
  await signIn(page, ana)
  for (const width of [820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const boxes = []
    for (const [path, title] of [
      ['/calendar', 'Calendar'],
      [roomPath(room.id), 'The long night of a very long title that does not end'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('banner').getByText(title)).toBeVisible()
      boxes.push(await page.getByRole('combobox', { name: 'Search' }).boundingBox())
    }
    expect(boxes[1]).toEqual(boxes[0])
  }
})

test('a visitor who opens Contact stays on the page without an overlay [SHELL-48 SHELL-61]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.goto('/dashboard')
  await page.evaluate(() =>
    addEventListener('beforeunload', () => document.documentElement.setAttribute('data-left', '')),
  )
  await page.getByRole('link', { name: 'Contact' }).click()
  await expect(page.locator('html[data-left]')).toBeAttached()
  // Checked without waiting: an overlay that disappears again would be wrong too.
  expect(await page.getByRole('status').filter({ hasText: 'Loading' }).count()).toBe(0)
})

test('a person with a keyboard skips to the content, collapses the sidebar, and returns from the account menu', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.goto('/diary')
  await expect(page.getByRole('button', { name: 'Ana Lima' })).toBeEnabled()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()

  await page.getByRole('button', { name: 'Collapse sidebar' }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('button', { name: 'Expand sidebar' })).toBeFocused()

  const account = page.getByRole('button', { name: 'Ana Lima' })
  await account.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Settings' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(account).toBeFocused()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test('the bottom bar is hidden while a person writes, and comes back [LOOP-28]', async ({ app, page }) => {
    await signIn(page, await app.signUp())
    await page.goto('/diary')
    const thumbBar = page.getByRole('navigation', { name: 'Often used' })
    const text = page.getByRole('textbox', { name: /^Entry of / })
    await text.focus()
    await expect(thumbBar).toBeHidden()
    await text.blur()
    await expect(thumbBar).toBeVisible()
    await page.setViewportSize({ width: 820, height: 1000 })
    await text.focus()
    await expect(bar(page)).toBeVisible()
  })

  test('the bottom bar hides while a reader scrolls down, and comes back when the reader scrolls up [LOOP-28]', async ({
    app,
    page,
  }) => {
    await app.publish({ content: 'A line of a long story.\n'.repeat(60) })
    await asVisitor(page)
    await page.goto('/dashboard')
    const diary = page.getByRole('link', { name: 'Diary' })
    await expect(diary).toBeInViewport({ ratio: 1 })
    await page.mouse.wheel(0, 400)
    await expect(diary).not.toBeInViewport()
    await page.mouse.wheel(0, -100)
    await expect(diary).toBeInViewport({ ratio: 1 })
    await page.mouse.wheel(0, 200)
    await expect(diary).not.toBeInViewport()
    await diary.focus()
    await expect(diary).toBeInViewport({ ratio: 1 })
  })

  test('a reader opens the search by its button in the one row of the header, and closes it [SRCH-01]', async ({
    page,
  }) => {
    await asVisitor(page)
    await page.goto('/dashboard')
    const box = page.getByRole('combobox', { name: 'Search' })
    const header = page.getByRole('banner')
    expect((await header.boundingBox())?.height).toBeLessThan(60)
    await expect(page.getByRole('button', { name: 'Login' })).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: 'Open search' }).click()
    await expect(box).toBeFocused()
    expect((await box.boundingBox())?.width).toBeGreaterThan(250)
    await page.keyboard.type('qqqq')
    await expect(page.getByText('Nothing found for')).toBeInViewport({ ratio: 1 })
    await page.getByRole('button', { name: 'Close search' }).click()
    await expect(page.getByText('Nothing found for')).toBeHidden()
    await expect(page.getByRole('link', { name: 'Z!mmer' })).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('/')
    await expect(box).toBeFocused()
  })
})

test('a person who zooms in sees the whole word in the search, or its button, and types in a box as wide as the header [SRCH-01]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.goto('/settings')
  const box = page.getByRole('combobox', { name: 'Search' })
  const opens = page.getByRole('button', { name: 'Open search' })
  for (const width of [640, 720, 767, 768, 820, 1440]) {
    await page.setViewportSize({ width, height: 450 })
    await expect(opens).toBeVisible({ visible: width < 768 })
    if (width < 768) await opens.click()
    const { room, word } = await box.evaluate((input: HTMLInputElement) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(input)
      const canvas = document.createElement('canvas').getContext('2d')!
      canvas.font = font
      const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return { room, word: canvas.measureText(input.placeholder).width }
    })
    expect(room, `${width} px`).toBeGreaterThan(word)
    if (width < 768) await page.getByRole('button', { name: 'Close search' }).click()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  }
})

test('a visitor sees a page although the busy server refuses its script twice [R14]', async ({
  page,
  forgive,
}) => {
  forgive(/503/)
  await asVisitor(page)
  await page.goto('/')
  let refusals = 0
  await page.route(/\/assets\/AboutPage-.*\.js$/, (route) =>
    ++refusals > 2 ? route.continue() : route.fulfill({ status: 503, body: '' }),
  )
  await page.getByRole('link', { name: 'Info' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Z!mmer' })).toBeVisible()
  expect(refusals).toBe(3)
})

test.describe('before the first script has been loaded', () => {
  test.use({ colorScheme: 'dark' })

  test('a visitor reads that the page is loading, in the colours of the night theme, and nothing moves when the script arrives [SHELL-54]', async ({
    page,
  }) => {
    await asVisitor(page)
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          document.documentElement.dataset['shift'] = String((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    const answer = await holdRequests(page, '**/assets/index-*.js')
    await page.goto('/', { waitUntil: 'commit' })
    const loading = page.getByRole('status').filter({ hasText: 'Loading Z!mmer...' })
    await expect(loading).toBeVisible()
    await expect(loading).toHaveCSS('opacity', '1')
    await expect(loading).toHaveCSS('background-color', 'rgb(21, 18, 14)')
    answer()
    await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
    await expect(loading).toHaveCount(0)
    await expect(page.locator('html[data-shift]')).toHaveCount(0)
  })
})

test('a visitor without JavaScript reads that the page needs it, and not that the page is loading [SHELL-54]', async ({
  open,
  app,
}) => {
  const page = await open({ javaScriptEnabled: false, baseURL: app.url })
  await page.goto('/diary')
  const sentence = page.locator('noscript p')
  await expect(sentence).toBeVisible()
  await expect(sentence).toContainText('This page of Z!mmer needs JavaScript.')
  await expect(page.getByText('Loading')).toBeHidden()
})

test('a toast on a phone leaves an announcement and the header below it free [NOTE-06 INST-03]', async ({
  page,
  app,
}) => {
  const text = 'The house is closed on Friday. '.repeat(4)
  await announce(app, text)
  try {
    await page.setViewportSize({ width: 390, height: 800 })
    await asVisitor(page)
    await page.goto('/dashboard')
    const announcement = page.getByRole('region', { name: 'Announcement' })
    await expect(announcement).toBeVisible()
    const toast = page.getByRole('listitem').filter({ hasText: 'Future dates are not available' }).first()
    // React makes the middle of a rendered page work a moment after its frame.
    await expect(async () => {
      await page.keyboard.press(']')
      await expect(toast).toBeVisible({ timeout: 1000 })
    }).toPass()
    await toast.hover()
    const box = async (part: Locator) => (await part.boundingBox())!
    const [above, header] = [await box(announcement), await box(page.getByRole('banner'))]
    expect(header.y).toBeGreaterThanOrEqual(above.height)
    expect((await box(toast)).y).toBeGreaterThanOrEqual(header.y + header.height)
    await announcement.getByRole('button', { name: 'Close the announcement' }).click()
    await expect.poll(async () => (await box(toast)).y).toBeLessThan(above.height + header.height)
  } finally {
    await announce(app, null)
  }
})

test('a toast on a phone leaves the title of a dialog and its close button free [NOTE-06 R22]', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page, await app.signUp())
  await page.goto('/settings#part-rating-and-feedback')
  await page.getByRole('button', { name: 'Send feedback' }).click()
  const toast = page.getByRole('listitem').filter({ hasText: 'Please provide both rating and feedback' })
  await toast.hover()
  await page.keyboard.press('?')
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' })
  await expect(close).toBeVisible()
  const { y, height } = (await close.boundingBox())!
  await expect.poll(async () => (await toast.boundingBox())!.y).toBeGreaterThanOrEqual(y + height)
  await close.click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
