import { reportAbuse } from '#contract/abuse-reports/endpoints.ts'
import { submitPost } from '#contract/feed/endpoints.ts'
import { examine } from './examine.ts'
import { expect, shareSession, signIn, test } from './test.ts'

test('an admin makes a moderator, who approves a post and closes a report with a suspension, and sees no other part; when the right is taken, the open page loses it [INST-05 S23]', async ({
  page: desk,
  open,
  app,
  forgive,
}) => {
  test.setTimeout(120_000)
  // The sessions of the moderator end twice.
  forgive(/Failed to fetch user|status of 40[13]/)
  const mia = await app.signUp({ firstName: 'Mia', lastName: 'Stone', password: 'a passcode of her own' })
  const ben = await app.signUp({ firstName: 'Ben', lastName: 'Rude' })
  await ben.client.does(submitPost, { input: { content: 'A heron waits', authorName: 'Ben Heron' } })
  const input = { content: 'A rude line', authorName: 'Ben Rude', type: 'premium' } as const
  const { id: rude } = await ben.client.does(submitPost, { input })
  await mia.client.does(reportAbuse, {
    input: { kind: 'post', targetId: rude, reason: 'It names Mrs. Stone.' },
  })

  await shareSession(desk, app.admin)
  await desk.goto('/admin-users')
  await desk.getByRole('searchbox', { name: 'Search users' }).fill(mia.email)
  await desk.getByRole('button', { name: 'Make Mia Stone a moderator' }).click()
  await examine(desk, 'the question before a person becomes a moderator')
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Make a moderator' }).click()
  await expect(desk.getByText('Mia Stone is a moderator')).toBeVisible()
  const takeRight = desk.getByRole('button', { name: 'Take the right of a moderator from Mia Stone' })
  await expect(takeRight).toBeFocused()

  const tab = await open()
  await signIn(tab, mia)
  await tab.goto(`${app.url}/dashboard`)
  await expect(tab.getByRole('link', { name: 'User Management' })).toHaveCount(0)
  await tab.getByRole('link', { name: 'Moderation' }).click()
  await expect(tab.getByRole('heading', { level: 1, name: 'Moderation' })).toBeVisible()
  const heron = tab.getByRole('listitem').filter({ hasText: 'Ben Heron' })
  await heron.getByRole('button', { name: /^Decide with a reason/ }).click()
  await tab.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(tab.getByText("Ben Heron's post is in the feed")).toBeVisible()
  await examine(tab, 'the page of a moderator')

  await tab.getByRole('tab', { name: 'Reports' }).click()
  const report = tab.getByRole('listitem').filter({ hasText: 'It names Mrs. Stone.' })
  await report.getByRole('button', { name: /^Close report/ }).click()
  const dialog = tab.getByRole('dialog', { name: 'Close this report' })
  await expect(dialog.getByRole('radio', { name: /^Erase/ })).toHaveCount(0)
  await dialog.getByRole('radio', { name: /^Hide it/ }).check()
  await dialog.getByRole('checkbox', { name: /^Suspend/ }).check()
  await dialog.getByLabel(/^Reason/).fill('You insulted a neighbour.')
  await dialog.getByRole('button', { name: 'Close report' }).click()
  await expect(report).toContainText('Hidden · Author suspended · Mia Stone')

  await tab.getByRole('tab', { name: 'Suspensions' }).click()
  const ofBen = tab.getByRole('listitem').filter({ hasText: ben.user.username! })
  await expect(ofBen).toContainText('Suspended until')
  await expect(tab.getByText(ben.email)).toHaveCount(0)
  await examine(tab, 'the suspensions of a moderator')
  await ofBen.getByRole('button', { name: 'Suspension of Ben Rude' }).click()
  await tab.getByRole('button', { name: 'Lift the suspension' }).click()
  await expect(ofBen).toHaveCount(0)

  await tab.goto(`${app.url}/admin?part=instance`)
  await expect(tab.getByRole('heading', { level: 1, name: 'Moderation' })).toBeVisible()
  for (const part of ['Instance', 'Audit log', 'Webhooks', 'Users'])
    await expect(tab.getByText(part, { exact: true })).toHaveCount(0)
  await tab.goto(`${app.url}/admin-users`)
  await expect(tab.getByText('This page is for admins.')).toBeVisible()
  await tab.goto(`${app.url}/admin?part=all-posts`)
  await expect(tab.getByRole('heading', { level: 2, name: 'All posts' })).toBeVisible()

  await takeRight.click()
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Take away' }).click()
  await expect(desk.getByText('Mia Stone is no moderator any more')).toBeVisible()
  await expect(tab.getByRole('heading', { name: 'All posts' })).toHaveCount(0, { timeout: 5000 })
  await expect(tab.getByText(/^You were signed out, because .* rights have changed/)).toBeVisible()
  await signIn(tab, mia)
  await tab.goto(`${app.url}/admin`)
  await expect(tab.getByRole('heading', { level: 1, name: 'Admins only' })).toBeVisible()
  await expect(tab.getByRole('link', { name: 'Moderation' })).toHaveCount(0)

  await desk.goto('/admin?part=log')
  for (const action of ['Post approved', 'Report closed', 'Person suspended', 'Suspension lifted'])
    await expect(
      desk.getByRole('listitem').filter({ hasText: action }).filter({ hasText: 'Mia Stone' }).first(),
    ).toBeVisible()
  for (const action of ['Made a moderator', 'No moderator any more'])
    await expect(
      desk.getByRole('listitem').filter({ hasText: action }).filter({ hasText: 'Mia Stone' }).first(),
    ).toBeVisible()
})
