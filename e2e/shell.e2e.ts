import { asVisitor, expect, signIn, test } from './test.ts'

test('a reader browses without a session, in this tab alone, until they ask for the door [SHELL-86 SHELL-93 SHELL-52]', async ({
  page,
  context,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  await page.getByRole('button', { name: 'Browse the feed' }).click()
  const feed = page.getByRole('heading', { level: 1, name: 'Feed' })
  await expect(feed).toBeVisible()
  await page.reload()
  await expect(feed).toBeVisible()
  expect(asked).not.toContain('/api/me')

  const otherTab = await context.newPage()
  await otherTab.goto('/')
  await expect(otherTab.getByRole('heading', { name: 'About us' })).toBeVisible()

  await page.getByRole('banner').getByRole('button', { name: 'Login' }).click()
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
})

test('the feed that came with the page is read while nobody knows yet who is here [SHELL-93 SHELL-83]', async ({
  page,
  app,
}) => {
  await app.publish({ content: 'A lamp in the first window.' })
  await signIn(page, await app.signUp())
  let answer = () => {}
  const held = new Promise<void>((resolve) => void (answer = resolve))
  await page.route('**/api/me', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/')
  await expect(page.getByText('A lamp in the first window.').first()).toBeVisible()
  const bar = page.getByRole('region', { name: 'Account' })
  await expect(bar).not.toContainText('Ana Lima')
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
  answer()
  await expect(bar).toContainText('Ana Lima')
})

test('going back to the root and to the door covers the page only until it is there [SHELL-58 SHELL-59 SHELL-61]', async ({
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
  const covers = () => page.evaluate(() => (globalThis as { seen?: string[] }).seen)
  await page.getByRole('complementary').getByRole('link', { name: 'Diary' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'My Diary' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  await expect.poll(covers).toContain('Loading...')
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)

  await page.evaluate(() => {
    history.replaceState(null, '', '/?onboarding=true')
    history.pushState(null, '', '/diary')
  })
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  await expect.poll(covers).toContain('Loading onboarding...')
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toHaveCount(0)
})

test('on a phone the menu holds what the sidebar and the header held, and the bar stays within the screen [SHELL-27 SHELL-38 SHELL-43 SHELL-47]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp({ firstName: 'Maximiliane', lastName: 'von Hohenfels-Wittgenstein' }))
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await expect(page.getByRole('complementary')).toBeHidden()
  const name = page.getByText('Logged in as Maximiliane von Hohenfels-Wittgenstein')
  await expect(name).toBeInViewport({ ratio: 1 })
  expect(await name.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0)
  for (const name of ['Change Password', 'Log Out', 'Contact', 'Info']) {
    const action = page.getByRole('region', { name: 'Account' }).getByText(name, { exact: true })
    await expect(action).toBeInViewport({ ratio: 1 })
  }
  await page.getByRole('button', { name: 'Menu' }).click()
  const menu = page.getByRole('dialog', { name: 'Menu' })
  for (const name of ['Diary', 'Calendar', 'Home', 'Z!mmers', 'Settings', 'Messages', 'Reports', 'People']) {
    await expect(menu.getByRole('link', { name, exact: true })).toBeVisible()
  }
  await menu.getByRole('link', { name: 'Calendar' }).click()
  await expect(page).toHaveURL(/\/calendar$/)
  await expect(menu).toBeHidden()
})

test('writing us a mail leaves the page as it is [SHELL-48 SHELL-61]', async ({ page }) => {
  await asVisitor(page)
  await page.goto('/dashboard')
  await page.evaluate(() =>
    addEventListener('beforeunload', () => document.documentElement.setAttribute('data-left', '')),
  )
  await page.getByRole('link', { name: 'Contact' }).click()
  await expect(page.locator('html[data-left]')).toBeAttached()
  // At once: a cover that goes again after a while is one too many.
  expect(await page.getByRole('status').filter({ hasText: 'Loading' }).count()).toBe(0)
})

test('a keyboard alone skips to the page, folds the sidebar, and comes back from the menu of the account', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.goto('/diary')
  await expect(page.getByRole('button', { name: 'Ana Lima' })).toBeEnabled()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the page' })).toBeFocused()
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

  test('the bottom bar gives way while somebody writes, and comes back', async ({ app, page }) => {
    await signIn(page, await app.signUp())
    await page.goto('/diary')
    const bar = page.getByRole('region', { name: 'Account' })
    const text = page.getByRole('textbox', { name: /^Entry of / })
    await text.focus()
    await expect(bar).toBeHidden()
    await text.blur()
    await expect(bar).toBeVisible()
    await page.setViewportSize({ width: 820, height: 1000 })
    await text.focus()
    await expect(bar).toBeVisible()
  })
})

test('a page whose script a busy server puts off twice is shown all the same [R14]', async ({
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

test.describe('before the first script has come', () => {
  test.use({ colorScheme: 'dark' })

  test('the page says that it is loading, in the colours of the night, and nothing moves when the script comes [SHELL-54]', async ({
    page,
  }) => {
    await asVisitor(page)
    await page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          document.documentElement.dataset['shift'] = String((entry as unknown as { value: number }).value)
      }).observe({ type: 'layout-shift', buffered: true })
    })
    let answer = () => {}
    const held = new Promise<void>((resolve) => void (answer = resolve))
    await page.route('**/assets/index-*.js', async (route) => {
      await held
      await route.continue()
    })
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

test('without JavaScript the page says that it needs it, and does not say that it is loading [SHELL-54]', async ({
  open,
  app,
}) => {
  const page = await open({ javaScriptEnabled: false, baseURL: app.url })
  await page.goto('/')
  const sentence = page.locator('noscript p')
  await expect(sentence).toBeVisible()
  await expect(sentence).toContainText('Z!mmer needs JavaScript.')
  await expect(page.getByText('Loading')).toBeHidden()
})
