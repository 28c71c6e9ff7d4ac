import { login, register } from '#contract/account/endpoints.ts'
import { getPost } from '#contract/feed/reading/endpoints.ts'
import { listScheduledPosts } from '#contract/feed/scheduled/endpoints.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { startWithClock } from './clock.ts'
import { examine } from './examine.ts'
import { asVisitor, expect, signIn, test } from './test.ts'

test.describe.configure({ mode: 'parallel' })

/** The day after tomorrow, in whatever time zone. */
const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)

test('a person schedules a post on a phone, moves it, and readers find it at its time, also after a stop [LOOP-11]', async ({
  open,
  forgive,
  processes,
}) => {
  // While the server stops.
  forgive(/ERR_CONNECTION_|status of 503/)
  test.setTimeout(120_000)
  const server = await startWithClock(processes)
  const client = new HttpClient(() => server.url)
  const ana = { email: 'ana@example.org', password: 'secret1' }
  await client.does(register, { input: { ...ana, firstName: 'Ana', lastName: 'Lima' } })
  const phone = { width: 390, height: 800 }
  const page = await open({ baseURL: server.url, viewport: phone })
  await signIn(page, ana)
  const examineStep = async (name: string) => {
    await examine(page, name)
    await page.setViewportSize(phone)
  }
  await page.goto('/write')
  await page.getByRole('textbox', { name: 'Your text' }).fill('The moon is late tonight.')
  await page.getByRole('button', { name: 'Publish…' }).click()
  const step = page.getByRole('dialog', { name: 'Publish' })
  await step.getByRole('radio', { name: /^Premium/ }).check()
  await step.getByRole('radio', { name: 'Publish on …' }).check()
  await step.getByLabel('Day').fill(day)
  await step.getByLabel('Time').fill('09:00')
  await examineStep('the Publish step with a time')
  await step.getByRole('button', { name: 'Schedule' }).click()

  await expect(page).toHaveURL(/\/writing\?list=scheduled$/)
  const post = page.getByRole('list', { name: 'Scheduled posts' }).getByRole('listitem')
  await expect(post).toContainText('The moon is late tonight.')
  await expect(post).toContainText('9:00')
  await examineStep('the scheduled posts')
  await post.getByRole('button', { name: 'Change time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change time' })
  await dialog.getByLabel('Time').fill('09:45')
  await examineStep('the dialog of a time')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(post).toContainText('9:45')
  const at = await page.evaluate((local) => new Date(local).toISOString(), `${day}T09:45`)
  const [scheduled] = await client.does(listScheduledPosts)
  expect(scheduled!.publishAt).toBe(at)

  const reader = await open({ baseURL: server.url, viewport: { width: 1440, height: 800 } })
  await asVisitor(reader)
  await server.restart('SIGTERM', new Date(Date.parse(at) + 60_000))
  await expect(async () => {
    const found = await new HttpClient(() => server.url).does(getPost, { params: { id: scheduled!.id } })
    expect(found.publishedAt).toBe(at)
  }).toPass({ timeout: 5000 })
  await reader.goto('/dashboard')
  await expect(reader.getByText('The moon is late tonight.')).toBeVisible()
  await page.reload()
  await expect(page.getByText(/^No post of yours is scheduled\./)).toBeVisible()
  await server.stop()
})

test('an admin schedules an article and makes it a draft again [LOOP-11]', async ({ page, app }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await signIn(page, administrator)
  await page.goto('/admin?part=create-content')
  await page.getByRole('textbox', { name: 'Content' }).fill('News of the house')
  await page.getByRole('radio', { name: 'Publish on …' }).check()
  await page.getByLabel('Day').fill(day)
  await examine(page, 'an article with a time')
  await page.getByRole('button', { name: 'Schedule' }).click()
  await expect(page).toHaveURL(/\/writing\?list=scheduled$/)
  await page.getByRole('button', { name: 'Back to drafts News of the house' }).click()
  await page.getByRole('link', { name: 'Continue writing' }).click()
  await expect(page.getByRole('textbox', { name: 'Your text' })).toHaveValue('News of the house')
  const boss = app.visitor()
  await boss.does(login, { input: administrator })
  expect(await boss.does(listScheduledPosts)).toEqual([])
})
