import type { Page } from '@playwright/test'
import { expect, test } from './test.ts'

const person = { name: 'Ana Lima', passcode: 'secret1', sample: 'I write at the kitchen table, at night.' }

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const expectPage = (page: Page, title: string) =>
  expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()

/** Fills the pages by keyboard alone: each page focuses its first field, and Enter opens the next page. */
async function typeUntilLastPage(page: Page, email: string) {
  await press(page, 'Next')
  await expect(page.getByLabel('Name')).toBeFocused()
  await page.keyboard.type(person.name)
  await page.keyboard.press('Tab')
  await page.keyboard.type(email)
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Passcode')).toBeFocused()
  await page.keyboard.type(person.passcode)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox')).toBeFocused()
  await page.keyboard.type(person.sample)
}

test('a new person completes four pages and comes to the dashboard, signed in [ONB-01 ONB-09 ONB-10 ONB-21 ONB-22 ONB-25]', async ({
  page,
}) => {
  await page.goto('/')
  await expectPage(page, 'About us')
  await typeUntilLastPage(page, 'ana.new@example.org')
  await expectPage(page, 'AI Analysis')
  await expect(page.getByText('39/10 characters minimum')).toBeVisible()
  await press(page, 'Finish')
  await expect(page.getByRole('status').getByText('One moment …')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/, { timeout: 20_000 })
  await expect(page.getByText(person.name).first()).toBeVisible()
  const stored = await page.evaluate(() => ({ ...localStorage, ...sessionStorage }))
  expect(stored).toMatchObject({ onboardingCompleted: 'true', lastUserEmail: 'ana.new@example.org' })
  expect(stored).not.toHaveProperty('onboarding-draft')
})

test('a person who reloads or goes back keeps the typed text, and types only the passcode again [ONB-09 ONB-26]', async ({
  page,
}) => {
  await page.goto('/?onboarding=true')
  await typeUntilLastPage(page, 'ana.reload@example.org')
  await page.reload()
  await expectPage(page, 'Almost done')
  await expect(page.getByLabel('Passcode')).toHaveValue('')
  await press(page, 'Back')
  await expect(page.getByLabel('Name')).toHaveValue(person.name)
  await expect(page.getByLabel('Email')).toHaveValue('ana.reload@example.org')
  await press(page, 'Next')
  await page.getByLabel('Passcode').fill(person.passcode)
  await press(page, 'Next')
  await expect(page.getByRole('textbox')).toHaveValue(person.sample)
})

test('a person who skips the onboarding comes to the dashboard as a guest [ONB-05 ONB-27 ONB-29]', async ({
  page,
}) => {
  await page.goto('/?onboarding=true')
  await press(page, 'Skip')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText(/^guest\w{4}$/).first()).toBeVisible()
})

test('a person signs in, and finds the email filled in the next time [ONB-03 ONB-28]', async ({
  page,
  app,
}) => {
  const ana = await app.signUp()
  await page.goto('/?onboarding=true')
  await page.getByLabel('Email').fill(ana.email)
  await page.getByLabel('Passcode').fill(ana.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect(page.getByText('Ana Lima').first()).toBeVisible()
  await page.goto('/?onboarding=true')
  await expect(page.getByLabel('Email')).toHaveValue(ana.email)
})
