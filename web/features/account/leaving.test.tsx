import 'fake-indexeddb/auto'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, renderHook, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { keyOf } from '#web/lib/api.ts'
import { forgetDraftsOf, hasDrafts, keepDraft } from '#web/lib/editor/drafts.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { writeKey } from '#web/lib/session-storage.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { useLeaving } from './leaving.ts'

const ana = { id: 'k7q2m4xp3d', isAnonymous: false, isAdmin: false }
const led = vi.fn<(url: string) => void>()
const fetching = vi.fn<typeof fetch>()
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
let client = createQueryClient()

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.spyOn(location, 'assign').mockImplementation((url) => led(String(url)))
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.stubGlobal('fetch', fetching)
  fetching.mockImplementation(async () => new Response('{"ok":true}'))
  client = createQueryClient()
  client.setQueryData(keyOf(getMe), ana)
  client.setQueryData(keyOf(getConfig), {})
  for (const key of ['lastUserEmail', 'userId', 'onboardingCompleted', 'guestDeviceId'] as const)
    writeKey(key, 'true')
  writeKey('guestId', 'g1')
  for (const key of [`diary:${ana.id}:2025-06-10`, `notes:${ana.id}`, 'diary:g1', 'diary:somebody', 'theme'])
    localStorage.setItem(key, 'A line.')
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  for (const fake of [led, fetching]) fake.mockReset()
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(async () => {
  for (const owner of [ana.id, 'somebody']) await forgetDraftsOf(owner)
})

function meet() {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <AlertsProvider>{children}</AlertsProvider>
    </QueryClientProvider>
  )
  return renderHook(useLeaving, { wrapper }).result
}

/** Starts an action of the hook; its end comes later. */
async function begin(action: () => Promise<void>) {
  let ended: Promise<unknown> | undefined
  await act(async () => {
    ended = action().catch((error: unknown) => error)
    await settled()
    await vi.advanceTimersByTimeAsync(10)
  })
  return { ended }
}
const kept = () => Object.keys(localStorage).sort()
const all = [
  'diary:g1',
  `diary:${ana.id}:2025-06-10`,
  'diary:somebody',
  'guestDeviceId',
  'guestId',
  'lastUserEmail',
  `notes:${ana.id}`,
  'onboardingCompleted',
  'theme',
  'userId',
].sort()
const afterLeaving = ['diary:somebody', 'lastUserEmail', 'theme']

const type = (owner: string) => keepDraft([owner, 'diary/2025-06-10', 'a tab'], { text: 'Typed', base: null })

function expectNothingForgotten() {
  expect(kept()).toEqual(all)
  expect(client.getQueryData(keyOf(getMe))).toEqual(ana)
  expect(client.getQueryData(keyOf(getConfig))).toEqual({})
  expect(led).not.toHaveBeenCalled()
}
function expectAllForgotten() {
  expect(kept()).toEqual(afterLeaving)
  expect(client.getQueryData(keyOf(getMe))).toBeNull()
  expect(client.getQueryData(keyOf(getConfig))).toBeUndefined()
}

test('signing out asks the server, forgets the person, and leads to the door 100 ms later [ACC-16 ACC-17 ACC-18 ACC-19 ACC-22 ACC-23]', async () => {
  const leaving = meet()
  let answer: (response: Response) => void = () => {}
  fetching.mockImplementation(() => new Promise((resolve) => void (answer = resolve)))
  await begin(leaving.current.signOut)
  expect(fetching).toHaveBeenCalledExactlyOnceWith('/api/logout', expect.objectContaining({ method: 'POST' }))
  expectNothingForgotten()

  answer(new Response('{"ok":true}'))
  await pass(0)
  expectAllForgotten()
  await pass(90)
  expect(led).not.toHaveBeenCalled()
  await pass(10)
  expect(led).toHaveBeenCalledExactlyOnceWith('/?onboarding=true')
})

test('the way out opens again 500 ms after it was taken [ACC-20]', async () => {
  const leaving = meet()
  fetching.mockImplementation(async () => new Response('{}', { status: 403 }))
  await begin(leaving.current.signOut)
  expect(leaving.current.isSigningOut).toBe(true)
  await pass(480)
  expect(leaving.current.isSigningOut).toBe(true)
  await pass(20)
  expect(leaving.current.isSigningOut).toBe(false)
})

test('a sign-out that failed is written down, and nothing is forgotten [ERR-07 ERR-11 SHELL-91]', async () => {
  const leaving = meet()
  fetching.mockRejectedValue(new TypeError('Failed to fetch'))
  await begin(leaving.current.signOut)
  await pass(60_000)
  expect(console.error).toHaveBeenCalledExactlyOnceWith('Logout failed', expect.any(TypeError))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(leaving.current.hasSignOutFailed).toBe(true)
  expectNothingForgotten()
})

test('logging out forgets the person first and lets the browser go to the server [ACC-21 ACC-22 ACC-23]', async () => {
  const leaving = meet()
  led.mockImplementation(expectAllForgotten)
  await begin(leaving.current.logOut)
  expect(led).toHaveBeenCalledExactlyOnceWith('/api/logout')
  expect(fetching).not.toHaveBeenCalled()
})

test.each([
  ['signOut', '/?onboarding=true', 'Sign out anyway'],
  ['logOut', '/api/logout', 'Log out anyway'],
] as const)(
  'text that is not saved yet is asked about before %s throws it away [ACC-23]',
  async (way, url, verb) => {
    await type(ana.id)
    await type('somebody')
    const leaving = meet()
    await begin(leaving.current[way])
    expect(screen.getByRole('alertdialog').textContent).toContain('Some of your text is not saved yet')
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await pass(1000)
    expectNothingForgotten()
    expect(fetching).not.toHaveBeenCalled()

    await begin(leaving.current[way])
    fireEvent.click(screen.getByRole('button', { name: verb }))
    await pass(1000)
    expectAllForgotten()
    expect(led).toHaveBeenCalledExactlyOnceWith(url)
    expect(await hasDrafts(ana.id)).toBe(false)
    expect(await hasDrafts('somebody')).toBe(true)
  },
)

test('an entry of a competition is asked about too, and ends with the session in this tab [ACC-23 S48]', async () => {
  for (const owner of [ana.id, 'g1', 'somebody'])
    sessionStorage.setItem(`competition-entry:${owner}:2025-06`, '{}')
  const leaving = meet()
  await begin(leaving.current.signOut)
  fireEvent.click(screen.getByRole('button', { name: 'Sign out anyway' }))
  await pass(1000)
  expectAllForgotten()
  expect(Object.keys(sessionStorage)).toEqual(['competition-entry:somebody:2025-06'])
})

const question = 'Are you sure you want to delete your account? This action cannot be undone.'

test('deleting the account asks first, and only Delete deletes [ACC-24 ACC-25 ACC-23]', async () => {
  const leaving = meet()
  await begin(leaving.current.removeAccount)
  expect(screen.getByRole('alertdialog').textContent).toContain(question)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await pass(10)
  expect(fetching).not.toHaveBeenCalled()
  expectNothingForgotten()

  await begin(leaving.current.removeAccount)
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await pass(10)
  expect(fetching).toHaveBeenCalledExactlyOnceWith(
    '/api/delete-account',
    expect.objectContaining({ method: 'DELETE' }),
  )
  expectAllForgotten()
  expect(led).toHaveBeenCalledExactlyOnceWith('/')
})

test('text that is not saved yet is asked about before the account goes [ACC-23]', async () => {
  await type(ana.id)
  const leaving = meet()
  await begin(leaving.current.removeAccount)
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await pass(10)
  expect(screen.getByRole('alertdialog').textContent).toContain('Some of your text is not saved yet')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await pass(10)
  expect(fetching).not.toHaveBeenCalled()
  expectNothingForgotten()
  expect(await hasDrafts(ana.id)).toBe(true)
})

test('a deletion that failed is written down, and nothing is forgotten [ERR-11]', async () => {
  const leaving = meet()
  fetching.mockImplementation(async () => new Response('{"code":"AdminStays"}', { status: 403 }))
  const { ended } = await begin(leaving.current.removeAccount)
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  await pass(10)
  expect(await ended).toMatchObject({ code: 'AdminStays' })
  expect(console.error).toHaveBeenCalledExactlyOnceWith(
    'Account deletion failed',
    expect.objectContaining({ status: 403 }),
  )
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expectNothingForgotten()
})
