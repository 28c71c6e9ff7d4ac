import { asAdmin, asVisitor, expect, test } from './test.ts'

// Tests with other settings run on another server, so no post of another file waits for review here.
test.use({ settings: { COMPANY_NAME: 'Reviews' } })

test('an admin approves one post, and then several; they appear in the feed [ADM-03 ADM-08 ADM-12 ADM-13]', async ({
  page,
  open,
  app,
}) => {
  for (const authorName of ['Ada Reed', 'Bela Reed', 'Cleo Reed', 'Dora Reed'])
    await app.submit({ authorName })
  const reader = await open()
  await asVisitor(reader)
  const expectInFeed = async (names: string[]) => {
    await reader.goto(`${app.url}/dashboard`)
    await expect(reader.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()
    for (const name of ['Ada Reed', 'Bela Reed', 'Cleo Reed', 'Dora Reed']) {
      await expect(reader.getByRole('article', { name: `Post by ${name}` })).toHaveCount(
        names.includes(name) ? 1 : 0,
      )
    }
  }
  await expectInFeed([])

  await asAdmin(page)
  await page.goto('/admin')
  const queue = page.getByRole('region', { name: 'Pending submissions' })
  await page.getByRole('button', { name: 'Approve the post of Ada Reed' }).click()
  await expect(queue.getByLabel('Select the post of Ada Reed')).toHaveCount(0)
  await expectInFeed(['Ada Reed'])

  await queue.getByLabel('Select the post of Bela Reed').check()
  await queue.getByLabel('Select the post of Cleo Reed').check()
  await page.getByRole('button', { name: 'Approve selected (2)' }).click()
  for (const name of ['Bela Reed', 'Cleo Reed']) {
    await expect(queue.getByLabel(`Select the post of ${name}`)).toHaveCount(0)
  }
  await expect(queue.getByLabel('Select the post of Dora Reed')).not.toBeChecked()
  await expectInFeed(['Ada Reed', 'Bela Reed', 'Cleo Reed'])
})

test('on a phone the tabs are in one row, an admin scrolls to the hidden ones, and the open one is in sight', async ({
  open,
  app,
}) => {
  const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await page.goto(app.url)
  await asAdmin(page)
  await page.goto(`${app.url}/admin`)
  const tabs = page.getByRole('tab')
  await expect(tabs).toHaveCount(5)
  const widths = await tabs.evaluateAll((all) => all.map((tab) => tab.scrollWidth - tab.clientWidth))
  expect(widths).toEqual([0, 0, 0, 0, 0])
  await page.getByRole('tab', { name: 'Analytics' }).click()
  await expect(page.getByRole('tab', { name: 'Analytics' })).toBeInViewport({ ratio: 0.9 })
  await page.goto(`${app.url}/admin?part=analytics`)
  await expect(page.getByRole('tab', { name: 'Analytics' })).toBeInViewport({ ratio: 0.9 })
})

test('an admin whose session has ended sees that the approval failed, and nothing is published [ERR-27]', async ({
  page,
  app,
}) => {
  const id = await app.submit({ authorName: 'Edda Reed' })
  await asAdmin(page)
  await page.goto('/admin')
  const queue = page.getByRole('region', { name: 'Pending submissions' })
  await queue.getByLabel('Select the post of Edda Reed').check()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Approve selected (1)' }).click()
  await expect(page.getByText('Failed to approve posts')).toBeVisible()
  expect((await page.request.get(`/api/posts/${id}`)).status()).toBe(404)
})
