import 'fake-indexeddb/auto'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { closeAbuseReport, listAbuseReports } from '#contract/abuse-reports/endpoints.ts'
import { accountErrors } from '#contract/account/errors.ts'
import {
  addModerator,
  listModeratedPeople,
  type ModeratedPerson,
  removeModerator,
} from '#contract/account/moderators/endpoints.ts'
import { getSuspension, suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { countAdminUsers, countWaiting, getStats, listAdminUsers } from '#contract/admin/endpoints.ts'
import { approvePost, approvePosts } from '#contract/feed/endpoints.ts'
import type { PendingPost } from '#contract/feed/post.ts'
import { listAdminPosts } from '#contract/feed/review/endpoints.ts'
import { done } from '#contract/schemas.ts'
import { aReport } from '#web/features/abuse-reports/testing.tsx'
import { forgetDraftsOf } from '#web/lib/editor/drafts.ts'
import { AdminOnly } from '#web/shell/AdminOnly.tsx'
import { Sidebar } from '#web/shell/Sidebar.tsx'
import { press, show } from '#web/testing/page.tsx'
import { admin, ana, moderator } from '#web/testing/people.ts'
import { ModerationPage } from './ModerationPage.tsx'
import { anAdminPost, fillQueue, queue, startAdminPage } from './testing.tsx'
import { UserManagementPage } from './UserManagementPage.tsx'

const server = startAdminPage()
const aPerson = (more: Partial<ModeratedPerson>): ModeratedPerson => ({
  id: 'h3m9w5zt8v',
  name: 'Ben Okafor',
  username: 'benny',
  isAdmin: false,
  isModerator: false,
  createdAt: ana.createdAt,
  suspension: null,
  ...more,
})
const suspension = { reason: 'Unkind.', until: null, hidesTexts: true }

beforeEach(() => forgetDraftsOf(moderator.id))

const open = (part = '') =>
  show(<ModerationPage />, { at: `/admin${part && `?part=${part}`}`, user: moderator })

test('a moderator finds Moderation in the sidebar, at the place of the Admin Panel, and the page asks for no numbers [INST-05]', async () => {
  show(<Sidebar />, { user: moderator })
  const region = within(await screen.findByRole('region', { name: 'MODERATION' }))
  expect(region.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Moderation', '/admin'],
  ])
  expect(server.calls(getStats)).toEqual([])
})

test.each([
  [{ posts: 3, reports: 1, signUps: 0 }, 'Moderation4(waiting: 3 posts and 1 report)'],
  [{ posts: 1, reports: 0, signUps: 0 }, 'Moderation1(waiting: 1 post)'],
  [{ posts: 0, reports: 120, signUps: 0 }, 'Moderation99+(waiting: 120 reports)'],
])('a moderator reads in the sidebar what waits: %j [INST-05 LOOP-31]', async (waiting, text) => {
  server.on(countWaiting, waiting)
  show(<Sidebar />, { user: moderator })
  await waitFor(() => expect(screen.getByRole('link', { name: /^Moderation/ }).textContent).toBe(text))
})

test('the number beside Moderation follows a decision of the moderator [INST-05]', async () => {
  fillQueue(1)
  let posts = 1
  server.on(countWaiting, () => ({ posts, reports: 0, signUps: 0 }))
  server.on(approvePosts, ({ input }) => {
    posts = 0
    return { approved: input.postIds }
  })
  show(
    <>
      <Sidebar />
      <ModerationPage />
    </>,
    { at: '/admin', user: moderator },
  )
  expect(await screen.findByRole('link', { name: /waiting: 1 post/ })).toBeTruthy()
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all' }))
  fireEvent.click(screen.getByRole('button', { name: 'Approve selected (1)' }))
  await waitFor(() =>
    expect(screen.getByRole('link', { name: /^Moderation/ }).textContent).toBe('Moderation'),
  )
})

test('a moderator opens the queue, all posts, the reports and the suspensions, and nothing else [INST-05]', async () => {
  fillQueue(1)
  server.on(listAdminPosts, [anAdminPost()])
  server.on(listAbuseReports, [aReport()])
  server.on(listModeratedPeople, [])
  open()
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Post Manager',
    'All Posts',
    'Reports',
    'Suspensions',
  ])
  expect(await screen.findByText('Author 1')).toBeTruthy()
  fireEvent.click(screen.getByRole('tab', { name: 'All Posts' }))
  expect(await screen.findByRole('button', { name: /^Hide with a reason/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Erase/ })).toBeNull()
  fireEvent.click(screen.getByRole('tab', { name: 'Reports' }))
  expect(await screen.findByRole('button', { name: /^Close report/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Erase/ })).toBeNull()
  fireEvent.click(screen.getByRole('tab', { name: 'Suspensions' }))
  expect(await screen.findByText('Nobody is suspended')).toBeTruthy()
  expect(server.calls(getStats)).toEqual([])
})

test('a moderator decides about no own post: the row and the whole text say that it waits for somebody else, and no key or selection takes it [INST-05]', async () => {
  fillQueue(2)
  const [own, other] = queue.posts as [PendingPost, PendingPost]
  queue.posts = [
    { ...own, authorId: moderator.id },
    { ...other, authorId: 'h3m9w5zt8v' },
  ]
  server.on(approvePosts, ({ input }) => ({ approved: input.postIds }))
  open()
  const row = (await screen.findByText('Author 1')).closest('li')!
  // As the number in the sidebar, the heading counts no own post.
  expect(screen.getByText('1 post is waiting')).toBeTruthy()
  const sentence = 'Your own post: an admin or another moderator decides about it.'
  expect(within(row).getByText(sentence)).toBeTruthy()
  expect(
    within(row)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Open the post of Author 1'])
  expect(within(row).getByRole<HTMLInputElement>('checkbox').disabled).toBe(true)
  within(row).getByRole('button').focus()
  for (const key of ['a', 's']) fireEvent.keyDown(document.activeElement!, { key })
  expect(screen.getByText('Author 1')).toBeTruthy()

  fireEvent.click(within(row).getByRole('button'))
  const dialog = within(await screen.findByRole('dialog', { name: 'Author 1' }))
  expect(dialog.getByText(sentence)).toBeTruthy()
  for (const name of ['Approve', 'Set aside', 'Erase'])
    expect(dialog.queryByRole('button', { name })).toBeNull()
  fireEvent.keyDown(document, { key: 'a' })
  expect(dialog.getByText(sentence)).toBeTruthy()
  fireEvent.keyDown(document, { key: 'j' })
  const next = within(await screen.findByRole('dialog', { name: 'Author 2' }))
  expect(next.getByRole('button', { name: 'Approve' })).toBeTruthy()
  expect(next.queryByRole('button', { name: 'Erase' })).toBeNull()
  fireEvent.click(next.getByRole('button', { name: 'Close' }))

  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all' }))
  fireEvent.click(screen.getByRole('button', { name: 'Approve selected (1)' }))
  await waitFor(() => expect(server.inputs(approvePosts)).toEqual([{ postIds: [other.id] }]))
  expect(server.calls(approvePost)).toEqual([])
})

test('in the list of all posts a moderator changes no own post, and an admin does [INST-05]', async () => {
  const post = anAdminPost({ authorId: moderator.id })
  fillQueue(0)
  server.on(listAdminPosts, [post])
  const { unmount } = open('all-posts')
  expect(await screen.findByText(/^Your own post/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Hide/ })).toBe(
    screen.getByRole('button', { name: 'Hide selected' }),
  )
  unmount()
  show(<ModerationPage />, { at: '/admin?part=all-posts', user: admin })
  expect(await screen.findByRole('button', { name: /^Hide with a reason/ })).toBeTruthy()
  expect(screen.queryByText(/^Your own post/)).toBeNull()
})

test.each(['instance', 'log', 'user-management', 'webhooks'])(
  'a moderator who opens the address of the part %s of the admin panel sees the queue [INST-05]',
  async (part) => {
    fillQueue(1)
    open(part)
    expect(await screen.findByText('Author 1')).toBeTruthy()
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Post Manager')
  },
)

test('a moderator sees their page at the address of the admin panel, an admin that panel, and a page without a part for moderators is for admins only [INST-05]', async () => {
  const page = <AdminOnly forModerators="for moderators">for admins</AdminOnly>
  for (const [user, text] of [
    [moderator, 'for moderators'],
    [admin, 'for admins'],
    [{ ...admin, isModerator: true }, 'for admins'],
  ] as const) {
    const { unmount } = show(page, { user })
    expect(document.body.textContent).toContain(text)
    unmount()
  }
  for (const [user, part] of [
    [ana, page],
    [moderator, <AdminOnly key="own">for admins</AdminOnly>],
  ] as const) {
    const { unmount } = show(part, { user })
    expect(await screen.findByText('This page is for admins.')).toBeTruthy()
    unmount()
  }
})

test('a moderator hides the reported post, and cannot choose to erase it [INST-05 INST-15]', async () => {
  server.on(listAbuseReports, [aReport()])
  server.on(closeAbuseReport, ({ params }) => ({ ...aReport(), id: params.id, status: 'closed' as const }))
  open('reports')
  fireEvent.click(await screen.findByRole('button', { name: /^Close report/ }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Close this report' }))
  await waitFor(() => expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Note/).readOnly).toBe(false))
  expect(dialog.queryByRole('radio', { name: /^Erase/ })).toBeNull()
  fireEvent.click(dialog.getByRole('radio', { name: /^Hide it/ }))
  fireEvent.click(dialog.getByRole('button', { name: 'Close report' }))
  await waitFor(() =>
    expect(server.inputs(closeAbuseReport)).toEqual([{ outcome: 'removed', note: '', removal: 'hide' }]),
  )
})

test('a moderator reads at the report of a passage that only an admin can remove it [INST-05]', async () => {
  const roomId = '01900000-0000-7000-8000-000000000077'
  server.on(listAbuseReports, [{ ...aReport(), kind: 'passage', roomId }])
  open('reports')
  fireEvent.click(await screen.findByRole('button', { name: /^Close report/ }))
  expect(await screen.findByText(/^Only an admin can remove this passage/)).toBeTruthy()
  expect(screen.queryByRole('radio', { name: /^Leave it/ })).toBeNull()
})

test('a moderator sees who is suspended, finds a person by name, and suspends them; admins and moderators have no such button [INST-05 INST-04]', async () => {
  const cleo = aPerson({ id: 'h3m9w5zt8w', name: 'Cleo Reed', suspension })
  const boss = aPerson({ id: 'c5x2n7qk4d', name: 'Vera Ode', isAdmin: true })
  const mod = aPerson({ id: 'c5x2n7qk4e', name: 'Mia Stone', isModerator: true })
  let ben = aPerson({})
  server.on(listModeratedPeople, ({ query }) => (query.isSuspended ? [cleo] : [ben, boss, mod]))
  server.on(getSuspension, null)
  server.on(suspendPerson, ({ input }) => {
    ben = { ...ben, suspension: input }
    return input
  })
  open('suspensions')
  const ofCleo = within((await screen.findByText('Cleo Reed')).closest('li')!)
  expect(ofCleo.getByText(/^Suspended/).textContent).toBe('Suspended for good · Texts are hidden')
  expect(ofCleo.getByRole('button', { name: 'Suspension of Cleo Reed' })).toBeTruthy()
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search people' }), { target: { value: ' e ' } })
  for (const name of ['Vera Ode', 'Mia Stone'])
    expect(within((await screen.findByText(name)).closest('li')!).queryByRole('button')).toBeNull()
  expect(screen.queryByText('Cleo Reed')).toBeNull()
  expect(screen.getByText('Moderator')).toBeTruthy()
  await waitFor(() =>
    expect(server.calls(listModeratedPeople).at(-1)!.query).toEqual({ limit: '60', q: 'e' }),
  )
  fireEvent.click(screen.getByRole('button', { name: 'Suspend Ben Okafor' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Suspend Ben Okafor' }))
  const reason = await dialog.findByLabelText<HTMLTextAreaElement>(/^Reason/)
  await waitFor(() => expect(reason.readOnly).toBe(false))
  fireEvent.change(reason, { target: { value: 'Unkind.' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Suspend' }))
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Suspend' }))
  expect(await screen.findByRole('button', { name: 'Suspension of Ben Okafor' })).toBeTruthy()
})

test('a moderator whose people cannot be loaded sees so, and can try again [INST-05 LOOP-10]', async () => {
  server.refuse(listModeratedPeople, 'NotAllowed')
  open('suspensions')
  expect(await screen.findByText('The people could not be loaded.')).toBeTruthy()
  server.on(listModeratedPeople, [])
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Nobody is suspended')).toBeTruthy()
})

test('an admin makes a person a moderator, who then has a badge, and takes the right away; each is asked first, and a refusal is said [INST-05]', async () => {
  let ben = { ...ana, id: 'h3m9w5zt8v', postCount: 0, commentCount: 0, suspension: null }
  server.on(listAdminUsers, () => [ben])
  server.on(countAdminUsers, { count: 1 })
  server.refuse(addModerator, 'DemoAccountStays')
  server.on(removeModerator, () => {
    ben = { ...ben, isModerator: false }
    return done
  })
  show(<UserManagementPage />, { at: '/admin-users', user: admin })
  const make = () => screen.findByRole('button', { name: 'Make Ana Lima a moderator' })
  fireEvent.click(await make())
  expect(await screen.findByText(/^Make Ana Lima a moderator\? .* at least 12 characters/)).toBeTruthy()
  press('Cancel')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.calls(addModerator)).toEqual([])
  fireEvent.click(await make())
  await screen.findByRole('alertdialog')
  press('Make a moderator')
  expect(await screen.findByText(accountErrors.DemoAccountStays.error)).toBeTruthy()
  server.on(addModerator, () => {
    ben = { ...ben, isModerator: true }
    return done
  })
  fireEvent.click(await make())
  await screen.findByRole('alertdialog')
  press('Make a moderator')
  expect(await screen.findByText('Moderator')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Take the right of a moderator from Ana Lima' }))
  await screen.findByRole('alertdialog')
  press('Take away')
  expect(await make()).toBeTruthy()
  expect(screen.queryByText('Moderator')).toBeNull()
  expect(server.calls(removeModerator)).toMatchObject([{ params: { id: ben.id } }])
})
