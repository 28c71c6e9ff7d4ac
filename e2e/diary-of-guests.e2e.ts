import type { Page } from '@playwright/test'
import { login } from '#contract/account/endpoints.ts'
import { getDiary, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { day, edit, save, sheet, write } from './diary.ts'
import { asGuest, expect, test } from './test.ts'

test('a guest writes in the browser, signs up, and moves the days into the account [DIARY-23 DIARY-25]', async ({
  page,
  app,
}) => {
  await asGuest(page)
  const calls: string[] = []
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
  await page.goto(`/diary?day=${day}`)
  await write(page, 'As a guest')
  await save(page).click()
  await expect(edit(page)).toBeVisible()
  expect(calls.filter((call) => call.includes('/api/diary'))).toEqual([])
  await page.reload()
  await expect(sheet(page)).toHaveValue('As a guest')
  await page.goto('/diary?view=paper')
  await expect(page.getByRole('heading', { name: 'Tuesday, June 10th, 2025' })).toBeVisible()

  await page.getByRole('button', { name: 'Sign Up' }).click()
  await signUpByForm(page, 'ben.guest@example.org')
  const ben = app.visitor()
  await ben.does(login, { input: { email: 'ben.guest@example.org', password: 'secret1' } })
  await page.goto(`/diary?day=${day}`)
  const offer = page.getByRole('region', { name: 'Days of the guest' })
  await expect(offer).toContainText(
    'You wrote on 1 day on this device before you signed up. They are only here.',
  )
  await expect(sheet(page)).toHaveValue('')
  expect(await ben.does(getDiary)).toEqual([])

  await ben.does(saveDiaryEntry, { input: { date: day, content: 'In the account' } })
  await offer.getByRole('button', { name: 'Save to my account' }).click()
  const question = page.getByRole('dialog', { name: 'Two versions of this text' })
  await expect(question.getByLabel('Written here')).toHaveValue('As a guest')
  await expect(question.getByLabel('Saved elsewhere')).toHaveValue('In the account')
  expect(await ben.does(getDiary)).toMatchObject([{ content: 'In the account' }])
  await page.keyboard.press('Escape')
  await expect(offer).toBeVisible()
  await offer.getByRole('button', { name: 'Save to my account' }).click()
  await question.getByRole('button', { name: 'Keep both' }).click()
  await expect(offer).toBeHidden()
  expect(await ben.does(getDiary)).toMatchObject([{ content: 'In the account\n\nAs a guest' }])
  await expect(sheet(page)).toHaveValue('In the account\n\nAs a guest')
  await page.reload()
  await expect(sheet(page)).toHaveValue('In the account\n\nAs a guest')
  await expect(offer).toBeHidden()
})

/** Signs a guest up by the onboarding pages, until the dashboard is open. */
async function signUpByForm(page: Page, email: string) {
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await page.getByLabel('Name').fill('Ben Winter')
  await page.getByLabel('Email').fill(email)
  await next.click()
  await page.getByLabel('Passcode').fill('secret1')
  await next.click()
  await page.getByRole('textbox').fill('I write at the kitchen table, at night.')
  await page.getByRole('button', { name: 'Finish' }).click()
  await expect(page).toHaveURL(/\/dashboard$/, { timeout: 20_000 })
}
