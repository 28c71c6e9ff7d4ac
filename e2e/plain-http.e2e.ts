import { expect, test } from './test.ts'

test('a person in a home network signs up, posts and logs out over plain http [POST-08 ACC-18]', async ({
  page,
  app,
  forgive,
  processes,
}) => {
  test.skip(processes === 2, 'The nginx before two processes serves https only.')
  // The browser warns about a header that works over https only.
  forgive(/Cross-Origin-Opener-Policy header has been ignored/)
  const me = () => page.evaluate(async () => (await fetch('/api/me')).status)
  await page.goto(app.url.replace('127.0.0.1', 'zimmer.test'))
  expect(await page.evaluate(() => isSecureContext)).toBe(false)

  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await page.getByLabel('Name').fill('Ana Lima')
  await page.getByLabel('Email').fill('ana@home.example')
  await next.click()
  await page.getByLabel('Passcode').fill('secret1')
  await next.click()
  await page.getByLabel('A few words about yourself').fill('I write in the evening, at the kitchen table.')
  await page.getByRole('button', { name: 'Finish' }).click()
  // The analysis takes some seconds.
  await page.getByRole('button', { name: 'Create Post' }).click({ timeout: 20_000 })

  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your text').fill('Rain on the roof of the old station.')
  await dialog.getByLabel(/premium/i).check()
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Rain on the roof of the old station.').first()).toBeVisible()

  expect(await me()).toBe(200)
  await page.getByRole('button', { name: 'Log Out' }).click()
  await expect(page).toHaveURL(/\/\?onboarding=true$/)
  expect(await me()).toBe(401)
})
