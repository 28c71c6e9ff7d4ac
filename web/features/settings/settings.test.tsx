import 'fake-indexeddb/auto'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { getSettings } from '#contract/account/settings.ts'
import type { User } from '#contract/account/user.ts'
import { keyOf } from '#web/lib/api.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { ToastsProvider } from '#web/ui/toasts.tsx'
import { SettingsPage } from './SettingsPage.tsx'

// Loaded before the clock is stopped.
await import('#web/lib/editor/drafts.ts')

const ana: User = {
  id: 'k7q2m4xp3d',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: 'Lima',
  username: 'ana',
  isAnonymous: false,
  anonymousId: null,
  isAdmin: false,
  createdAt: '2025-06-10T12:00:00.000Z',
}
const led = vi.fn<(url: string) => void>()
const fetching = vi.fn<typeof fetch>()
const calls = () => fetching.mock.calls.map(([path, init]) => [path, init?.body])
/** The storage of this browser goes by its own time, in turns of the real clock. */
const realTimeout = setTimeout
async function settled() {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => realTimeout(resolve))
}
const pass = (ms: number) =>
  act(async () => {
    await settled()
    await vi.advanceTimersByTimeAsync(ms)
    await settled()
  })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.spyOn(location, 'assign').mockImplementation((url) => led(String(url)))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', fetching)
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const fake of [led, fetching]) fake.mockReset()
  localStorage.clear()
  for (const name of ['theme', 'readingSize']) delete document.documentElement.dataset[name]
})

async function openSettings(user: User | null) {
  const client = createQueryClient()
  client.setQueryData<User | null>(keyOf(getMe), user)
  client.setQueryData(keyOf(getSettings), { showName: false, presence: true })
  render(
    <QueryClientProvider client={client}>
      <AlertsProvider>
        <ToastsProvider>
          <SettingsPage />
        </ToastsProvider>
      </AlertsProvider>
    </QueryClientProvider>,
  )
  await pass(0)
}
async function press(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(0)
}
/** Presses 'Delete account', and 'Delete' of the question that follows. */
async function deleteAccount() {
  await press('Delete account')
  await press('Delete')
  await pass(0)
}

test.each([
  ['a visitor', null],
  ['a guest', { ...ana, isAnonymous: true }],
] as const)('%s is offered no deletion among the settings [ACC-27]', async (_who, user) => {
  await openSettings(user)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings')
  expect(screen.queryByRole('button', { name: 'Delete account' })).toBeNull()
})

test('a registered person deletes the account after a question [ACC-27 ACC-24 ACC-25]', async () => {
  fetching.mockImplementation(async () => new Response('{"ok":true}'))
  await openSettings(ana)
  await press('Delete account')
  expect(screen.getByRole('alertdialog').textContent).toContain(
    'Are you sure you want to delete your account? This action cannot be undone.',
  )
  await press('Cancel')
  expect(calls()).toEqual([])
  expect(led).not.toHaveBeenCalled()

  await deleteAccount()
  expect(calls()).toEqual([['/api/delete-account', undefined]])
  expect(led).toHaveBeenCalledExactlyOnceWith('/')
})

test('after an old sign-in the passcode is asked for first, and proves who it is [ACC-27]', async () => {
  fetching.mockImplementationOnce(
    async () =>
      new Response('{"code":"SignInAgainToDeleteAccount","error":"Sign in again."}', { status: 403 }),
  )
  fetching.mockImplementation(async () => new Response('{"ok":true}'))
  await openSettings(ana)
  expect(screen.queryByLabelText('Passcode')).toBeNull()
  await deleteAccount()
  expect(led).not.toHaveBeenCalled()

  fireEvent.change(screen.getByLabelText('Passcode'), {
    target: { value: 'secret1' },
  })
  await deleteAccount()
  expect(calls().slice(1)).toEqual([
    ['/api/login', '{"email":"ana@example.org","password":"secret1"}'],
    ['/api/delete-account', undefined],
  ])
  expect(led).toHaveBeenCalledExactlyOnceWith('/')
})

test('a wrong passcode deletes nothing, and stays to be corrected [ACC-27 ERR-11]', async () => {
  fetching.mockImplementationOnce(
    async () =>
      new Response('{"code":"SignInAgainToDeleteAccount","error":"Sign in again."}', { status: 403 }),
  )
  fetching.mockImplementation(
    async () =>
      new Response('{"code":"WrongCredentials","error":"Wrong passcode."}', {
        status: 401,
      }),
  )
  await openSettings(ana)
  await deleteAccount()
  fireEvent.change(screen.getByLabelText('Passcode'), {
    target: { value: 'secret2' },
  })
  await deleteAccount()
  expect(screen.getByText('Wrong passcode.')).toBeTruthy()
  expect(calls().map(([path]) => path)).toEqual(['/api/delete-account', '/api/login'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(led).not.toHaveBeenCalled()
})

test('the theme is chosen among the settings, by everybody', async () => {
  await openSettings(null)
  fireEvent.click(screen.getByRole('radio', { name: 'Night' }))
  expect(document.documentElement.dataset['theme']).toBe('night')
  expect(localStorage.getItem('theme')).toBe('night')
})

test('the size of long texts is chosen among the settings, and kept for the next visit', async () => {
  await openSettings(null)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Medium' }).checked).toBe(true)
  fireEvent.click(screen.getByRole('radio', { name: 'Large' }))
  await pass(0)
  expect(document.documentElement.dataset['readingSize']).toBe('large')
  expect(localStorage.getItem('reading-size')).toBe('large')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Large' }).checked).toBe(true)
})

test('the settings have their parts, and say which version this is [SET-01 SET-05 SET-10 SET-16]', async () => {
  await openSettings(null)
  for (const name of ['Readability calculator', 'Premium publishing $5/month', 'Rating and feedback']) {
    expect(screen.getByRole('region', { name })).toBeTruthy()
  }
  expect(screen.getByText('Version 1.0.0')).toBeTruthy()
})

test('the premium box says what it brings, and that payment is not available yet; nothing is sent [SET-05 SET-06 SET-07]', async () => {
  await openSettings(ana)
  const box = within(screen.getByRole('region', { name: 'Premium publishing $5/month' }))
  expect(box.getAllByRole('listitem').length).toBeGreaterThan(0)
  vi.useRealTimers()
  fireEvent.click(box.getByRole('button'))
  expect(await screen.findByText('Payment is not available yet. Nothing was charged.')).toBeTruthy()
  expect(calls()).toEqual([])
})
