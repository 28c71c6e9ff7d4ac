import { examine } from './examine.ts'
import { expect, holdRequests, shareSession, test } from './test.ts'

test('an admin allows a class more for an afternoon, ends it early, and undoes that [INST-16]', async ({
  page,
  app,
}) => {
  await shareSession(page, app.admin)
  await page.goto('/admin')
  await page.getByRole('link', { name: 'Limits by address' }).click()
  await expect(page.getByText('The usual limits hold for everybody')).toBeVisible()
  await page.getByLabel('Address or network').fill('192.0.2.7/24')
  await page.getByLabel('Address or network').press('Enter')
  await expect(page.getByText('The network is 192.0.2.0/24.')).toBeVisible()
  await page.getByLabel('Address or network').fill('192.0.2.0/24')
  await page.getByLabel('Up to how many times').selectOption('8')
  await page.getByRole('radio', { name: 'In 8 hours' }).check()
  await page.getByRole('button', { name: 'Add' }).click()
  const list = page.getByRole('list', { name: 'Allowances' })
  await expect(list).toContainText('Up to 8 times the usual limits, until ')
  await page.getByRole('radio', { name: 'Everybody' }).check()
  await examine(page, 'the limits by address', page.getByRole('main'))
  await list.getByRole('button', { name: 'End now the allowance for 192.0.2.0/24' }).click()
  await expect(page.getByText('The usual limits hold for everybody')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(list).toContainText('192.0.2.0/24')
  await list.getByRole('button', { name: /^End now/ }).click()

  await page.goto('/admin?part=log')
  const entries = page.getByRole('list', { name: 'Entries of the audit log' })
  await expect(entries.getByText('Allowance ended').first()).toBeVisible()
  await expect(entries.getByText(/^Until .* · 8 times · 192\.0\.2\.0\/24$/).first()).toBeVisible()
})

test('on a phone the sentence below the limits is out of sight while they load, and does not jump when they come [INST-16]', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await shareSession(page, app.admin)
  const sentence = page.getByText('An allowance that the operator has set on the server is not listed here.')
  const answer = await holdRequests(page, '**/api/admin/allowances')
  await page.goto('/admin?part=limits')
  await expect(page.getByRole('status', { name: 'Loading the allowances' })).toBeVisible()
  const { y: before } = (await sentence.boundingBox())!
  expect(before).toBeGreaterThan(844)
  answer()
  await expect(page.getByText('The usual limits hold for everybody')).toBeVisible()
  const { y: after } = (await sentence.boundingBox())!
  expect(Math.abs(after - before)).toBeLessThan(30)
})
