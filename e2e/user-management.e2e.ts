import { getMe } from '#contract/account/endpoints.ts'
import { addFriend, listFriends } from '#contract/friends/endpoints.ts'
import { examine } from './examine.ts'
import { bar, expect, shareSession, signIn, test } from './test.ts'

test('an admin finds a person, deletes them, and reads it in the audit log; the person is signed out, and the friend list of a friend changes [AUSR-01 AUSR-10 API-37 ERR-25 PERM-12 S15 S23 S49]', async ({
  page,
  open,
  app,
  forgive,
}) => {
  // The deleted person loads the page again.
  forgive(/Failed to fetch user/)
  const ben = await app.signUp({ firstName: 'Benjamin', lastName: 'Okafor', email: 'to.delete@example.org' })
  const cleo = await app.signUp({ firstName: 'Cleo', lastName: 'Ross' })
  await cleo.client.does(addFriend, { input: { friendUserId: ben.user.id } })
  const [desk, friends] = [page, await open()]
  await signIn(friends, cleo)
  await friends.goto(`${app.url}/messages`)
  await expect(friends.getByText('Benjamin Okafor').first()).toBeVisible()
  const device = await open()
  await signIn(device, ben)
  await device.goto(`${app.url}/dashboard`)
  await expect(device.getByRole('heading', { level: 1, name: 'Feed' })).toBeVisible()

  await shareSession(desk, app.admin)
  await desk.goto('/admin?part=user-management')
  await desk.getByRole('searchbox', { name: 'Search users' }).fill('TO.DELETE')
  await expect(desk.getByText('1 user found')).toBeVisible()
  await examine(desk, 'the list of users')
  await desk.getByRole('button', { name: 'Delete Benjamin Okafor' }).click()
  const question = desk.getByRole('alertdialog')
  await expect(question).toContainText(
    'Are you sure you want to delete this user? This action cannot be undone.',
  )
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(desk.getByText('User deleted successfully')).toBeVisible()
  await expect(desk.getByText('Nobody was found for “TO.DELETE”')).toBeVisible()

  const statusOfDevice = async () => (await device.request.get(app.url + getMe.path)).status()
  await expect.poll(statusOfDevice, { timeout: 2000 }).toBe(401)
  await expect(friends.getByText('Benjamin Okafor')).toHaveCount(0)
  expect(await cleo.client.does(listFriends)).toEqual([])
  await device.reload()
  await expect(bar(device)).toContainText('Visitor')

  await desk.goto('/admin')
  await desk.getByRole('link', { name: 'Audit log' }).click()
  await desk.getByLabel('Action', { exact: true }).selectOption('Account deleted')
  await expect(desk.getByRole('listitem').filter({ hasText: 'Signed in' })).toHaveCount(0)
  const entry = desk.getByRole('listitem').filter({ hasText: ben.user.id })
  await expect(entry).toContainText('Account deleted')
  await expect(entry).toContainText('Admin')
  await examine(desk, 'the audit log')
})
