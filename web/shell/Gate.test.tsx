import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getPost } from '#contract/feed/endpoints.ts'
import { keyOf, useEndpoint } from '#web/lib/api.ts'
import { createQueryClient } from '#web/lib/query-client.ts'
import { clearOnboarding, completeOnboarding, startBrowsing, writeKey } from '#web/lib/session-storage.ts'
import { AlertsProvider } from '#web/ui/alerts.tsx'
import { Gate } from './Gate.tsx'
import { pass } from '#web/lib/testing.ts'

const ana = {
  id: 'k7q2m4xp3d',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: null,
  isAnonymous: false,
  isAdmin: false,
}
const fetching = vi.fn<(path: string) => Promise<Response>>()
const shown = () => screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)
const hasFrame = () => screen.queryByRole('banner') !== null
const asked = () => fetching.mock.calls.map(([path]) => path).filter((path) => path !== '/api/config')

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetching)
  vi.spyOn(console, 'error').mockImplementation(() => {})
  serve({ '/api/me': ana })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  fetching.mockReset()
  localStorage.clear()
  sessionStorage.clear()
  document.cookie = 'signed-in=; Max-Age=0'
  history.replaceState(null, '', '/')
})

/** Answers what it knows, and refuses the rest. */
function serve(answers: Record<string, unknown>) {
  fetching.mockImplementation(async (path) =>
    path in answers ? new Response(JSON.stringify(answers[path])) : new Response('{}', { status: 401 }),
  )
}

function open(address: string, page = <h1>the house</h1>) {
  history.replaceState(null, '', address)
  const client = createQueryClient()
  render(
    <QueryClientProvider client={client}>
      <AlertsProvider>
        <Gate onboarding={<h1>the door</h1>}>{page}</Gate>
      </AlertsProvider>
    </QueryClientProvider>,
  )
  return client
}

test.each(['the cookie', 'the stored id'])(
  'with %s the house is painted at once, while the server is asked who it is [SHELL-93 SHELL-80 SHELL-83 SHELL-92]',
  async (mark) => {
    if (mark === 'the cookie') document.cookie = 'signed-in=1'
    else writeKey('userId', ana.id)
    open('/')
    expect(shown()).toEqual(['the house'])
    expect(hasFrame()).toBe(true)
    expect(asked()).toEqual(['/api/me'])
    await pass(500)
    expect(shown()).toEqual(['the house'])
    expect(screen.getByRole('region', { name: 'Account' }).textContent).toContain('Logged in as Ana')
  },
)

test('with the browse mark of this tab the house is painted without that call, also after a reload [SHELL-93 SHELL-86]', async () => {
  startBrowsing()
  open('/dashboard')
  expect(shown()).toEqual(['the house'])
  await pass(60_000)
  cleanup()
  open('/dashboard')
  await pass(60_000)
  expect(shown()).toEqual(['the house'])
  expect(asked()).toEqual([])
})

test('with nothing of these the door is painted at once, and nobody is asked for [SHELL-93 SHELL-86]', async () => {
  open('/diary')
  expect(shown()).toEqual(['the door'])
  expect(hasFrame()).toBe(false)
  await pass(60_000)
  expect(asked()).toEqual([])
})

test('a start whose session is refused shows the door soon after [SHELL-84 SHELL-81 GEN-22]', async () => {
  document.cookie = 'signed-in=1'
  serve({})
  open('/')
  expect(shown()).toEqual(['the house'])
  await pass(150)
  expect(shown()).toEqual(['the door'])
  expect(asked()).toEqual(['/api/me'])
})

test('the flag in the address forces the door, also on those who have a session [SHELL-16 SHELL-15]', async () => {
  document.cookie = 'signed-in=1'
  open('/?onboarding=true')
  await pass(500)
  expect(shown()).toEqual(['the door'])
})

test.each(['/about', '/nowhere', '/posts/k7q2m4xp3d'])(
  '%s needs no session [SHELL-86 SHELL-94]',
  (address) => {
    open(address)
    expect(shown()).not.toContain('the door')
  },
)

test.each([
  ['cleared', 'onboardingCompleted', null, 'the door'],
  ['cleared with all the storage', null, null, 'the door'],
  ['set', 'onboardingCompleted', 'true', 'the house'],
])(
  'when the flag was %s in another tab, this one follows [SHELL-85]',
  async (_what, key, newValue, expected) => {
    document.cookie = 'signed-in=1'
    completeOnboarding()
    open('/diary')
    await pass(500)
    clearOnboarding()
    act(() => void dispatchEvent(new StorageEvent('storage', { key, newValue })))
    expect(shown()).toEqual([expected])
  },
)

test('another key of another tab changes nothing [SHELL-85]', () => {
  startBrowsing()
  open('/diary')
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'lastUserEmail', newValue: null })))
  expect(shown()).toEqual(['the house'])
})

function Article() {
  useEndpoint(getPost, { params: { id: 'k7q2m4xp3d' } })
  return <h1>the house</h1>
}

test('a post that is hidden, pending or missing is the 404 page, one that failed to load is not [SHELL-94 SHELL-17]', async () => {
  fetching.mockImplementation(async () => new Response('{}', { status: 404 }))
  open('/posts/k7q2m4xp3d', <Article />)
  await pass(100)
  expect(shown()).toEqual(['404 Page Not Found'])
  cleanup()
  fetching.mockImplementation(async () => new Response('{}', { status: 403 }))
  const client = open('/posts/k7q2m4xp3d', <Article />)
  await pass(100)
  expect(shown()).toEqual(['the house'])
  expect(client.getQueryState(keyOf(getPost, { params: { id: 'k7q2m4xp3d' } }))?.status).toBe('error')
})

function Broken(): never {
  throw new Error('broken')
}

test('a page that breaks leaves the frame standing and says so', async () => {
  startBrowsing()
  open('/diary', <Broken />)
  await pass(10)
  expect(hasFrame()).toBe(true)
  expect(screen.getByRole('alert').textContent).toContain('This page could not be shown.')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
