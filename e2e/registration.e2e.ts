import { changeInstanceSettings, getInstanceSettings } from '#contract/instance/endpoints.ts'
import { instanceDefaults } from '#contract/instance/settings.ts'
import type { Page } from '@playwright/test'
import { examine } from './examine.ts'
import { expect, shareSession, test } from './test.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const sample = 'I write in the evening, at the kitchen table.'

// The settings hold for all tests of a worker.
test.afterEach(async ({ app }) => {
  const { updatedAt: base } = await app.admin.client.does(getInstanceSettings)
  const { registration, registrationQuestion, guests } = instanceDefaults
  const input = { base, registration, registrationQuestion, guests }
  await app.admin.client.does(changeInstanceSettings, { input })
})

async function fillIn(page: Page, { name, email }: { name: string; email: string }, answer?: string) {
  const next = page.getByRole('button', { name: 'Next' })
  await next.click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await next.click()
  await page.getByLabel('Passcode').fill('secret1')
  await next.click()
  await page.getByLabel('A few words about yourself').fill(sample)
  if (answer !== undefined) await page.getByLabel('Where do you live?').fill(answer)
}

test('an admin turns approval on with a question; a person answers on a phone and waits, is approved, and signs in [INST-02]', async ({
  page: desk,
  open,
  app,
  forgive,
}) => {
  forgive(/Login failed|status of 403/)
  await desk.setViewportSize({ width: 1440, height: 900 })
  await shareSession(desk, app.admin)
  await desk.goto('/admin?part=sign-ups')
  await desk.getByRole('radio', { name: /^With approval/ }).check()
  await desk.getByLabel('Question').fill('Where do you live?')
  await desk.getByRole('button', { name: 'Save the question' }).click()
  // The page says 'Saved' of each change.
  const guestsAreOff = desk.waitForResponse(
    (answer) => answer.request().postData()?.includes('"guests":false') === true && answer.ok(),
  )
  await desk.getByRole('switch', { name: 'Guests' }).click()
  await guestsAreOff
  await expect(desk.getByText('Saved').first()).toBeVisible()

  const handset = await open(phone)
  await handset.goto('/')
  await expect(handset.getByText(/An admin reads your sign-up/)).toBeVisible()
  await expect(handset.getByRole('button', { name: 'Skip' })).toHaveCount(0)
  await examine(handset, 'the onboarding of a restricted instance')
  await handset.setViewportSize(phone.viewport)
  const nia = { name: 'Nia New', email: 'nia.waits@example.org' }
  await fillIn(handset, nia, 'Next door.')
  await handset.getByRole('button', { name: 'Finish' }).click()
  const sent = handset.getByRole('heading', { name: 'Your sign-up is sent' })
  // The analysis takes some seconds.
  await expect(sent).toBeVisible({ timeout: 20_000 })
  await examine(handset, 'a sign-up that waits')
  await handset.setViewportSize(phone.viewport)

  const signIn = async () => {
    await handset.goto('/?onboarding=true')
    await handset.getByLabel('Email').fill(nia.email)
    await handset.getByLabel('Passcode').fill('secret1')
    await handset.getByRole('button', { name: 'Sign In' }).click()
  }
  await signIn()
  await expect(handset.getByText(/still waits for an admin/)).toBeVisible()

  await desk.reload()
  const row = desk.getByRole('listitem', { name: 'Sign-up of Nia New' })
  await expect(row.getByText('Next door.')).toBeVisible()
  await examine(desk, 'the sign-ups')
  await row.getByRole('button', { name: 'Approve' }).click()
  await expect(desk.getByText('Nia New can sign in now.')).toBeVisible()
  await signIn()
  await expect(handset).toHaveURL(/\/dashboard$/)
})

test('an admin makes a link for one person, who signs up by it; the next one reads that it is used up; the token is in no address [INST-02 S57]', async ({
  page: desk,
  open,
  app,
}) => {
  await shareSession(desk, app.admin)
  await desk.goto('/admin?part=sign-ups')
  await desk.getByRole('radio', { name: /^By invitation/ }).check()
  await desk.getByLabel('For whom').fill('Choir')
  await desk.getByRole('button', { name: 'Make a link' }).click()
  const link = await desk.getByLabel('New link').inputValue()
  await examine(desk, 'a new registration link')

  const handset = await open(phone)
  await handset.goto('/')
  await expect(handset.getByText(/by an invitation link/)).toBeVisible()
  const asked: string[] = []
  handset.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''))
  await handset.goto(link)
  await expect(handset.getByText('You are invited to sign up here.')).toBeVisible()
  await fillIn(handset, { name: 'Nia New', email: 'nia.link@example.org' })
  await handset.getByRole('button', { name: 'Finish' }).click()
  await expect(handset).toHaveURL(/\/dashboard$/, { timeout: 20_000 })
  const token = link.split('=').at(-1)!
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(asked.filter((address) => address.includes(token))).toEqual([])

  const late = await open(phone)
  await late.goto(link)
  await expect(late.getByText(/no longer good/)).toBeVisible()
  await expect(late.getByRole('button', { name: 'Next' })).toHaveCount(0)
})
