import { examine } from './examine.ts'
import { asAdmin, expect, test } from './test.ts'

// Tests with other settings run on another server, so no post of another file waits for review here.
test.use({ settings: { COMPANY_NAME: 'Queue by keys' } })

test('an admin decides about twenty posts by keys alone, undoes one, and closes the tab: every decision is stored [LOOP-31]', async ({
  page,
  open,
  app,
}) => {
  test.setTimeout(120_000)
  await page.setViewportSize({ width: 1440, height: 900 })
  const { client } = await app.signUp()
  for (let number = 1; number <= 20; number++)
    await app.submit({
      authorName: `Reed ${number}`,
      content: `Poem ${number}\n\nThe lamp burns.`,
      by: client,
    })
  await asAdmin(page)
  await page.goto('/admin')
  await expect(page.getByText('20 posts are waiting')).toBeVisible()
  // Rows are one line: at least a dozen are on the first two screens.
  const rows = page.getByRole('region', { name: 'Pending submissions' }).getByRole('listitem')
  expect((await rows.first().boundingBox())!.height).toBeLessThan(64)

  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const pane = (author: string) => page.getByRole('dialog', { name: author, exact: true })
  await expect(pane('Reed 1').getByText('The lamp burns.')).toBeVisible()
  for (let number = 1; number <= 10; number++) {
    await page.keyboard.press(number % 5 === 0 ? 's' : 'a')
    await expect(pane(`Reed ${number + 1}`)).toBeVisible()
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Open the post of Reed 11' })).toBeFocused()
  for (let number = 11; number <= 20; number++) await page.keyboard.press(number % 5 === 0 ? 's' : 'a')
  await expect(page.getByText('No posts are waiting for review')).toBeVisible()
  await page.keyboard.press('u')
  await expect(page.getByText('1 post is waiting')).toBeVisible()
  await expect(rows).toContainText('Reed 20')
  await page.keyboard.press('a')
  await page.close()

  const after = await open()
  await asAdmin(after)
  await after.goto(`${app.url}/admin`)
  await expect(after.getByText('No posts are waiting for review')).toBeVisible()
  const read = async (query: string) => {
    const answer = await after.request.get(`${app.url}/api/admin/posts?${query}`)
    const posts = (await answer.json()) as { authorName: string }[]
    return posts.map(({ authorName }) => Number(authorName.replace('Reed ', ''))).toSorted((a, b) => a - b)
  }
  await expect.poll(() => read('status=pending')).toEqual([5, 10, 15])
  expect(await read('status=published')).toHaveLength(17)
})

test('an admin on a phone opens a post, approves it, and undoes the approval by touch [LOOP-31]', async ({
  page,
  app,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const { client } = await app.signUp()
  for (const name of ['Ida', 'Ivo']) await app.submit({ authorName: name, by: client })
  await asAdmin(page)
  await page.goto('/admin')
  await page.getByRole('button', { name: 'Open the post of Ida' }).click()
  const pane = page.getByRole('dialog', { name: 'Ida', exact: true })
  expect((await pane.boundingBox())!.height).toBeCloseTo(844, 0)
  await examine(page, 'the reading pane')
  await page.setViewportSize({ width: 390, height: 844 })
  await pane.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('The post of Ida is back in the queue')).toBeVisible()
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog', { name: 'Ivo' }).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('button', { name: 'Open the post of Ida' })).toBeVisible()
  await examine(page, 'the queue')
})
