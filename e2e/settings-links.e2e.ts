import type { Page } from '@playwright/test'
import { expect, shareSession, test } from './test.ts'

test.use({ viewport: { width: 1440, height: 900 } })

/** Waits until the part, and with it all parts above, stands at the upper edge of the window, and has the focus. */
async function expectAtTop(page: Page, id: string, button: string) {
  const place = page.locator(`#${id}`)
  await expect(place.getByRole('button', { name: button })).toBeVisible()
  await expect(place).toBeFocused()
  await expect.poll(async () => (await place.boundingBox())?.y).toBeGreaterThanOrEqual(0)
  expect((await place.boundingBox())!.y).toBeLessThan(100)
}

test('a person who opens a link to a part of the settings, from outside or on another page, comes to this part', async ({
  page,
  app,
}) => {
  await shareSession(page, await app.signUp())
  await page.goto('/settings#part-signed-in-on')
  await expect(page.locator('#part-signed-in-on')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Signed in on' })).toBeInViewport()

  // As notifications and mails name it.
  await page.goto('/settings#your-posts')
  await expect(page.locator('#your-posts')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Your posts' })).toBeInViewport()

  await page.goto('/writing?list=documents')
  await page.getByRole('link', { name: 'Import texts' }).click()
  await expectAtTop(page, 'part-your-words', 'Export everything')
})

test('a person who chooses a part of the settings in the index stays at this part when those above it have come', async ({
  page,
  app,
}) => {
  await shareSession(page, await app.signUp())
  await page.goto('/settings')
  await page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('link', { name: 'API tokens' })
    .click()
  await expectAtTop(page, 'part-api-tokens', 'Make a token')
  // The list of sessions is shorter than its place was.
  await expect(page.getByText('This device')).toBeAttached()
  await expect(page.getByRole('switch', { name: 'Show my name in Z!mmers' })).toBeAttached()
  await expectAtTop(page, 'part-api-tokens', 'Make a token')
})

test('a person who opens a second push with the link of the first one comes to this part again', async ({
  page,
  app,
}) => {
  await shareSession(page, await app.signUp())
  await page.goto('/settings#your-posts')
  await expect(page.locator('#your-posts')).toBeFocused()
  await page.getByLabel('Introduction').focus()
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(page.getByRole('heading', { name: 'Your posts' })).not.toBeInViewport()
  // As the page does when its worker asks for an address.
  await page.evaluate(() => history.pushState(null, '', '/settings#your-posts'))
  await expect(page.locator('#your-posts')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Your posts' })).toBeInViewport()
})
