import { submitPost } from '#contract/feed/endpoints.ts'
import { examine } from './examine.ts'
import { asAdmin, expect, test } from './test.ts'

test('an admin makes a webhook, reads why a delivery failed, sends it again, and deletes the webhook [INST-12]', async ({
  page,
  app,
}) => {
  await asAdmin(page)
  const ana = await app.signUp()
  const url = 'https://receiver.invalid/hook'
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/admin?part=webhooks')
  await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1/hook')
  await page.getByRole('button', { name: 'Make webhook' }).click()
  await expect(page.getByText('Please enter an address in the public internet.')).toBeVisible()
  await page.getByLabel('Address', { exact: true }).fill(url)
  await page.getByRole('button', { name: 'Make webhook' }).click()
  await expect(page.getByLabel('Secret of the new webhook')).toBeFocused()
  await examine(page, 'a new webhook')
  await ana.client.does(submitPost, {
    input: { content: 'A poem', authorName: 'Ana Lima', type: 'premium' },
  })
  const part = page.getByRole('region', { name: url })
  await part.getByRole('button', { name: 'Last attempts' }).click()
  await expect(async () => {
    await page.reload()
    await part.getByRole('button', { name: 'Last attempts' }).click()
    await expect(part.getByText('No answer')).toHaveCount(1, { timeout: 2000 })
  }).toPass()
  await expect(part.getByText(/^Next try/)).toBeVisible()
  await examine(page, 'the attempts of a webhook', part)
  await part.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('It is sent again now.')).toBeVisible()
  await part.getByRole('button', { name: `Delete the webhook ${url}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByText('The webhook is deleted.')).toBeVisible()
  await expect(part).toHaveCount(0)
})
