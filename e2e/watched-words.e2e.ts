import { submitPost } from '#contract/feed/endpoints.ts'
import { examine } from './examine.ts'
import { asAdmin, expect, test } from './test.ts'

// Tests with other settings run on another server, so no settings of the instance reach another file.
test.use({ settings: { COMPANY_NAME: 'Watched words' } })

test('an admin lists a word, a premium post with it waits, and the queue names the word; the page about privacy says so [INST-06 INST-07]', async ({
  page,
  app,
}) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  await asAdmin(page)
  await page.goto('/admin?part=instance')
  const words = page.getByLabel('Watched words')
  await words.fill('.*')
  await expect(page.getByText('‘.*’ has no word.')).toBeVisible()
  await words.fill('Café\nbuy now')
  await page.getByRole('checkbox', { name: 'Crawlers that train models' }).check()
  await examine(page, 'the lists of the instance')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('The settings are saved.')).toBeVisible()

  const { client } = await app.signUp()
  const input = { content: 'At the CAFE', authorName: 'Reed', type: 'premium' as const }
  expect((await client.does(submitPost, { input })).status).toBe('pending')
  await page.goto('/admin')
  await expect(page.getByText('Watched word: Café')).toBeVisible()
  await examine(page, 'a waiting post with a watched word')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Open the post of Reed' }).click()
  await expect(page.getByRole('dialog').getByText('Watched word in it: Café')).toBeVisible()

  await page.goto('/about')
  await page.getByRole('link', { name: 'What is done with texts' }).click()
  await expect(page.getByRole('heading', { name: 'What is done with texts' })).toBeVisible()
  await expect(page.getByText(/have allowed that crawlers read these texts/)).toBeVisible()
  await expect(page.getByText(/compared with a list of words/)).toBeVisible()
  await examine(page, 'the page about privacy')
  const robots = await page.request.get(`${app.url}/robots.txt`)
  expect(robots.headers()).not.toHaveProperty('tdm-reservation')
  expect(await robots.text()).not.toContain('GPTBot')
})

test('a visitor reads what is done with texts where no admin has written anything, also without JavaScript [INST-07]', async ({
  open,
  app,
}) => {
  const page = await open({ javaScriptEnabled: false })
  await page.goto(`${app.url}/privacy`)
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
  await expect(page.getByText(/^Everybody can read published posts/)).toBeVisible()
})
