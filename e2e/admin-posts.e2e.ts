import type { Locator } from '@playwright/test'
import { examine } from './examine.ts'
import { asAdmin, asVisitor, expect, shareSession, test } from './test.ts'

// Tests with other settings run on another server, so no post of another file waits for review here.
test.use({ settings: { COMPANY_NAME: 'Back office' } })

test('an admin sets a post aside with a reason, and the author on a phone reads it in the settings, and each state within its badge, beside the longest title [ADM-18 ADM-07]', async ({
  page,
  open,
  app,
}) => {
  const ana = await app.signUp()
  await app.publish({ content: 'W'.repeat(90), by: ana.client })
  await app.submit({ authorName: 'Ada Reed', by: ana.client })
  await asAdmin(page)
  await page.goto('/admin')
  await page.getByRole('button', { name: 'Decide with a reason about the post of Ada Reed' }).click()
  const dialog = page.getByRole('dialog', { name: 'The post of Ada Reed' })
  await dialog.getByLabel('Reason (optional)').fill('It names a neighbour.')
  await dialog.getByRole('button', { name: 'Set aside' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('No posts are waiting for review')).toBeVisible()

  const author = await open({ viewport: { width: 390, height: 844 } })
  await shareSession(author, ana)
  await author.goto(`${app.url}/settings#your-posts`)
  const list = author.getByRole('list', { name: 'Your posts' })
  const row = list.getByRole('listitem').filter({ hasText: 'It names a neighbour.' })
  await expect(row).toContainText('Set aside')
  for (const name of ['Set aside', 'Published']) {
    const state = list.getByText(name, { exact: true })
    expect(await state.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  }
  expect(await author.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
})

test('an admin on a phone reads all of a long verse in the queue and in the dialog of a decision, by the keyboard too, and the buttons stay in sight [ADM-03 ADM-14]', async ({
  page,
  app,
}) => {
  const content = `Rain\n\n${'Another line of the night\n'.repeat(200)}The end`
  await app.submit({ content, authorName: 'Cora Reed', by: (await app.signUp()).client })
  await asAdmin(page)
  await page.goto('/admin')
  const phone = { width: 390, height: 480 }
  await page.setViewportSize(phone)
  const queue = page.getByRole('region', { name: 'Pending submissions' })
  await queue.getByRole('button', { name: 'Read all of the post of Cora Reed' }).press('Enter')
  const expectAllOf = async (text: Locator) => {
    await text.press('End')
    await expect(text.getByText('The end')).toBeInViewport()
    expect(Math.round((await text.boundingBox())!.height)).toBeLessThanOrEqual(phone.height / 2)
  }
  await expectAllOf(page.getByRole('region', { name: 'The text of Cora Reed' }))
  await examine(page, 'a whole text in the queue', page.getByRole('main'))
  await page.setViewportSize(phone)
  await page.getByRole('button', { name: 'Decide with a reason about the post of Cora Reed' }).click()
  const dialog = page.getByRole('dialog', { name: 'The post of Cora Reed' })
  await expectAllOf(dialog.getByRole('region', { name: 'The text of Cora Reed' }))
  await expect(dialog.getByRole('button', { name: 'Approve' })).toBeInViewport({ ratio: 1 })
  await examine(page, 'a whole text in the dialog of a decision')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await expect(dialog).toHaveCount(0)
})

test('an admin uploads a picture for an article, and a visitor sees it in the feed [ADM-15 S33 S35]', async ({
  page,
  open,
  app,
}) => {
  test.setTimeout(120_000)
  await asAdmin(page)
  await page.goto('/admin?part=create-content')
  const form = page.getByRole('group', { name: 'Picture' })
  await page.getByRole('textbox', { name: 'Content' }).fill('A night at the lake')
  const picture = { name: 'lake.png', mimeType: 'image/png', buffer: await page.screenshot() }
  await form.getByLabel('Picture (optional)').setInputFiles(picture)
  const address = form.getByLabel('Or the address of a picture of this site')
  await expect(address).toHaveValue(/^\/uploads\/covers\/.*\.webp$/)
  await expect.poll(() => isDrawn(form.getByAltText('Preview'))).toBe(true)
  await examine(page, 'an article with a picture', page.getByRole('main'))
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Content' })).toHaveValue('A night at the lake')
  await expect(address).toHaveValue(/^\/uploads\/covers\//)
  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('Published', { exact: true })).toBeVisible()

  const reader = await open()
  await asVisitor(reader)
  await reader.goto(`${app.url}/dashboard`)
  const post = reader.getByRole('article').filter({ hasText: 'A night at the lake' })
  await expect.poll(() => isDrawn(post.locator('img').first())).toBe(true)
})

const isDrawn = (picture: Locator) =>
  picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)

// The other tabs are examined with more on them: above, and where users are managed.
test('an admin finds the list of all posts and the statistics accessible at any width, by day and by night', async ({
  page,
  app,
}) => {
  test.setTimeout(240_000)
  await app.submit({ authorName: 'Cleo Reed' })
  await app.publish({ authorName: 'Dora Reed' })
  await asAdmin(page)
  for (const [part, heading] of [
    ['all-posts', 'All posts'],
    ['analytics', 'Posts per day'],
  ] as const) {
    await page.goto(`/admin?part=${part}`)
    await expect(page.getByRole('heading', { level: 2, name: heading })).toBeVisible()
    await examine(page, part, page.getByRole('main'))
  }
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
