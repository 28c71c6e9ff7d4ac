import type { Page } from '@playwright/test'
import { examineAsShown } from './examine.ts'
import { asVisitor, expect, shareSession, test } from './test.ts'

const openList = async (page: Page) => {
  await page.getByRole('banner').getByRole('button', { name: 'Ana Lima' }).click()
  await page.getByRole('menuitem', { name: 'Read later' }).click()
}

const openListOnPhone = async (page: Page) => {
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('link', { name: 'Read later' }).click()
}

test('a reader keeps posts on one device, finds and reads them on another, and removes one [LOOP-17]', async ({
  open,
  app,
}) => {
  const reader = await app.signUp()
  const [train, lamp] = ['The train of Odile', 'The lamp of Odile']
  const { id } = await app.publish({
    content: `${train}\n\n${'It was late and it rained. '.repeat(100)}`,
    authorName: 'Odile Marsh',
  })
  await app.publish({ content: `${lamp}\n\nIt burned.`, authorName: 'Odile Marsh' })
  const [laptop, phone] = [
    await open({ viewport: { width: 1440, height: 844 } }),
    await open({ viewport: { width: 390, height: 844 } }),
  ]
  for (const page of [laptop, phone]) await shareSession(page, reader)

  // The other device shows what is kept at the moment: nothing.
  await phone.goto('/dashboard')
  await openListOnPhone(phone)
  await expect(phone.getByText('You keep no posts.')).toBeVisible()

  // One is kept from its card by the keyboard, the other one from its article.
  await laptop.goto('/dashboard')
  const card = laptop.getByRole('article').filter({ hasText: lamp })
  await card.getByRole('button', { name: 'Read later' }).focus()
  await laptop.keyboard.press('Enter')
  await expect(card.getByRole('button', { name: 'Kept for later', pressed: true })).toBeFocused()
  await laptop.goto(`/posts/${id}`)
  await laptop.getByRole('button', { name: 'Read later' }).click()
  await expect(laptop.getByRole('button', { name: 'Kept for later' })).toBeVisible()
  await openList(laptop)
  const list = (page: Page) => page.getByRole('list', { name: 'Posts to read later' })
  await expect(list(laptop).getByRole('listitem')).toHaveText([new RegExp(train), new RegExp(lamp)])

  await phone.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(list(phone).getByRole('listitem')).toHaveText([new RegExp(train), new RegExp(lamp)])
  await expect(list(phone)).toContainText('3 minutes to read')
  await examineAsShown(phone, 'read later')
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await list(phone).getByRole('link', { name: train }).click()
  await expect(phone).toHaveURL(`/posts/${id}`)
  await expect(phone.getByRole('button', { name: 'Kept for later' })).toBeVisible()
  await phone.goBack()

  await phone.getByRole('button', { name: `Remove ${lamp}` }).click()
  await expect(list(phone).getByRole('listitem')).toHaveText([new RegExp(train)])
  await phone.getByRole('button', { name: 'Undo' }).click()
  await expect(list(phone).getByRole('listitem')).toHaveText([new RegExp(train), new RegExp(lamp)])
  await phone.getByRole('button', { name: `Remove ${train}` }).click()
  await expect(phone.getByText('Removed')).toBeVisible()
  // The removal is sent when the list is left.
  const removed = phone.waitForResponse((answer) => answer.request().method() === 'DELETE')
  await list(phone).getByRole('link', { name: lamp }).click()
  await removed
  await laptop.reload()
  await expect(list(laptop).getByRole('listitem')).toHaveText([new RegExp(lamp)])
})

test('two tabs of a browser agree at once about what is kept, and a visitor has no bookmark [LOOP-17]', async ({
  page,
  open,
  app,
}) => {
  await app.publish({ content: 'The ferry of two tabs\n\nIt sailed.', authorName: 'Odile Marsh' })
  await shareSession(page, await app.signUp())
  const other = await page.context().newPage()
  for (const tab of [page, other]) await tab.goto('/dashboard')
  const bookmarkIn = (tab: Page) =>
    tab
      .getByRole('article')
      .filter({ hasText: 'The ferry of two tabs' })
      .getByRole('button', { name: /^(Read|Kept for) later$/ })
  await bookmarkIn(other).waitFor()
  await bookmarkIn(page).click()
  for (const tab of [page, other]) await expect(bookmarkIn(tab)).toHaveAccessibleName('Kept for later')

  const visitor = await open()
  await asVisitor(visitor)
  await visitor.goto('/dashboard')
  await visitor
    .getByRole('article')
    .filter({ hasText: 'The ferry of two tabs' })
    .getByRole('button', { name: /^Share/ })
    .waitFor()
  await expect(bookmarkIn(visitor)).toHaveCount(0)
})
