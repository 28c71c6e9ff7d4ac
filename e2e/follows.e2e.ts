import { examine } from './examine.ts'
import { expect, shareSession, test } from './test.ts'

test('a reader follows a writer on a phone, reads the posts in a wide window and unfollows the writer there [LOOP-17 LOOP-18]', async ({
  page,
  open,
  app,
}) => {
  const phone = { width: 390, height: 844 }
  const desk = { width: 1440, height: 844 }
  const name = 'Hanne Vogt'
  const writer = await app.signUp({ firstName: 'Hanne', lastName: 'Vogt' })
  const reader = await app.signUp()
  await app.publish({ content: 'The wren has heard every word.', authorName: name, by: writer.client })
  await app.publish({ content: 'The lamp is out.', authorName: name, by: writer.client })
  const secret = 'Nobody knows that this is mine.'
  await app.publish({ content: secret, authorName: 'Night Owl', by: writer.client })

  await page.setViewportSize(phone)
  await shareSession(page, reader)
  await page.goto(`/people/${writer.user.id}`)
  await page.getByRole('button', { name: `Follow ${name}` }).click()
  await expect(page.getByRole('button', { name: `Following ${name}` })).toBeVisible()

  const other = await open({ viewport: desk })
  await shareSession(other, reader)
  await other.goto('/dashboard')
  await other.getByRole('link', { name: 'Following' }).click()
  await expect(other).toHaveURL('/following')
  const posts = other.getByRole('list', { name: 'Posts' }).getByRole('article')
  await expect(posts).toHaveCount(2)
  await expect(posts.first()).toContainText('The lamp is out.')
  await examine(other, 'the posts of followed people', other.getByRole('main'))
  await other.setViewportSize(desk)

  await other.keyboard.press('j')
  await expect(posts.first()).toBeFocused()
  await other.keyboard.press('j')
  await expect(posts.last()).toBeFocused()
  await other.keyboard.press('Enter')
  await expect(other).toHaveURL(/\/posts\//)
  await other.goBack()
  await expect(posts.last()).toBeVisible()

  const people = other.getByRole('region', { name: 'People you follow' })
  await people.getByRole('button', { name: `Unfollow ${name}` }).click()
  await expect(other.getByText(/^You follow nobody now/)).toBeVisible()
  await expect(people.getByRole('button', { name: `Follow ${name}` })).toBeVisible()
  await other.getByRole('link', { name: 'The whole feed' }).click()
  await expect(other).toHaveURL('/dashboard')
  await expect(other.getByText(secret)).toBeVisible()
  await other.goBack()
  await expect(other.getByText(/^You follow nobody yet/)).toBeVisible()

  // The other device has unfollowed the writer. The reader returns to this one.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByRole('button', { name: `Follow ${name}` })).toBeVisible()
})
