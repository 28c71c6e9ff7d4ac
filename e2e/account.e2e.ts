import { asGuest, bar, expect, signIn, test } from './test.ts'

test('a guest sees the actions of guests, and deletes the account after a confirmation [SHELL-44 SHELL-46 ACC-03 ACC-24 ACC-25 PERM-04 PERM-05]', async ({
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

test('a registered person finds their name, the contact and the log-out in the bottom bar [SHELL-45 SHELL-48 SHELL-50 ACC-04 ACC-16 ACC-21 PERM-06]', async ({
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
  expect(left.toSorted()).toEqual(['lastUserEmail', 'logged-out'])
})

test('a guest cannot scroll the page behind an alert [SHELL-90]', async ({ page }) => {
  await asGuest(page)
  await page.setViewportSize({ width: 1024, height: 500 })
  await page.goto('/settings')
  const scrolled = () => page.evaluate(() => scrollY)
  await page.mouse.move(300, 200)
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await page.mouse.move(10, 200)
  await page.mouse.wheel(0, 200)
  // The browser handles a wheel event before it draws the second frame after it.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  expect(await scrolled()).toBe(0)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.mouse.wheel(0, 200)
  await expect.poll(scrolled).toBeGreaterThan(0)
})

test('a person who chooses Sign Out in the header menu comes to the onboarding page [ACC-17 ACC-18 ACC-19 ACC-22]', async ({
  page,
  app,
}) => {
  await signIn(page, await app.signUp())
  await page.goto('/dashboard')
  await page.getByRole('banner').getByRole('button', { name: 'Ana Lima' }).click()
  await page.getByRole('menuitem', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/\?onboarding=true$/)
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect((await page.request.get('/api/me')).status()).toBe(401)
})

test('a person changes the password in one field, which says what is wrong [ACC-09 ACC-10 ACC-11 ACC-12 ACC-13 ACC-14 ERR-10]', async ({
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
  const passcode = page.getByRole('dialog', { name: 'Please sign in again' })
  await passcode.getByLabel('Passcode').fill(person.password)
  await passcode.getByRole('button', { name: 'Continue' }).click()
  await confirm()
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect((await page.request.get('/api/me')).status()).toBe(401)
})
