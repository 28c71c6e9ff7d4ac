import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Gate } from '#web/shell/Gate.tsx'
import { admin, ana, guest, show, startFakes } from '#web/shell/testing.tsx'
import { Pages } from './routes.tsx'

const { led, fetching } = startFakes()

const house = (
  <Gate onboarding={<p>The door</p>}>
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
  ['/users', 'People'],
  ['/zimmers', 'Z!mmer Profiles'],
  ['/zimmers?view=rooms', 'Z!mmers'],
  ['/calendar', 'Calendar'],
  ['/messages', 'Messages'],
  ['/reports', 'Writing Reports'],
  ['/settings', 'Settings'],
  ['/admin-users', 'User Management'],
  ['/admin', 'Admin Panel'],
  ['/about', 'Z!mmer'],
])(
  '%s shows the page %s in the frame, under one heading [SHELL-01 SHELL-02 SHELL-03 SHELL-04 SHELL-05 SHELL-06 SHELL-07 SHELL-08 SHELL-09 SHELL-10 SHELL-11 SHELL-12 SHELL-13 SHELL-19 SHELL-20]',
  async (at, title) => {
    show(house, { at, user: admin })
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

test('the about page says what this is and how to write to us, and leads back to the feed [SHELL-13 SHELL-14 SHELL-23]', async () => {
  show(house, { at: '/about' })
  expect((await heading()).textContent).toBe('Z!mmer')
  expect(main().getByText(/a house of rooms for people who write/)).toBeTruthy()
  expect(main().getByText(/^Version 1\.0\.0/)).toBeTruthy()
  const contact = main().getByRole('link', { name: 'help@example.org' })
  expect(contact.getAttribute('href')).toBe('mailto:help@example.org')
  expect(main().getByRole('link', { name: 'Back' }).getAttribute('href')).toBe('/dashboard')
})

test.each(['/messages', '/admin'])(
  'a visitor at %s is asked in, and comes to the door [SHELL-52 SHELL-53]',
  async (at) => {
    show(house, { at, user: null })
    fireEvent.click(await main().findByRole('button', { name: 'Sign In' }))
    expect(led).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
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
  show(house, { at: `/?tab=${tab}`, user: ana })
  await waitFor(() => expect(location.pathname).toBe(path))
  expect(await titleOf()).toBe(title)
})

test.each(['cellar', '', 'constructor', 'toString'])(
  'the unknown tab %j says welcome and leads to the pages of the sidebar [SHELL-18 SHELL-22 SHELL-23]',
  async (tab) => {
    show(house, { at: `/dashboard?tab=${tab}`, user: null })
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
  '%s asks those without an account to sign in, and asks the server nothing [SHELL-87 SHELL-53]',
  async (path, user) => {
    show(house, { at: path, user })
    expect(document.title).toBe(`${await titleOf()} · Z!mmer`)
    expect(buttons()).toEqual(['Sign In'])
    expect(fetching).not.toHaveBeenCalled()
  },
)

test.each([
  ['/admin', null, ['Sign In']],
  ['/admin-users', null, ['Sign In']],
  ['/admin', guest, []],
  ['/admin', ana, []],
  ['/admin-users', ana, []],
] as const)(
  '%s says to those who are not admins that it is for admins only, and loads nothing [PERM-22 SHELL-87]',
  async (path, user, expected) => {
    show(house, { at: path, user })
    expect(await titleOf()).toBe('Admins only')
    expect(buttons()).toEqual(expected)
    expect(main().getByRole('link', { name: 'Back to the feed' }).getAttribute('href')).toBe('/dashboard')
    expect(fetching).not.toHaveBeenCalled()
  },
)

test('a visitor can open the settings and choose a theme, and finds no account to delete there [SHELL-87 SHELL-10]', async () => {
  show(house, { at: '/settings', user: null })
  expect(await titleOf()).toBe('Settings')
  expect(within(main().getByRole('group', { name: 'Theme' })).getAllByRole('radio')).toHaveLength(3)
  expect(main().queryByRole('button', { name: 'Delete account' })).toBeNull()
})
