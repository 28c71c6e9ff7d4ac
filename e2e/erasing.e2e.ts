import type { Locator } from '@playwright/test'
import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { joinRoom, sendPassage } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { erasedMark } from '#contract/rooms/room.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import { examine } from './examine.ts'
import { makeRoom } from './people.ts'
import { expect, shareSession, signIn, test } from './test.ts'

test('an admin on a phone erases a reported post and a passage of an open room: readers see the mark at once, and the author reads why [INST-13]', async ({
  page,
  app,
  open,
}) => {
  const [ana, ben] = [await app.signUp({ firstName: 'Ana', lastName: 'Lima' }), await app.signUp()]
  const content = 'A letter\n\nThe neighbour of number 9 is a fool.'
  const { id } = await ana.client.does(submitPost, {
    input: { content, authorName: 'Ana Lima', type: 'premium' },
  })
  await ben.client.does(reportAbuse, {
    input: { kind: 'post', targetId: id, reason: 'It names my neighbour.' },
  })
  const room = await makeRoom(ben)
  const params = { id: room.id }
  await ana.client.does(joinRoom, { params })
  const write = (who: typeof ana, text: string) =>
    who.client.does(sendPassage, { params, input: { content: text } })
  await write(ben, 'It was late.')
  await write(ana, 'The fool of number 9 came in.')

  const author = await open()
  await shareSession(author, ana)
  await author.goto(app.url + roomPath(room.id))
  await expect(author.getByText('The fool of number 9')).toBeVisible()

  const phone = { width: 390, height: 800 }
  const examineOnPhone = async (name: string, part?: Locator) => {
    await examine(page, name, part)
    await page.setViewportSize(phone)
  }
  await page.setViewportSize(phone)
  await shareSession(page, app.admin)
  await page.goto(roomPath(room.id))
  const passage = page.locator('[data-position="2"]')
  await passage.hover()
  await passage.getByRole('button', { name: 'Erase this passage' }).click()
  const ofPassage = page.getByRole('dialog', { name: 'Erase this passage for good?' })
  await expect(ofPassage.getByRole('button', { name: 'Erase for good' })).toBeDisabled()
  await ofPassage.getByLabel(/^Reason/).fill('It insults a neighbour.')
  await examineOnPhone('the dialog that erases a passage')
  await ofPassage.getByRole('checkbox').check()
  await ofPassage.getByRole('button', { name: 'Erase for good' }).click()
  await expect(author.getByText(erasedMark)).toBeVisible({ timeout: 2000 })
  await expect(passage).toContainText(erasedMark)
  await expect(page.getByText('The fool of number 9')).toHaveCount(0)
  await examineOnPhone('an erased passage', passage)

  await page.goto('/admin?part=reports')
  const report = page.getByRole('listitem').filter({ hasText: 'number 9' })
  await report.getByRole('button', { name: 'Erase the post of Ana Lima' }).click()
  const ofPost = page.getByRole('dialog', { name: 'Erase this post for good?' })
  await ofPost.getByRole('checkbox').check()
  await ofPost.getByRole('button', { name: 'Erase for good' }).click()
  await expect(page.getByText('The text was erased, or the copy is damaged.').first()).toBeVisible()
  await expect(page.getByText('number 9')).toHaveCount(0)
  expect((await page.request.get(`/posts/${id}`)).status()).toBe(404)

  await author.getByRole('button', { name: /^Notifications/ }).click()
  const bell = author.getByRole('dialog', { name: 'Notifications' })
  await expect(bell).toContainText('An admin has erased a text of yours')
  await expect(bell).toContainText('It insults a neighbour.')
})

test('an admin finds all actions of a post with large numbers in one row on a phone [INST-13]', async ({
  open,
  app,
}) => {
  const { id } = await app.publish({ content: 'The ferry sailed.', authorName: 'Odile Marsh' })
  const page = await open({ viewport: { width: 390, height: 844 }, hasTouch: true })
  await signIn(page, administrator)
  await page.route(/\/(dashboard|posts|api\/(feed|posts))/, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(/((?:like|comment|share)Count.{1,3}):0/g, '$1:12345')
    await route.fulfill({ response, body })
  })
  for (const path of ['/dashboard', `/posts/${id}`]) {
    await page.goto(path)
    const row = page.locator('footer', { has: page.getByRole('button', { name: 'Like, 12.3K' }) }).first()
    await row.getByRole('button', { name: 'Erase this post' }).waitFor()
    const tops = await row
      .getByRole('button')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
})
