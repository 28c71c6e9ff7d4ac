import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { addFriend } from '#contract/friends/endpoints.ts'
import { deleteMessage, sendMessage } from '#contract/messages/endpoints.ts'
import { examine } from './examine.ts'
import { expect, shareSession, signIn, test } from './test.ts'

test('a person reports a message, its author deletes it, and an admin reads the copy and closes the report [PPL-06 PPL-12]', async ({
  page,
  app,
  open,
}) => {
  test.setTimeout(120_000)
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Lima' })
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Okafor' })
  await ana.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  const text = `You are a fool, ${ana.user.username!}.`
  const { id } = await ben.client.does(sendMessage, {
    input: { receiverId: ana.user.id, messageType: 'text', content: text },
  })
  await signIn(page, ana)
  await page.goto(`/messages?friend=${ben.user.id}`)
  const message = page.locator(`[data-message="${id}"]`)
  await message.hover()
  await message.getByRole('button', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report this message' })
  await expect(dialog).toContainText(
    'Admins and moderators get a copy of this message, what you write here and your name.',
  )
  await dialog.getByRole('radio', { name: 'Harassment or threats' }).check()
  await dialog.getByRole('textbox').fill('He writes this every day.')
  await examine(page, 'the dialog of a report')
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Thank you. The admins and moderators have your report.')).toBeVisible()
  await ben.client.does(deleteMessage, { params: { id } })

  const desk = await open()
  await shareSession(desk, app.admin)
  await desk.goto('/admin')
  await desk.getByRole('link', { name: 'Reports of readers' }).click()
  const report = desk.getByRole('listitem').filter({ hasText: text })
  await expect(report).toContainText('Ana Lima reported this')
  await expect(report).toContainText('He writes this every day.')
  await expect(report).toContainText('It cannot be found any more')
  await examine(desk, 'the list of reports', desk.getByRole('main'))
  await report.getByRole('button', { name: /^Close report/ }).click()
  const closing = desk.getByRole('dialog', { name: 'Close this report' })
  await closing.getByRole('radio', { name: 'Author warned' }).check()
  await closing.getByRole('textbox').fill('I wrote to Ben.')
  await closing.getByRole('button', { name: 'Close report' }).click()
  await expect(report).toContainText('Author warned · Admin')
  await expect(report).toContainText('I wrote to Ben.')
})

test('an admin on a phone closes a report by the keyboard: the post is hidden, its author reads the warning, and the reporter what was done [INST-15]', async ({
  page: desk,
  app,
  open,
}) => {
  test.setTimeout(120_000)
  const ana = await app.signUp({ firstName: 'Ana', lastName: 'Moss' })
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Moss' })
  const input = { content: 'A poem about a neighbour', authorName: 'Ben Moss', type: 'premium' } as const
  const { id } = await ben.client.does(submitPost, { input })
  const reason = 'It names Mrs. Reed.'
  await ana.client.does(reportAbuse, { input: { kind: 'post', targetId: id, reason } })

  await desk.setViewportSize({ width: 390, height: 844 })
  await shareSession(desk, app.admin)
  await desk.goto('/admin?part=reports')
  const report = desk.getByRole('listitem').filter({ hasText: reason })
  const close = report.getByRole('button', { name: /^Close report/ })
  await close.focus()
  await desk.keyboard.press('Enter')
  const dialog = desk.getByRole('dialog', { name: 'Close this report' })
  await expect(dialog).toBeVisible()
  await desk.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(close).toBeFocused()
  await desk.keyboard.press('Enter')
  await dialog.getByRole('radio', { name: 'Leave it as it is' }).focus()
  await desk.keyboard.press('ArrowDown')
  await expect(dialog.getByRole('radio', { name: /^Hide it/ })).toBeChecked()
  await dialog.getByRole('checkbox', { name: /^Warn/ }).focus()
  await desk.keyboard.press('Space')
  await dialog.getByRole('checkbox', { name: /^Suspend/ }).check()
  await examine(desk, 'the dialog that closes a report with all actions')
  await desk.setViewportSize({ width: 390, height: 844 })
  await dialog.getByRole('checkbox', { name: /^Suspend/ }).uncheck()
  await dialog.getByLabel(/^What the person reads/).fill('Please leave neighbours out.')
  await expect(dialog).toContainText('“An admin or moderator has hidden the post and warned the author.”')
  await desk.keyboard.press('Control+Enter')
  await expect(desk.getByText('The report is closed.')).toBeVisible()
  await expect(report).toContainText('Hidden · Author warned · Admin')
  expect((await desk.request.get(`/posts/${id}`)).status()).toBe(404)

  const bellOf = async (who: typeof ana) => {
    const tab = await open()
    await signIn(tab, who)
    await tab.goto(`${app.url}/about`)
    await tab.getByRole('button', { name: /^Notifications, / }).click()
    return tab
  }
  const ofBen = await bellOf(ben)
  for (const text of [
    'An admin or moderator has warned you',
    'Please leave neighbours out.',
    'Your post is hidden',
  ])
    await expect(ofBen.getByText(text)).toBeVisible()
  const ofAna = await bellOf(ana)
  await expect(
    ofAna.getByText('An admin or moderator has hidden the post and warned the author.'),
  ).toBeVisible()
  await expect(ofAna.getByText('Please leave neighbours out.')).toHaveCount(0)
})
