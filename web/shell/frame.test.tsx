import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Route } from 'wouter'
import { countWaiting } from '#contract/admin/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { setUnreadCount, usePageTitle } from '#web/lib/page-title.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { admin, ana, guest } from '#web/testing/people.ts'
import { Frame } from './Frame.tsx'

const server = startTestPage()

const page = <Frame>The page</Frame>
const bar = () => within(screen.getByRole('region', { name: 'Account' }))
const sidebar = () => within(screen.getByRole('complementary'))
const linksOf = (part: Pick<typeof screen, 'getAllByRole'>) =>
  part.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])

test.each<[string, Partial<User>]>([
  ['Ana Lima', {}],
  ['Ana', { lastName: null }],
  ['ana@example.org', { firstName: null, lastName: null }],
  ['User k7q2m4xp3d', { firstName: null, lastName: null, email: null }],
  ['guestab12', guest],
])(
  'a person reads their name in the bottom bar: %s [SHELL-43 ACC-03 ACC-04 ACC-05 ACC-06 ACC-07]',
  (name, person) => {
    show(page, { user: { ...ana, ...person } })
    expect(bar().getByText(/^Logged in as/).textContent).toBe(`Logged in as ${name}`)
  },
)

test.each<[string, User | null, string[]]>([
  ['a registered person', ana, ['Change Password', 'Log Out']],
  ['a guest', guest, ['Sign Up', 'Delete']],
  ['a visitor', null, ['Sign Up', 'Sign In']],
])(
  '%s finds these actions in the bottom bar, and no others [SHELL-44 SHELL-45 SHELL-46 SHELL-47 SHELL-49 SHELL-53 PERM-04 PERM-05 PERM-06]',
  async (_who, user, actions) => {
    show(page, { user })
    // The actions of a person are a part that is fetched.
    await bar().findByRole('button', { name: actions.at(-1)! })
    expect(
      bar()
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(actions)
    expect(linksOf(bar())).toEqual([
      ['Contact', expect.stringMatching(/^mailto:help@example\.org\?body=/)],
      ['Info', '/about'],
    ])
  },
)

test.each<[string, User | null, string]>([
  ['a visitor', null, 'Login'],
  ['a visitor', null, 'Sign Up'],
  ['a visitor', null, 'Sign In'],
  ['a guest', guest, 'Login'],
  ['a guest', guest, 'Sign Up'],
])('%s comes to the onboarding by %s, and browsing ends [SHELL-52 SHELL-53 SHELL-86]', (_who, user, name) => {
  show(page, { user })
  localStorage.setItem('onboardingCompleted', 'true')
  sessionStorage.setItem('browsing', 'true')
  fireEvent.click(screen.getByRole('button', { name }))
  expect(localStorage.getItem('onboardingCompleted')).toBeNull()
  expect(sessionStorage.getItem('browsing')).toBeNull()
  expect(location.assign).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
})

test('a registered person sees no button to sign in [SHELL-53]', () => {
  show(page, { user: ana })
  expect(screen.queryByRole('button', { name: /^(Login|Sign In|Sign Up)$/ })).toBeNull()
})

const entries = [
  ['Diary', '/diary'],
  ['Calendar', '/calendar'],
  ['Home', '/dashboard'],
  ['Z!mmers', '/zimmers?view=rooms'],
  ['Z!mmer Profiles', '/zimmers'],
  ['Settings', '/settings'],
]

test.each<[string, User | null]>([
  ['a registered person', ana],
  ['a guest', guest],
  ['a visitor', null],
])(
  '%s finds every part of the application in the sidebar, and nothing for admins [SHELL-31 SHELL-32 SHELL-33 SHELL-34 SHELL-35 SHELL-36 SHELL-37 SHELL-42]',
  (_who, user) => {
    show(page, { user })
    expect(linksOf(sidebar())).toEqual(entries)
    expect(screen.queryByText('ADMIN')).toBeNull()
  },
)

test('an admin reads beside the Admin Panel how many posts, reports and sign-ups wait [LOOP-31 INST-02]', async () => {
  server.on(countWaiting, { posts: 3, reports: 1, signUps: 2 })
  show(page, { user: admin })
  const waiting = /^Admin Panel6\(waiting: 3 posts, 1 report, and 2 sign-ups\)$/
  expect((await screen.findByRole('link', { name: /^Admin Panel.*waiting/ })).textContent).toMatch(waiting)
})

test('an admin finds two more entries, under ADMIN [SHELL-39 SHELL-40 SHELL-41]', async () => {
  show(page, { user: admin })
  const section = within(await sidebar().findByRole('region', { name: 'ADMIN' }))
  expect(section.getByRole('heading').textContent).toBe('ADMIN')
  expect(linksOf(section)).toEqual([
    ['Admin Panel', '/admin'],
    ['User Management', '/admin-users'],
  ])
  expect(linksOf(sidebar())).toHaveLength(entries.length + 2)
})

test.each([
  ['/', 'Home'],
  ['/dashboard?day=2', 'Home'],
  ['/diary', 'Diary'],
  ['/zimmers', 'Z!mmer Profiles'],
  ['/zimmers?view=rooms', 'Z!mmers'],
])('at %s the sidebar marks %s as the page that is open [SHELL-37]', (at, label) => {
  show(page, { at, user: ana })
  const current = sidebar().getAllByRole('link', { current: 'page' })
  expect(current.map(({ textContent }) => textContent)).toEqual([label])
})

test('a person collapses and expands the sidebar; its links keep their names, and the choice is kept [SHELL-30]', () => {
  const first = show(page, { user: ana })
  const collapse = sidebar().getByRole('button', { name: 'Collapse sidebar' })
  expect(collapse.getAttribute('aria-expanded')).toBe('true')
  fireEvent.click(collapse)
  expect(linksOf(sidebar())).toEqual(entries)
  first.unmount()

  show(page, { user: ana })
  const expand = sidebar().getByRole('button', { name: 'Expand sidebar' })
  expect(expand.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(expand)
  expect(sidebar().getByRole('button', { name: 'Collapse sidebar' })).toBeTruthy()
  expect(localStorage.getItem('sidebar')).toBe('expanded')
})

test('the header links to the feed, the messages, the reports and the people [SHELL-25 SHELL-26 SHELL-38]', () => {
  show(page, { user: ana })
  const header = within(screen.getByRole('banner'))
  expect(header.getByRole('link', { name: 'Z!mmer' }).getAttribute('href')).toBe('/dashboard')
  expect(linksOf(within(header.getByRole('navigation', { name: 'More pages' })))).toEqual([
    ['Messages', '/messages'],
    ['Reports', '/reports'],
    ['People', '/users'],
  ])
})

test.each([
  ['Z!mmer', '© 2025 Z!mmer'],
  ['Rua Press', 'Z!mmer · © 2025 Rua Press'],
])('the footer shows the company %s and the year 2025 [SHELL-50 SHELL-51 SHELL-26]', (companyName, text) => {
  show(page, { user: ana, settings: { companyName } })
  expect(screen.getByRole('contentinfo').textContent).toBe(text)
})

test('the menu of a phone shows the links of sidebar and header, and closes when a person chooses one [SHELL-38 SHELL-39]', async () => {
  show(page, { user: admin })
  fireEvent.click(screen.getByRole('button', { name: 'Menu' }))
  const menu = within(await screen.findByRole('dialog', { name: 'Menu' }))
  await menu.findByRole('link', { name: 'Admin Panel' })
  expect(linksOf(menu).map(([label]) => label)).toEqual([
    ...entries.map(([label]) => label),
    'Admin Panel',
    'User Management',
    'Your writing',
    'Read later',
    'Messages',
    'Reports',
    'People',
  ])
  fireEvent.click(menu.getByRole('link', { name: 'Diary' }))
  expect(location.pathname).toBe('/diary')
  expect(screen.queryByRole('dialog')).toBeNull()
})

const thumbBar = () => within(screen.getByRole('navigation', { name: 'Often used' }))

test.each<[string, string, User | null]>([
  ['a registered person', 'Messages', ana],
  ['a guest', 'Creators', guest],
  ['a visitor', 'Creators', null],
])(
  '%s finds five pages in the thumb bar of a phone, and the last one is %s [LOOP-28]',
  (_who, last, user) => {
    show(page, { user, at: '/zimmers?view=rooms' })
    expect(linksOf(thumbBar()).map(([name]) => name)).toEqual(['Feed', 'Diary', 'Write', 'Rooms', last])
    const current = thumbBar().getAllByRole('link', { current: 'page' })
    expect(current.map(({ textContent }) => textContent)).toEqual(['Rooms'])
  },
)

test.each<[string, User | null, string[], string[]]>([
  ['a registered person', ana, ['Change Password', 'Log Out'], ['Your writing', 'Read later', 'Settings']],
  ['a guest', guest, ['Sign Up', 'Delete'], []],
  ['a visitor', null, ['Sign Up', 'Sign In'], []],
])(
  '%s opens these actions from the avatar of a phone, and no others [LOOP-28 SHELL-43 SHELL-44 SHELL-45 SHELL-46 SHELL-47 SHELL-49 SHELL-53]',
  async (_who, user, actions, ownPages) => {
    show(page, { user })
    fireEvent.click(screen.getByRole('button', { name: 'Account' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Account' }))
    expect(sheet.getByText(/^Logged in as/)).toBeTruthy()
    const buttons = sheet.getAllByRole('button').map(({ textContent }) => textContent)
    expect(buttons.filter((text) => text !== '')).toEqual(actions)
    expect(linksOf(sheet).map(([label]) => label)).toEqual([...ownPages, 'Contact', 'Info'])
  },
)

test.each([
  ['Your writing', '/writing'],
  ['Read later', '/read-later'],
])(
  'a person comes to %s from the avatar of a phone, and the sheet closes [LOOP-28 LOOP-06 LOOP-17]',
  async (name, path) => {
    show(page, { user: ana })
    fireEvent.click(screen.getByRole('button', { name: 'Account' }))
    fireEvent.click(await screen.findByRole('link', { name }))
    expect(location.pathname).toBe(path)
    expect(screen.queryByRole('dialog')).toBeNull()
  },
)

test('a person comes to the page to write on from any page by Write in the thumb bar, or by the keys g and w [LOOP-28]', () => {
  show(page, { user: ana, at: '/settings' })
  fireEvent.click(thumbBar().getByRole('link', { name: 'Write' }))
  expect(location.pathname).toBe('/write')
  act(() => history.pushState(null, '', '/settings'))
  for (const key of ['g', 'w']) fireEvent.keyDown(document.body, { key })
  expect(location.pathname).toBe('/write')
})

test('a person who writes in a draft sees Write marked in the thumb bar [LOOP-28]', () => {
  show(page, { user: ana, at: '/write/01900000-0000-7000-8000-000000000001' })
  const current = thumbBar().getAllByRole('link', { current: 'page' })
  expect(current.map(({ textContent }) => textContent)).toEqual(['Write'])
})

test('a person with a keyboard skips to the page, and every landmark has its own name', () => {
  show(page, { user: admin })
  expect(screen.getAllByRole('link')[0]?.getAttribute('href')).toBe('#main')
  expect(screen.getByRole('main').id).toBe('main')
  const names = ['navigation', 'region', 'search'].flatMap((role) =>
    screen.queryAllByRole(role).map((landmark) => `${role} ${landmark.getAttribute('aria-label')}`),
  )
  expect(names).toEqual([...new Set(names)])
})

test('a person who opens another page has the focus on its heading and a live region names it, but not at the first load', async () => {
  const pages = (
    <Frame>
      <Route path="/diary">
        <APage name="My Diary" />
      </Route>
      <Route path="/settings">
        <APage name="Settings" />
      </Route>
    </Frame>
  )
  show(pages, { at: '/diary', user: ana })
  const region = document.querySelector('main [aria-live]')!
  expect(document.activeElement).toBe(document.body)
  expect(region.textContent).toBe('')
  const link = sidebar().getByRole('link', { name: 'Settings' })
  link.focus()
  fireEvent.click(link)
  expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Settings' }))
  expect(region.textContent).toBe('Settings')
})

function APage({ name }: { name: string }) {
  usePageTitle(name)
  return <h1>{name}</h1>
}

test('the number of unread messages stands beside the link to the messages, and at the menu and the thumb bar of a phone [PPL-08 LOOP-28]', () => {
  show(page, { user: ana })
  const header = within(screen.getByRole('banner'))
  expect(header.getByRole('link', { name: 'Messages' })).toBeTruthy()
  act(() => setUnreadCount(120))
  expect(header.getByRole('link', { name: /^Messages ?\(120 unread\)$/ }).textContent).toContain('99+')
  expect(header.getByRole('button', { name: 'Menu, 120 unread' })).toBeTruthy()
  expect(thumbBar().getByRole('link', { name: /^Messages ?\(120 unread\)$/ })).toBeTruthy()
  act(() => setUnreadCount(0))
  expect(header.getByRole('button', { name: 'Menu' })).toBeTruthy()
})
