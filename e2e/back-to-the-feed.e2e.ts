import { asVisitor, expect, test } from './test.ts'

const posts = 30

test('a reader who comes to the feed sees the posts of the window first and then all, and after Back the post that was in sight before', async ({
  page,
  app,
}) => {
  await asVisitor(page)
  for (let n = 0; n < posts; n++)
    await app.publish({ content: `A line of text\n`.repeat(((n * 7) % 23) + 1) })
  await page.goto('/calendar')
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible()
  const cards = page.getByTestId('post-content')
  await page.evaluate(() => {
    const counts = ((globalThis as { counts?: number[] }).counts = [] as number[])
    new MutationObserver(() => {
      const count = document.querySelectorAll('[data-testid="post-content"]').length
      if (count > 0) counts.push(count)
    }).observe(document.body, { childList: true, subtree: true })
  })
  await page.getByRole('complementary').getByRole('link', { name: 'Home' }).click()
  await expect(cards).toHaveCount(posts)
  const [first] = await page.evaluate(() => (globalThis as { counts?: number[] }).counts!)
  expect(first).toBeLessThan(10)

  const post = cards.nth(20)
  await post.scrollIntoViewIfNeeded()
  await page.getByRole('complementary').getByRole('link', { name: 'Calendar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible()
  await page.goBack()
  await expect(cards).toHaveCount(posts)
  await expect(post).toBeInViewport()
})
