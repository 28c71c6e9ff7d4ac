import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { keyOf } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { forgetSession, readKey, writeKey } from '#web/lib/session-storage.ts'
import { useSession, useSessionUpkeep } from './session.ts'
import { pass } from '#web/lib/testing.ts'

const ana: User = {
  id: 'k7q2m4xp3d',
  email: 'ana@example.org',
  firstName: 'Ana',
  lastName: null,
  username: 'ana',
  isAnonymous: false,
  anonymousId: null,
  isAdmin: false,
  createdAt: '2025-06-10T12:00:00.000Z',
}
const house = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
)
const meet = () =>
  renderHook(
    () => {
      useSessionUpkeep()
      return useSession()
    },
    { wrapper: house },
  ).result
const answer = (status: number, body: unknown) => {
  const fetching = vi.fn<typeof fetch>(async () => new Response(JSON.stringify(body), { status }))
  globalThis.fetch = fetching
  return fetching
}

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([
  [ana, 'registered'],
  [{ ...ana, isAnonymous: true, email: null }, 'guest'],
] as const)(
  'a session is unknown until the server says who it is [SHELL-80 SHELL-83 PERM-10]',
  async (user, state) => {
    writeKey('userId', ana.id)
    answer(200, user)
    const session = meet()
    expect(session.current.state).toBe('unknown')
    await pass(10)
    expect(session.current).toMatchObject({ state, user, isAdmin: false })
    expect(readKey('userId')).toBe(user.id)
  },
)

test('100 ms after a refused reading nobody is there, and it was not tried again [SHELL-81 SHELL-84 GEN-22 ERR-07]', async () => {
  writeKey('userId', ana.id)
  const fetching = answer(401, {})
  const session = meet()
  await pass(50)
  expect(session.current.state).toBe('unknown')
  await pass(100)
  expect(session.current).toMatchObject({ state: 'none', user: null })
  expect(fetching).toHaveBeenCalledTimes(1)
  expect(readKey('userId')).toBeNull()
  expect(console.error).toHaveBeenCalledWith('Failed to fetch user', expect.any(Error))
})

test.each(['null', ''])('100 ms after an empty answer (%j) nobody is there [SHELL-82]', async (body) => {
  writeKey('userId', ana.id)
  globalThis.fetch = async () => new Response(body)
  const session = meet()
  await pass(50)
  expect(session.current.state).toBe('unknown')
  await pass(100)
  expect(session.current).toMatchObject({ state: 'none', user: null })
})

test('a person whose session has ended is cleared when that is learned, and stays so [SHELL-81 SHELL-80]', async () => {
  writeKey('userId', ana.id)
  answer(200, ana)
  const session = meet()
  await pass(10)
  const refusing = answer(401, {})
  await act(() => queryClient.invalidateQueries({ queryKey: keyOf(getMe) }))
  await pass(50)
  expect(session.current.state).toBe('registered')
  await pass(100)
  expect(session.current).toMatchObject({ state: 'none', user: null, isAdmin: false })
  await pass(60_000)
  expect(refusing).toHaveBeenCalledTimes(1)
})

test('another failure of reading the person is tried three times more [GEN-18]', async () => {
  writeKey('userId', ana.id)
  const fetching = answer(500, {})
  const session = meet()
  await pass(1000 + 2000 + 4000 + 500)
  expect(fetching).toHaveBeenCalledTimes(4)
  expect(session.current.state).toBe('none')
})

test('without any mark of a session the server is not asked [SHELL-93]', async () => {
  const fetching = answer(200, ana)
  const session = meet()
  await pass(500)
  expect(session.current.state).toBe('none')
  expect(fetching).not.toHaveBeenCalled()
})

test('signing out forgets the session and keeps the email for the next time [ACC-16 SHELL-88 SHELL-89]', () => {
  for (const key of ['lastUserEmail', 'userId', 'onboardingCompleted', 'guestId', 'guestDeviceId'] as const)
    writeKey(key, 'x')
  forgetSession()
  expect(Object.keys(localStorage)).toEqual(['lastUserEmail'])
})

test('a person read once is kept [GEN-14]', async () => {
  queryClient.setQueryData(keyOf(getMe), ana)
  writeKey('userId', ana.id)
  const fetching = answer(200, ana)
  const session = meet()
  await pass(10)
  expect(session.current.state).toBe('registered')
  expect(fetching).not.toHaveBeenCalled()
})
