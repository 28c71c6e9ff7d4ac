import { asGuest, bar, expect, signIn, test } from './test.ts'

test('a guest sees the actions of guests, cannot scroll the page behind a question, and deletes the account after it [SHELL-44 SHELL-46 SHELL-90 ACC-03 ACC-24 ACC-25 PERM-04 PERM-05]', async ({
  page,
}) => {
  await asGuest(page)
  await page.setViewportSize({ width: 1024, height: 500 })
  await page.goto('/settings')
  await expect(bar(page)).toContainText(/Logged in as guest[0-9a-f]{4}$|Logged in as guest[0-9a-f]{4}/)
  await expect(bar(page).getByRole('button')).toHaveText(['Sign Up', 'Delete'])
  const scrolled = () => page.evaluate(() => scrollY)
  await page.mouse.move(300, 200)
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(
    'Are you sure you want to delete your account? This action cannot be undone.',
  )
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
  expect((await page.request.get('/api/me')).status()).toBe(200)
  await bar(page).getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { name: 'About us' })).toBeVisible()
  expect((await page.request.get('/api/me')).status()).toBe(401)
})

test('a registered person finds their name and the contact in the bottom bar, changes the password in one field there, and logs out [SHELL-45 SHELL-48 SHELL-50 ACC-04 ACC-09 ACC-10 ACC-14 ACC-16 ACC-21 PERM-06]', async ({
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

  const open = () => bar(page).getByRole('button', { name: 'Change Password' }).click()
  await open()
  const dialog = page.getByRole('dialog', { name: 'Change Password' })
  const field = dialog.getByLabel('New password')
  await expect(dialog.locator('input')).toHaveCount(1)
  await field.fill('abc12')
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expect(field).toHaveAccessibleDescription('Password must be at least 6 characters')
  await page.keyboard.press('Escape')
  await open()
  await expect(field).toHaveValue('')
  await expect(field).not.toHaveAttribute('aria-invalid', 'true')
  await field.fill('a new secret')
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expect(page.getByText('Password changed successfully', { exact: true })).toBeVisible()
  await expect(dialog).toBeHidden()

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
