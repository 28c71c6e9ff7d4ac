import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import { noStats } from '#web/testing/stats.ts'
import {
  type AdminUser,
  countAdminUsers,
  deleteUser,
  getStats,
  listAdminUsers,
} from '#contract/admin/endpoints.ts'
import { adminErrors } from '#contract/admin/errors.ts'
import { listPendingPosts } from '#contract/feed/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { admin, ana } from '#web/testing/people.ts'
import { AdminPage } from './AdminPage.tsx'
import { UserManagementPage } from './UserManagementPage.tsx'

const server = startTestPage()

const aUser = (more: Partial<AdminUser>): AdminUser => ({
  ...ana,
  postCount: 0,
  commentCount: 0,
  suspension: null,
  ...more,
})
const ben = aUser({
  id: 'h3m9w5zt8v',
  firstName: 'Ben',
  lastName: 'Okafor',
  username: 'benny',
  email: 'ben@example.org',
  postCount: 3,
})
const boss = aUser({ id: 'c5x2n7qk4d', firstName: 'Vera', lastName: null, username: 'vera', isAdmin: true })

let stored: AdminUser[]
/** The server searches in the username alone here. */
const found = ({ q = '' }: { q?: string | undefined }) =>
  stored.filter(({ username }) => username!.includes(q))
beforeEach(() => {
  stored = [ben, boss]
  server.on(listAdminUsers, ({ query }) => found(query))
  server.on(countAdminUsers, ({ query }) => ({ count: found(query).length }))
  server.on(deleteUser, ({ params }) => {
    stored = stored.filter(({ id }) => id !== params.id)
    return done
  })
})

const open = () => show(<UserManagementPage />, { at: '/admin-users', user: admin })
const card = async (name: string) => within((await screen.findByText(name)).closest('li')!)
const question = 'Are you sure you want to delete this user? This action cannot be undone.'

async function deleteBen() {
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Ben Okafor' }))
  expect(await screen.findByText(question)).toBeTruthy()
  press('Delete')
}

test('an admin sees a card for each user, and how many users there are [AUSR-03 AUSR-04 PERM-12]', async () => {
  open()
  const ofBen = await card('Ben Okafor')
  for (const text of ['benny', 'ben@example.org']) expect(ofBen.getByText(text)).toBeTruthy()
  expect(ofBen.getByText(/Jun 10, 2025/).closest('p')!.textContent).toBe('Joined Jun 10, 2025 · 3 posts')
  expect(await screen.findByText('2 users')).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('User Management')
})

test('an admin finds the list of users in the tab User Management [AUSR-04 SHELL-11]', async () => {
  server.on(getStats, noStats)
  server.on(listTodaysPosts, [])
  server.on(listPendingPosts, [])
  show(<AdminPage />, { at: '/admin?part=user-management', user: admin })
  expect(await screen.findByText('Ben Okafor')).toBeTruthy()
})

test('an admin can delete a user, but not another admin [AUSR-05 AUSR-06]', async () => {
  open()
  expect((await card('Ben Okafor')).getByRole('button', { name: 'Delete Ben Okafor' })).toBeTruthy()
  const ofBoss = await card('Vera')
  expect(ofBoss.getByText('Admin')).toBeTruthy()
  expect(ofBoss.queryByRole('button')).toBeNull()
})

test('an admin searches on the server, which also counts what it finds [AUSR-01 AUSR-03]', async () => {
  open()
  await screen.findByText('Ben Okafor')
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search users' }), { target: { value: ' benn ' } })
  expect(await screen.findByText('1 user found')).toBeTruthy()
  expect(screen.queryByText('Vera')).toBeNull()
  expect(server.calls(listAdminUsers).at(-1)!.query).toEqual({ limit: '60', q: 'benn' })
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'nobody' } })
  expect(await screen.findByText('Nobody was found for “nobody”')).toBeTruthy()
})

test('an admin sees who is suspended and until when, and lists the suspended people alone [INST-04]', async () => {
  const suspension = { reason: 'Unkind.', until: null, hidesTexts: true }
  const cleo = aUser({ id: 'h3m9w5zt8w', firstName: 'Cleo', username: 'cleo', suspension })
  stored = [ben, cleo]
  server.on(listAdminUsers, ({ query }) => (query.isSuspended ? [cleo] : stored))
  server.on(countAdminUsers, ({ query }) => ({ count: query.isSuspended ? 1 : 2 }))
  open()
  const ofCleo = await card('Cleo Lima')
  expect(ofCleo.getByText('Suspended')).toBeTruthy()
  expect(ofCleo.getByText(/for good/).textContent).toBe('Suspended for good · Texts are hidden')
  expect((await card('Ben Okafor')).queryByText(/Suspended/)).toBeNull()
  fireEvent.click(screen.getByRole('checkbox', { name: 'Suspended only' }))
  expect(await screen.findByText('1 user found')).toBeTruthy()
  expect(screen.queryByText('Ben Okafor')).toBeNull()
  server.on(listAdminUsers, [])
  fireEvent.click(screen.getByRole('checkbox', { name: 'Suspended only' }))
  press('Refresh')
  fireEvent.click(screen.getByRole('checkbox', { name: 'Suspended only' }))
  expect(await screen.findByText('Nobody is suspended')).toBeTruthy()
})

test('an admin refreshes the list and its count [AUSR-02]', async () => {
  open()
  await screen.findByText('2 users')
  stored = [...stored, aUser({ id: 'h3m9w5zt8w', firstName: 'Cleo', username: 'cleo' })]
  press('Refresh')
  expect(await screen.findByText('Cleo Lima')).toBeTruthy()
  expect(await screen.findByText('3 users')).toBeTruthy()
})

test('an admin reads on with a button, page by page [AUSR-04]', async () => {
  server.onPages(listAdminUsers, [[ben], [boss]])
  open()
  await screen.findByText('Ben Okafor')
  expect(screen.queryByText('Vera')).toBeNull()
  press('Show more')
  expect(await screen.findByText('Vera')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull()
})

test('an admin deletes a user after a question, and the card is gone [AUSR-05 AUSR-10 ERR-25]', async () => {
  open()
  await deleteBen()
  expect(await screen.findByText('User deleted successfully')).toBeTruthy()
  expect(screen.queryByText('Ben Okafor')).toBeNull()
  expect(await screen.findByText('1 user')).toBeTruthy()
  expect(server.changes).toEqual([`DELETE /api/admin/users/${ben.id}`])
})

test('an admin who cancels the question deletes nobody [AUSR-10]', async () => {
  open()
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Ben Okafor' }))
  await screen.findByText(question)
  press('Cancel')
  await waitFor(() => expect(screen.queryByText(question)).toBeNull())
  expect(server.changes).toEqual([])
  expect(screen.getByText('Ben Okafor')).toBeTruthy()
})

test('an admin whose deletion is refused reads the sentence of the server, and the card stays [ERR-26]', async () => {
  server.refuse(deleteUser, 'AdminStays')
  open()
  await deleteBen()
  expect(await screen.findByText('An admin account can only be deleted on the server.')).toBeTruthy()
  expect(screen.getByText('Ben Okafor')).toBeTruthy()
  expect(button('Delete Ben Okafor').disabled).toBe(false)
})

test('an admin whose deletion fails without a sentence reads that it failed [ERR-26]', async () => {
  server.answerForeign(deleteUser, 403, '<html>proxy</html>')
  open()
  await deleteBen()
  expect(await screen.findByText('Failed to delete user')).toBeTruthy()
  expect(screen.getByText('Ben Okafor')).toBeTruthy()
})

test('an admin whose users cannot be loaded is told so by a toast, and tries again [ERR-24]', async () => {
  server.refuse(listAdminUsers, 'NotAllowed')
  open()
  expect(await screen.findByText('Failed to load users')).toBeTruthy()
  expect(await screen.findByText('The users could not be loaded.')).toBeTruthy()
  server.on(listAdminUsers, () => stored)
  press('Try again')
  expect(await screen.findByText('Ben Okafor')).toBeTruthy()
})

test('an admin whose list cannot be refreshed is told so, and the list stays [ERR-24 AUSR-02]', async () => {
  open()
  await screen.findByText('Ben Okafor')
  server.refuse(listAdminUsers, 'NotAllowed')
  press('Refresh')
  expect(await screen.findByText('Failed to load users')).toBeTruthy()
  expect(screen.getByText('Ben Okafor')).toBeTruthy()
})

test('an admin who deletes a person that is gone already reads so, and the card and its count are gone [ERR-26 AUSR-10]', async () => {
  server.on(deleteUser, ({ fail }) => {
    stored = stored.filter(({ id }) => id !== ben.id)
    return fail('UserNotFound')
  })
  open()
  await deleteBen()
  expect(await screen.findByText(adminErrors.UserNotFound.error)).toBeTruthy()
  expect(screen.queryByText('Ben Okafor')).toBeNull()
  const count = await screen.findByText('1 user')
  expect(document.activeElement?.contains(count)).toBe(true)
})
