import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { navigate } from 'wouter/use-browser-location'
import { listTodaysPosts } from '#contract/feed/review/endpoints.ts'
import { listOwnPosts } from '#contract/feed/review/endpoints.ts'
import { noStats } from '#web/testing/stats.ts'
import { listSessions } from '#contract/account/sessions/endpoints.ts'
import { listApiTokens } from '#contract/account/tokens/endpoints.ts'
import { getSettings } from '#contract/account/settings/endpoints.ts'
import { countAdminUsers, getStats, listAdminUsers } from '#contract/admin/endpoints.ts'
import { listBookmarks } from '#contract/bookmarks/endpoints.ts'
import { getCalendar } from '#contract/calendar/endpoints.ts'
import { getDiary, getDiaryEntry } from '#contract/diary/endpoints.ts'
import { listBlockedPeople, listFriends } from '#contract/friends/endpoints.ts'
import { listAcceptances, listInvitations } from '#contract/invitations/endpoints.ts'
import { listPendingPosts } from '#contract/feed/endpoints.ts'
import { getFeedDay, getLastFeedDay } from '#contract/feed/reading/endpoints.ts'
import {
  getRoom,
  listFinishedRooms,
  listOpenRooms,
  listSlowRooms,
  listPassages,
  listRooms,
} from '#contract/rooms/endpoints.ts'
import type { Room } from '#contract/rooms/room.ts'
import { getCurrentIssue } from '#contract/magazine/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { fakeSources } from '#web/lib/live/testing.ts'
import { Gate } from '#web/shell/Gate.tsx'
import { show, startTestPage } from '#web/testing/page.tsx'
import { admin, ana, guest, noSettings } from '#web/testing/people.ts'
import { noTurns } from '#web/testing/rooms.ts'
import { Pages } from './routes.tsx'

const server = startTestPage()
beforeEach(() => {
  for (const list of [getFeedDay, listPendingPosts, getDiary, getCalendar]) server.on(list, [])
  for (const list of [listRooms, listOpenRooms, listSlowRooms, listFinishedRooms]) server.on(list, [])
  server.on(getLastFeedDay, { day: null })
  server.on(getDiaryEntry, ({ params }) => ({ entry_date: params.day, content: '', updated_at: null }))
  server.on(listAdminUsers, [])
  server.on(countAdminUsers, { count: 0 })
  server.on(getSettings, noSettings)
  server.on(getStats, noStats)
  server.on(listTodaysPosts, [])
  server.on(getCurrentIssue, { url: null })
  server.on(listOwnPosts, [])
  server.on(listBookmarks, [])
  for (const list of [
    listFriends,
    listBlockedPeople,
    listInvitations,
    listAcceptances,
    listSessions,
    listApiTokens,
  ])
    server.on(list, [])
  fakeSources()
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
})

const application = (
  <Gate onboarding={<p>Onboarding</p>}>
    <Pages />
  </Gate>
)
const main = () => within(screen.getByRole('main'))
const heading = () => main().findByRole('heading', { level: 1 })
const titleOf = async () => (await heading()).textContent
const buttons = () =>
  main()
    .queryAllByRole('button')
    .map(({ textContent }) => textContent)

test.each([
  ['/', 'Feed'],
  ['/dashboard', 'Feed'],
  ['/diary', 'My Diary'],
  ['/projects', 'Z!mmers'],
  ['/projects/finished', 'Finished stories'],
  ['/users', 'People'],
  ['/zimmers', 'Z!mmer Profiles'],
  ['/zimmers?view=rooms', 'Z!mmers'],
  ['/calendar', 'Calendar'],
  ['/messages', 'Messages'],
  ['/search', 'Search'],
  ['/reports', 'Writing Reports'],
  ['/settings', 'Settings'],
  ['/read-later', 'Read later'],
  ['/admin-users', 'User Management'],
  ['/admin', 'Admin Panel'],
  ['/about', 'Z!mmer'],
  ['/verify', 'Verify a story'],
])(
  '%s shows the page %s in the frame, under one heading [SHELL-01 SHELL-02 SHELL-03 SHELL-04 SHELL-05 SHELL-06 SHELL-07 SHELL-08 SHELL-09 SHELL-10 SHELL-11 SHELL-12 SHELL-13 SHELL-19 SHELL-20]',
  async (at, title) => {
    show(application, { at, user: admin })
    expect((await heading()).textContent).toBe(title)
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1)
    expect(screen.getByRole('region', { name: 'Account' })).toBeTruthy()
    await waitFor(() => expect(document.title).toMatch(/^[^·]+ · Z!mmer$/))
    expect(landmarkNames()).toEqual([...new Set(landmarkNames())])
  },
)

const landmarkNames = () =>
  screen
    .getAllByRole('region')
    .map((part) => part.getAttribute('aria-label') ?? nameBy(part.getAttribute('aria-labelledby')))
const nameBy = (id: string | null) => document.getElementById(id ?? '')?.textContent

test('a visitor reads on the about page what Z!mmer is and how to write to support, and goes back to the feed [SHELL-13 SHELL-14 SHELL-23]', async () => {
  show(application, { at: '/about' })
  expect((await heading()).textContent).toBe('Z!mmer')
  expect(main().getByText(/a home for people who write/)).toBeTruthy()
  expect(main().getByText(/^Version 1\.0\.0/)).toBeTruthy()
  const contact = main().getByRole('link', { name: 'help@example.org' })
  expect(contact.getAttribute('href')).toBe('mailto:help@example.org')
  expect(main().getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/dashboard')
})

test.each(['/messages', '/admin'])(
  'a visitor at %s can sign in, and comes to the onboarding [SHELL-52 SHELL-53]',
  async (at) => {
    show(application, { at, user: null })
    fireEvent.click(await main().findByRole('button', { name: 'Sign In' }))
    expect(location.assign).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
  },
)

test.each([
  ['diary', '/diary', 'My Diary'],
  ['projects', '/projects', 'Z!mmers'],
  ['zimmers', '/zimmers', 'Z!mmer Profiles'],
  ['creator-profiles', '/zimmers', 'Z!mmer Profiles'],
  ['calendar', '/calendar', 'Calendar'],
  ['messages', '/messages', 'Messages'],
  ['reports', '/reports', 'Writing Reports'],
  ['settings', '/settings', 'Settings'],
  ['user-management', '/admin-users', 'Admins only'],
])('the tab %s opens %s [SHELL-22]', async (tab, path, title) => {
  show(application, { at: `/?tab=${tab}`, user: ana })
  await waitFor(() => expect(location.pathname).toBe(path))
  expect(await titleOf()).toBe(title)
})

test.each(['cellar', '', 'constructor', 'toString'])(
  'the unknown tab %j says welcome and leads to the pages of the sidebar [SHELL-18 SHELL-22 SHELL-23]',
  async (tab) => {
    show(application, { at: `/dashboard?tab=${tab}`, user: null })
    expect(await titleOf()).toBe('Welcome to Z!mmer')
    expect(
      main()
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(['/diary', '/calendar', '/dashboard', '/zimmers?view=rooms', '/zimmers', '/settings'])
  },
)

test.each([
  ['/messages', null],
  ['/messages', guest],
  ['/reports', null],
] as const)(
  '%s asks a person without an account to sign in, and sends no request [SHELL-87 SHELL-53]',
  async (path, user) => {
    show(application, { at: path, user })
    expect(document.title).toBe(`${await titleOf()} · Z!mmer`)
    expect(buttons()).toEqual(['Sign In'])
    expect(server.requests).toEqual([])
  },
)

test.each([
  ['/admin', null, ['Sign In']],
  ['/admin-users', null, ['Sign In']],
  ['/admin', guest, []],
  ['/admin', ana, []],
  ['/admin-users', ana, []],
] as const)(
  'a person who is no admin reads at %s that it is for admins only, and the page loads nothing [PERM-22 SHELL-87]',
  async (path, user, expected) => {
    show(application, { at: path, user })
    expect(await titleOf()).toBe('Admins only')
    expect(buttons()).toEqual(expected)
    expect(main().getByRole('link', { name: 'Back to the feed' }).getAttribute('href')).toBe('/dashboard')
    // The bell of the frame asks for its notifications.
    expect(server.requests.filter((line) => line !== 'GET /api/notifications')).toEqual([])
  },
)

test('a visitor can open the settings and choose a theme, and finds no account to delete there [SHELL-87 SHELL-10]', async () => {
  show(application, { at: '/settings', user: null })
  expect(await titleOf()).toBe('Settings')
  expect(within(main().getByRole('group', { name: 'Theme' })).getAllByRole('radio')).toHaveLength(3)
  expect(main().queryByRole('button', { name: 'Delete account' })).toBeNull()
})

const aStory: Room = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'The mill',
  description: 'By the river.',
  memberCount: 4,
  isActive: false,
  isPublic: true,
  duration: 30,
  ...noTurns,
  expiresAt: '2025-06-10T12:00:00.000Z',
  createdAt: '2025-06-10T11:30:00.000Z',
  createdByUserId: null,
  isMember: false,
}

test.each([
  ['an open room', { isActive: true }],
  ['a private story', { isPublic: false }],
  ['a private story of which they are a member', { isPublic: false, isMember: true }],
  ['a room that does not exist', null],
])(
  'a person who goes to the address of %s as if it were a public story sees the 404 page [PUB-03 SHELL-17]',
  async (_what, more) => {
    if (more === null) server.refuse(getRoom, 'RoomNotFound')
    else server.on(getRoom, { ...aStory, ...more })
    show(application, { at: '/about', user: ana })
    await heading()
    act(() => navigate(`/stories/${aStory.id}`))
    expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeTruthy()
    expect(document.title).toBe('404 Page Not Found · Z!mmer')
    expect(server.calls(listPassages)).toEqual([])
  },
)

test('a person reads a finished story at its address, also after the page has seen the room open [PUB-01]', async () => {
  server.on(getRoom, aStory)
  server.on(listPassages, [])
  const { client } = show(application, { at: '/about', user: ana })
  await heading()
  client.setQueryData<Room>(queryKeyOf(getRoom, { params: { id: aStory.id } }), { ...aStory, isActive: true })
  act(() => navigate(`/stories/${aStory.id}`))
  expect(screen.queryByRole('heading', { name: '404 Page Not Found' })).toBeNull()
  expect(await main().findByRole('heading', { name: 'The mill' })).toBeTruthy()
  expect(main().getByRole('link', { name: '← Back' }).getAttribute('href')).toBe('/projects/finished')
})
