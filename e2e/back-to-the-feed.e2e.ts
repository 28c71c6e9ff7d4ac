import { asVisitor, expect, test } from './test.ts'

const posts = 30

test('a reader who comes to the feed sees the posts of the window first and then all, and after Back all at once, with the post of before at its place', async ({
  page,
  app,
}) => {
  await asVisitor(page)
  for (let n = 0; n < posts; n++)
    await app.publish({ content: `A line of text\n`.repeat(((n * 7) % 23) + 1) })
  await page.goto('/calendar')
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible()
  const cards = page.getByTestId('post-content')
  // Posts of other journeys stand below these.
  const allShown = () => expect.poll(() => cards.count()).toBeGreaterThanOrEqual(posts)
  /** Returns how many posts the page has when it first has some. */
  const watchPosts = () =>
    page.evaluateHandle(() => {
      const seen: { first?: number } = {}
      const observer = new MutationObserver(() => {
        const { length } = document.querySelectorAll('[data-testid="post-content"]')
        if (length === 0) return
        seen.first = length
        observer.disconnect()
      })
      observer.observe(document.body, { childList: true, subtree: true })
      return seen
    })
  const came = await watchPosts()
  await page.getByRole('complementary').getByRole('link', { name: 'Home' }).click()
  await allShown()
  expect((await came.jsonValue()).first).toBeLessThan(10)

  const post = cards.nth(7)
  await post.scrollIntoViewIfNeeded()
  const placeOf = async () => Math.round((await post.boundingBox())!.y)
  const before = await placeOf()
  await page.getByRole('complementary').getByRole('link', { name: 'Calendar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendar' })).toBeVisible()
  const cameBack = await watchPosts()
  await page.goBack()
  await allShown()
  expect((await cameBack.jsonValue()).first).toBeGreaterThanOrEqual(posts)
  await expect.poll(placeOf).toBe(before)
})
