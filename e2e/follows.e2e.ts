import { examine } from './examine.ts'
import { expect, shareSession, test } from './test.ts'

for (const width of [390, 1440])
  test(`a reader follows a writer on one device, reads the posts on another and unfollows the writer there, at ${width} px [LOOP-17 LOOP-18]`, async ({
    page,
    open,
    app,
  }) => {
    const viewport = { width, height: 844 }
    const lastName = `Vogt${width}`
    const name = `Hanne ${lastName}`
    const writer = await app.signUp({ firstName: 'Hanne', lastName })
    const reader = await app.signUp()
    await app.publish({ content: 'The wren has heard every word.', authorName: name, by: writer.client })
    await app.publish({ content: 'The lamp is out.', authorName: name, by: writer.client })
    const secret = `Nobody knows that this is mine, at ${width} px.`
    await app.publish({ content: secret, authorName: 'Night Owl', by: writer.client })

    await page.setViewportSize(viewport)
    await shareSession(page, reader)
    await page.goto(`/people/${writer.user.id}`)
    await page.getByRole('button', { name: `Follow ${name}` }).click()
    await expect(page.getByRole('button', { name: `Following ${name}` })).toBeVisible()
    await examine(page, `the page of a followed writer at ${width} px`)

    const other = await open({ viewport })
    await shareSession(other, reader)
    await other.goto('/dashboard')
    await other.getByRole('link', { name: 'Following' }).click()
    await expect(other).toHaveURL('/following')
    const posts = other.getByRole('list', { name: 'Posts' }).getByRole('article')
    await expect(posts).toHaveCount(2)
    await expect(posts.first()).toContainText('The lamp is out.')
    await examine(other, `the posts of followed people at ${width} px`)

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
    await examine(other, `the posts of nobody at ${width} px`)

    // The other device has unfollowed the writer. The reader returns to this one.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect(page.getByRole('button', { name: `Follow ${name}` })).toBeVisible()
  })
