import type { Page } from '@playwright/test'
import { asAdmin, asVisitor, bar, expect, signIn, test } from './test.ts'

const sidebar = (page: Page) => page.getByRole('complementary').getByRole('navigation', { name: 'Main' })

test('a registered person opens each address and sees its page inside the frame [SHELL-01 SHELL-02 SHELL-03 SHELL-04 SHELL-05 SHELL-06 SHELL-07 SHELL-08 SHELL-09 SHELL-10 SHELL-19]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  const headings: Record<string, string> = {
    '/': 'Feed',
    '/dashboard': 'Feed',
    '/diary': 'My Diary',
    '/projects': 'Z!mmers',
    '/users': 'People',
    '/zimmers': 'Z!mmer Profiles',
    '/calendar': 'Calendar',
    '/messages': 'Messages',
    '/reports': 'Writing Reports',
    '/settings': 'Settings',
  }
  for (const [path, heading] of Object.entries(headings)) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(200)
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    await expect(page.getByRole('banner')).toBeVisible()
  }
})

test('an admin opens the admin pages, and a person without that role cannot [SHELL-11 SHELL-12 SHELL-39 SHELL-40 SHELL-41 SHELL-42 PERM-11 PERM-22]', async ({
  page,
  open,
  app,
}) => {
  await asAdmin(page)
  await page.goto('/admin')
  await expect(page.getByRole('heading', { level: 1, name: 'Admin Panel' })).toBeVisible()
  const section = sidebar(page).getByRole('region', { name: 'ADMIN' })
  await section.getByRole('link', { name: 'User Management' }).click()
  await expect(page).toHaveURL(/\/admin-users$/)
  await section.getByRole('link', { name: 'Admin Panel' }).click()
  await expect(page).toHaveURL(/\/admin$/)

  const other = await open()
  await signIn(other, await app.signUp())
  const calls: string[] = []
  other.on('request', (request) => calls.push(new URL(request.url()).pathname))
  for (const path of ['/admin', '/admin-users']) {
    await other.goto(`${app.url}${path}`)
    await expect(other.getByRole('heading', { name: 'Admins only' })).toBeVisible()
  }
  expect(calls.filter((path) => /\/api\/(admin|feed\/pending)/.test(path))).toEqual([])
  await expect(sidebar(other).getByText('ADMIN')).toHaveCount(0)
  await other.getByRole('link', { name: 'Back to the feed' }).click()
  await expect(other).toHaveURL(/\/dashboard$/)
})

test('a person who opens an unknown address gets status 404 and a page that says so [SHELL-17]', async ({
  page,
}) => {
  const answer = await page.goto('/nowhere')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
})

test('a visitor without a session sees onboarding, a signed-in person sees the feed, and the flag in the address always shows onboarding [SHELL-15 SHELL-16 SHELL-80 SHELL-83 SHELL-84 SHELL-92 SHELL-93]', async ({
  page,
  app,
}) => {
  const calls: string[] = []
  page.on('request', (request) => calls.push(new URL(request.url()).pathname))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect(calls).not.toContain('/api/me')
  await signIn(page, await app.signUp())
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  await expect(bar(page)).toContainText('Logged in as Ana Lima')
  expect(await page.evaluate(() => localStorage.getItem('onboardingCompleted'))).toBeNull()
  await page.goto('/?onboarding=true')
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
})

test('a visitor sees the frame in its sizes, and finds the sidebar collapsed after a reload [SHELL-24 SHELL-25 SHELL-26 SHELL-27 SHELL-28 SHELL-29 SHELL-30]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/dashboard')
  const header = page.getByRole('banner')
  await expect(header).toContainText('Z!mmer')
  await expect(page).toHaveTitle(/· Z!mmer$/)
  expect(Math.abs((await header.boundingBox())!.height - 97)).toBeLessThanOrEqual(2)
  const aside = page.getByRole('complementary')
  const box = (await aside.boundingBox())!
  expect(box.width).toBe(13 * 16)
  expect(Math.round(box.x + box.width)).toBe(1440)
  await aside.getByRole('button', { name: 'Collapse sidebar' }).click()
  expect((await aside.boundingBox())!.width).toBe(3 * 16)
  await page.reload()
  expect((await aside.boundingBox())!.width).toBe(3 * 16)
  await aside.getByRole('button', { name: 'Expand sidebar' }).click()
  expect((await aside.boundingBox())!.width).toBe(13 * 16)
})

test('a visitor opens each page by its entry in the sidebar or the header [SHELL-31 SHELL-32 SHELL-33 SHELL-34 SHELL-35 SHELL-36 SHELL-37 SHELL-38]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/dashboard')
  const targets: [string, RegExp][] = [
    ['Diary', /\/diary$/],
    ['Calendar', /\/calendar$/],
    ['Home', /\/dashboard$/],
    ['Z!mmers', /\/zimmers\?view=rooms$/],
    ['Z!mmer Profiles', /\/zimmers$/],
    ['Settings', /\/settings$/],
  ]
  for (const [name, address] of targets) {
    await sidebar(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(address)
  }
  await expect(sidebar(page).getByRole('link')).toHaveCount(targets.length)
  for (const [name, address] of [
    ['Messages', /\/messages$/],
    ['Reports', /\/reports$/],
    ['People', /\/users$/],
  ] as const) {
    await page.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name }).click()
    await expect(page).toHaveURL(address)
  }
})

test('a visitor who waits for a page can leave it by the header, and reads that it is loading [SHELL-55 SHELL-61]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.route('**/SettingsPage-*.js', () => {})
  await page.goto('/dashboard')
  await sidebar(page).getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Loading...')
  await page.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name: 'People' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'People' })).toBeVisible()
})

test('a visitor is called Visitor, and can sign in or sign up where an account is needed [SHELL-43 SHELL-47 SHELL-49 SHELL-51 SHELL-52 SHELL-53 SHELL-86]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.goto('/messages')
  await expect(bar(page)).toContainText('Logged in as Visitor')
  await expect(bar(page).getByRole('button')).toHaveText(['Sign Up', 'Sign In'])
  await expect(bar(page).getByRole('link')).toHaveText(['Contact', 'Info'])
  await expect(page.getByRole('contentinfo')).toHaveText('© 2025 Z!mmer')
  await bar(page).getByRole('link', { name: 'Info' }).click()
  await expect(page).toHaveURL(/\/about$/)
  const buttons = [
    bar(page).getByRole('button', { name: 'Sign In' }),
    bar(page).getByRole('button', { name: 'Sign Up' }),
    page.getByRole('banner').getByRole('button', { name: 'Login' }),
    page.getByRole('main').getByRole('button', { name: 'Sign In' }),
  ]
  for (const button of buttons) {
    await page.goto('/messages')
    await page.evaluate(() => localStorage.setItem('onboardingCompleted', 'true'))
    await button.click()
    await expect(page).toHaveURL(/\/\?onboarding=true$/)
    expect(await page.evaluate(() => localStorage.getItem('onboardingCompleted'))).toBeNull()
  }
})

test('a person who clears the flag in one tab sees onboarding in the other tab [SHELL-85]', async ({
  page,
  app,
  context,
}) => {
  await signIn(page, await app.signUp())
  await page.goto('/dashboard')
  // The page watches the flag once it is shown.
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('onboardingCompleted', 'true'))
  const other = await context.newPage()
  await other.goto('/about')
  await other.evaluate(() => localStorage.removeItem('onboardingCompleted'))
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
})

test('a visitor sees the overlay on a tab that is hidden or being left, and never on a tab in use [SHELL-57 SHELL-60 SHELL-61]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.goto('/dashboard')
  const overlay = page.getByText('Loading...', { exact: true })
  await expect(overlay).toBeHidden()
  const become = (state: 'hidden' | 'visible') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await become('hidden')
  await expect(overlay).toBeVisible()
  await become('visible')
  await expect(overlay).toBeHidden()
  await page.evaluate(() => dispatchEvent(new Event('pagehide')))
  await expect(overlay).toBeVisible()
  await page.evaluate(() => dispatchEvent(new Event('pageshow')))
  await expect(overlay).toBeHidden()
})

test('a visitor opens pages by keys, and the keys are off while the visitor types', async ({ page }) => {
  await asVisitor(page)
  await page.goto('/dashboard')
  // Keys work only once the frame is shown.
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/\/diary$/)
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.type('gf?')
  await expect(page).toHaveURL(/\/diary$/)
})
