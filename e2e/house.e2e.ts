import type { Page } from '@playwright/test'
import { asAdmin, asGuest, asVisitor, expect, signIn, test } from './test.ts'

const bar = (page: Page) => page.getByRole('region', { name: 'Account', exact: true })
const sidebar = (page: Page) => page.getByRole('complementary').getByRole('navigation', { name: 'Main' })

test('every address of the house shows its page inside the frame [SHELL-01 SHELL-02 SHELL-03 SHELL-04 SHELL-05 SHELL-06 SHELL-07 SHELL-08 SHELL-09 SHELL-10 SHELL-19]', async ({
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

test('the pages of admins open to admins, and to nobody else [SHELL-11 SHELL-12 SHELL-39 SHELL-40 SHELL-41 SHELL-42 PERM-11 PERM-22]', async ({
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

test('the about page needs no session, and leads back to the feed [SHELL-13 SHELL-14 SHELL-23]', async ({
  page,
  app,
}) => {
  await asVisitor(page)
  await page.goto(`${app.url}/about`)
  await expect(page.getByText('Version 1.0.0')).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('an address that is not there answers 404 and says so [SHELL-17]', async ({ page }) => {
  const answer = await page.goto('/nowhere')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
})

test('who comes without a session meets the door, with one the house; the flag in the address forces the door [SHELL-15 SHELL-16 SHELL-80 SHELL-83 SHELL-84 SHELL-92 SHELL-93]', async ({
  page,
  app,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect(asked).not.toContain('/api/me')
  await signIn(page, await app.signUp())
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  await expect(bar(page)).toContainText('Logged in as Ana Lima')
  expect(await page.evaluate(() => localStorage.getItem('onboardingCompleted'))).toBeNull()
  await page.goto('/?onboarding=true')
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
})

test('a tab by name opens it, an unknown one says welcome [SHELL-18 SHELL-22 SHELL-23]', async ({ page }) => {
  await asVisitor(page)
  await page.goto('/?tab=calendar')
  await expect(page).toHaveURL(/\/calendar$/)
  await page.goto('/dashboard?tab=cellar')
  await expect(page.getByRole('heading', { name: 'Welcome to Z!mmer' })).toBeVisible()
  for (const name of ['Diary', 'Calendar', 'Home', 'Z!mmers', 'Settings']) {
    await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toBeVisible()
  }
})

test('the frame has its measures, and the sidebar stays as it was left [SHELL-24 SHELL-25 SHELL-26 SHELL-27 SHELL-28 SHELL-29 SHELL-30]', async ({
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

test('the entries of sidebar and header lead where they say [SHELL-31 SHELL-32 SHELL-33 SHELL-34 SHELL-35 SHELL-36 SHELL-37 SHELL-38]', async ({
  page,
}) => {
  await asVisitor(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/dashboard')
  const places: [string, RegExp][] = [
    ['Diary', /\/diary$/],
    ['Calendar', /\/calendar$/],
    ['Home', /\/dashboard$/],
    ['Z!mmers', /\/zimmers\?view=rooms$/],
    ['Z!mmer Profiles', /\/zimmers$/],
    ['Settings', /\/settings$/],
  ]
  for (const [name, address] of places) {
    await sidebar(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(address)
  }
  await expect(sidebar(page).getByRole('link')).toHaveCount(places.length)
  for (const [name, address] of [
    ['Messages', /\/messages$/],
    ['Reports', /\/reports$/],
    ['People', /\/users$/],
  ] as const) {
    await page.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name }).click()
    await expect(page).toHaveURL(address)
  }
})

test('a visitor is called so, and is asked in where an account is needed [SHELL-43 SHELL-47 SHELL-49 SHELL-51 SHELL-52 SHELL-53 SHELL-86]', async ({
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
  const ways = [
    bar(page).getByRole('button', { name: 'Sign In' }),
    bar(page).getByRole('button', { name: 'Sign Up' }),
    page.getByRole('banner').getByRole('button', { name: 'Login' }),
    page.getByRole('main').getByRole('button', { name: 'Sign In' }),
  ]
  for (const way of ways) {
    await page.goto('/messages')
    await page.evaluate(() => localStorage.setItem('onboardingCompleted', 'true'))
    await way.click()
    await expect(page).toHaveURL(/\/\?onboarding=true$/)
    expect(await page.evaluate(() => localStorage.getItem('onboardingCompleted'))).toBeNull()
  }
})

test('a guest sees what guests can do, and leaves after a question [SHELL-44 SHELL-46 ACC-03 ACC-24 ACC-25 PERM-04 PERM-05]', async ({
  page,
}) => {
  await asGuest(page)
  await page.goto('/dashboard')
  await expect(bar(page)).toContainText(/Logged in as guest[0-9a-f]{4}$|Logged in as guest[0-9a-f]{4}/)
  await expect(bar(page).getByRole('button')).toHaveText(['Sign Up', 'Delete'])
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(
    'Are you sure you want to delete your account? This action cannot be undone.',
  )
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect((await page.request.get('/api/me')).status()).toBe(200)
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect((await page.request.get('/api/me')).status()).toBe(401)
})

test('a registered person is named, can write to us and log out by the bar [SHELL-45 SHELL-48 SHELL-50 ACC-04 ACC-16 ACC-21 PERM-06]', async ({
  page,
  app,
}) => {
  const person = await app.signUp()
  await signIn(page, person)
  await page.goto('/settings')
  await expect(bar(page)).toContainText('Logged in as Ana Lima')
  await expect(bar(page).getByRole('button')).toHaveText(['Change Password', 'Log Out'])
  const draft = decodeURIComponent(
    (await bar(page).getByRole('link', { name: 'Contact' }).getAttribute('href'))!,
  )
  expect(draft).toContain('mailto:support@zimmer.example')
  expect(draft).toContain(person.user.id)
  expect(draft).toContain(person.email)
  await page.evaluate(() => {
    for (const key of ['onboardingCompleted', 'guestDeviceId', 'guestId']) localStorage.setItem(key, 'true')
    localStorage.setItem('lastUserEmail', 'ana@example.org')
  })
  await bar(page).getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(/\/\?onboarding=true$/)
  expect((await page.request.get('/api/me')).status()).toBe(401)
  const left = await page.evaluate(() => Object.keys(localStorage).filter((key) => key !== 'sidebar'))
  expect(left).toEqual(['lastUserEmail'])
})

test('Sign Out of the header menu leads to the door [ACC-17 ACC-18 ACC-19 ACC-22]', async ({ page, app }) => {
  await signIn(page, await app.signUp())
  await page.goto('/dashboard')
  await page.getByRole('banner').getByRole('button', { name: 'Ana Lima' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/\?onboarding=true$/)
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect((await page.request.get('/api/me')).status()).toBe(401)
})

test('the password is changed with one field that says what is wrong [ACC-09 ACC-10 ACC-11 ACC-12 ACC-13 ACC-14 ERR-10]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.goto('/dashboard')
  const open = () => bar(page).getByRole('button', { name: 'Change Password' }).click()
  await open()
  const dialog = page.getByRole('dialog', { name: 'Change Password' })
  const field = dialog.getByLabel('New password')
  await expect(dialog.locator('input')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expect(field).toHaveAccessibleDescription('New password is required')
  await field.fill('abc12')
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expect(field).toHaveAccessibleDescription('Password must be at least 6 characters')
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await page.keyboard.press('Escape')
  await open()
  await expect(field).toHaveValue('')
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await field.fill('a new secret')
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('Password changed successfully', { exact: true })).toBeVisible()
  await expect(page.getByText('Your password has been updated.', { exact: true })).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('a refused change of password is told with the sentence of the server [ERR-08 ACC-15]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.route('**/api/auth/simple-change-password', (route) =>
    route.fulfill({
      status: 403,
      json: { code: 'SignInAgainToChangePassword', error: 'Please sign in again to change your password' },
    }),
  )
  await page.goto('/dashboard')
  await bar(page).getByRole('button', { name: 'Change Password' }).click()
  await page.getByLabel('New password').fill('a new secret')
  await page.getByRole('dialog').getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('Failed to change password', { exact: true })).toBeVisible()
  await expect(page.getByText('Please sign in again to change your password', { exact: true })).toBeVisible()
})

test('clearing the flag in another tab leads this one to the door [SHELL-85]', async ({
  page,
  app,
  context,
}) => {
  await signIn(page, await app.signUp())
  await page.goto('/dashboard')
  await page.evaluate(() => localStorage.setItem('onboardingCompleted', 'true'))
  const other = await context.newPage()
  await other.goto('/about')
  await other.evaluate(() => localStorage.removeItem('onboardingCompleted'))
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
})

test('the overlay covers a tab that is left or hidden, and never one that can be used [SHELL-57 SHELL-60 SHELL-61]', async ({
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

test('a person deletes their account in the settings, with the passcode when the sign-in is old [ACC-27 ERR-11]', async ({
  page,
  app,
  forgive,
}) => {
  const person = await app.signUp()
  await signIn(page, person)
  let refused = 0
  await page.route('**/api/delete-account', async (route) => {
    if (refused++ > 0) return route.continue()
    return route.fulfill({
      status: 403,
      json: { code: 'SignInAgainToDeleteAccount', error: 'Please sign in again to delete your account' },
    })
  })
  forgive(/Account deletion failed/)
  await page.goto('/settings')
  const button = page.getByRole('main').getByRole('button', { name: 'Delete account' })
  const confirm = () => page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await button.click()
  await confirm()
  await page.getByLabel('Passcode').fill(person.password)
  await button.click()
  await confirm()
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect((await page.request.get('/api/me')).status()).toBe(401)
})

test('keys lead through the house, and are off while somebody types', async ({ page }) => {
  await asVisitor(page)
  await page.goto('/dashboard')
  // A key pressed before the frame stands is heard by nobody.
  await expect(page.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/\/diary$/)
  await page.keyboard.press('/')
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused()
  await page.keyboard.type('gf?')
  await expect(page).toHaveURL(/\/diary$/)
})
