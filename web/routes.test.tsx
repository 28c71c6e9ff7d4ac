import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { keyOf } from '#web/lib/api.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { Pages } from './routes.tsx'

const ana = { id: 'k7q2m4xp3d', isAnonymous: false, isAdmin: false }
const fetching = vi.fn<(path: string) => Promise<Response>>()

beforeEach(() => {
  vi.stubGlobal('fetch', fetching)
  fetching.mockImplementation(async () => new Response('[]'))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  fetching.mockReset()
  history.replaceState(null, '', '/')
})

async function open(address: string, user: typeof ana | null) {
  history.replaceState(null, '', address)
  const client = createQueryClient()
  client.setQueryData(keyOf(getMe), user)
  render(
    <QueryClientProvider client={client}>
      <AlertsProvider>
        <Suspense>
          <Pages />
        </Suspense>
      </AlertsProvider>
    </QueryClientProvider>,
  )
  return (await screen.findByRole('heading', { level: 1 })).textContent
}

const guest = { ...ana, isAnonymous: true }
const buttons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)

test.each([
  ['diary', '/diary', 'Diary'],
  ['projects', '/projects', 'Projects'],
  ['zimmers', '/zimmers', 'Z!mmer Profiles'],
  ['creator-profiles', '/zimmers', 'Z!mmer Profiles'],
  ['calendar', '/calendar', 'Calendar'],
  ['messages', '/messages', 'Messages'],
  ['reports', '/reports', 'Writing Reports'],
  ['settings', '/settings', 'Settings'],
  ['user-management', '/admin-users', 'Admins only'],
])('the tab %s opens %s [SHELL-22]', async (tab, path, title) => {
  await open(`/?tab=${tab}`, ana)
  await waitFor(() => expect(location.pathname).toBe(path))
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(title)
})

test.each(['cellar', '', 'constructor', 'toString'])(
  'the unknown tab %j says welcome and leads to the pages of the sidebar [SHELL-18 SHELL-22 SHELL-23]',
  async (tab) => {
    expect(await open(`/dashboard?tab=${tab}`, null)).toBe('Welcome to Z!mmer')
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/diary',
      '/calendar',
      '/dashboard',
      '/zimmers?view=rooms',
      '/zimmers',
      '/settings',
    ])
  },
)

test.each([
  ['/messages', null],
  ['/messages', guest],
  ['/reports', null],
  ['/reports', guest],
] as const)(
  '%s asks those without an account to sign in, and asks the server nothing [SHELL-87 SHELL-53]',
  async (path, user) => {
    const title = await open(path, user)
    expect(document.title).toBe(`${title} · Z!mmer`)
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
    expect(await open(path, user)).toBe('Admins only')
    expect(buttons()).toEqual(expected)
    expect(screen.getByRole('link', { name: 'Back to the feed' }).getAttribute('href')).toBe('/dashboard')
    expect(fetching).not.toHaveBeenCalled()
  },
)

test('a visitor can open the settings and choose a theme, and finds no account to delete there [SHELL-87 SHELL-10]', async () => {
  expect(await open('/settings', null)).toBe('Settings')
  expect(screen.getAllByRole('radio')).toHaveLength(3)
  expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull()
})
