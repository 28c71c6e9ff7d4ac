import 'fake-indexeddb/auto'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { listBookmarkIds } from '#contract/bookmarks/endpoints.ts'
import { getDiary } from '#contract/diary/endpoints.ts'
import { listDrafts } from '#contract/drafts/endpoints.ts'
import { queryKeyOf } from '#web/lib/api.ts'
import { queryClient } from '#web/lib/query-client.ts'
import { guestId, readKey, writeKey } from '#web/lib/session-keys.ts'
import { areKeysAwaited, isStoringStopped, markLoggedOut, removeStored } from '#web/lib/storage.ts'
import { pass, giveBuckets } from '#web/lib/testing.ts'
import { startTestPage } from '#web/testing/page.tsx'
import { ana, guest } from '#web/testing/people.ts'
import { completeOnboarding } from './onboarding-flag.ts'
import { forgetSession, preloadSession, SessionProvider, useAreKeysAwaited, useSession } from './session.tsx'

const server = startTestPage()
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <SessionProvider>{children}</SessionProvider>
  </QueryClientProvider>
)
const renderSession = () => renderHook(useSession, { wrapper }).result

beforeEach(() => {
  queryClient.clear()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

test.each([
  [ana, 'registered'],
  [guest, 'guest'],
] as const)(
  'a session is unknown until the server answers with the person [SHELL-80 SHELL-83 PERM-10]',
  async (user, state) => {
    writeKey('userId', ana.id)
    server.on(getMe, user)
    const session = renderSession()
    expect(session.current.state).toBe('unknown')
    await pass(10)
    expect(session.current).toMatchObject({ state, user, isAdmin: false })
    expect(readKey('userId')).toBe(user.id)
  },
)

test('the page shows the person at once, while it reads what this browser keeps of the person; it reads nothing of a guest [OWN-21 SHELL-80]', async () => {
  vi.useRealTimers()
  giveBuckets()
  // Tests of other files share the page: they know nobody with buckets.
  const cleo = { ...ana, id: 's7q2m4xp3d' }
  localStorage.setItem(`room-draft:${cleo.id}`, 'Rain')
  onTestFinished(() => removeStored('localStorage', `room-draft:${cleo.id}`))
  const ofGuest = { ...guest, id: 'g7q2m4xp3d' }
  queryClient.setQueryData(queryKeyOf(getMe), ofGuest)
  const shown: [string, boolean][] = []
  renderHook(() => shown.push([useSession().state, useAreKeysAwaited()]), { wrapper })
  expect(shown.at(-1)).toEqual(['guest', false])
  act(() => void queryClient.setQueryData(queryKeyOf(getMe), cleo))
  await waitFor(() => expect(shown.at(-1)).toEqual(['registered', false]))
  expect(shown).toContainEqual(['registered', true])
  expect(areKeysAwaited(ofGuest.id)).toBe(true)
  expect(localStorage.getItem(`room-draft:${cleo.id}`)).toBeNull()
})

test('a page reads what this browser keeps of a person while it asks for the session [OWN-21]', async () => {
  vi.useRealTimers()
  giveBuckets()
  const dora = { ...ana, id: 't7q2m4xp3d' }
  writeKey('userId', dora.id)
  const answer = Promise.withResolvers<void>()
  server.on(getMe, () => answer.promise.then(() => dora))
  const { result } = renderHook(() => [useSession().state, useAreKeysAwaited()], { wrapper })
  expect(result.current).toEqual(['unknown', true])
  await waitFor(() => expect(result.current).toEqual(['unknown', false]))
  answer.resolve()
  await waitFor(() => expect(result.current).toEqual(['registered', false]))
})

test('100 ms after a refusal there is no session, and the page does not try again [SHELL-81 SHELL-84 GEN-22 ERR-07]', async () => {
  writeKey('userId', ana.id)
  server.refuse(getMe, 'SignInRequired')
  const session = renderSession()
  await pass(50)
  expect(session.current.state).toBe('unknown')
  await pass(100)
  expect(session.current).toMatchObject({ state: 'none', user: null })
  expect(server.calls(getMe)).toHaveLength(1)
  expect(readKey('userId')).toBeNull()
  expect(console.error).toHaveBeenCalledWith('Failed to fetch user', expect.any(Error))
})

test.each([
  ['refuses', 'SignInRequired', 1],
  ['fails', 'Unexpected', 4],
] as const)(
  'a server that %s is not asked for the person again when the page is shown [SHELL-84 GEN-08 GEN-22]',
  async (_does, code, calls) => {
    writeKey('userId', ana.id)
    server.refuse(getMe, code)
    const asked = preloadSession(queryClient)
    await pass(60_000)
    await asked
    const session = renderSession()
    await pass(60_000)
    expect(session.current).toMatchObject({ state: 'none', user: null })
    expect(server.calls(getMe)).toHaveLength(calls)
  },
)

test('a page whose browser has another session forgets what the person before could read [S44 S48]', async () => {
  writeKey('userId', ana.id)
  server.on(getMe, ana)
  const session = renderSession()
  await pass(10)
  const keys = [listDrafts, getDiary, listBookmarkIds].map((endpoint) => queryKeyOf(endpoint))
  const answers = () => keys.map((key) => queryClient.getQueryData(key))
  for (const next of [{ ...ana, id: 'ben0000000' }, guest]) {
    for (const key of keys) queryClient.setQueryData(key, ['hers'])
    queryClient.setQueryData(queryKeyOf(getConfig), { demoMode: false })
    server.on(getMe, next)
    void queryClient.invalidateQueries({ queryKey: queryKeyOf(getMe) })
    await pass(10)
    expect(session.current.user).toEqual(next)
    expect(answers()).toEqual([undefined, undefined, undefined])
    expect(queryClient.getQueryData(queryKeyOf(getConfig))).toEqual({ demoMode: false })
  }
  for (const key of keys) queryClient.setQueryData(key, ['hers'])
  server.refuse(getMe, 'SignInRequired')
  void queryClient.invalidateQueries({ queryKey: queryKeyOf(getMe) })
  await pass(1000)
  expect(session.current.user).toBeNull()
  expect(answers()).toEqual([undefined, undefined, undefined])
})

test.each(['null', ''])('100 ms after an empty answer (%j) there is no session [SHELL-82]', async (body) => {
  writeKey('userId', ana.id)
  server.answerForeign(getMe, 200, body)
  const session = renderSession()
  await pass(50)
  expect(session.current.state).toBe('unknown')
  await pass(100)
  expect(session.current).toMatchObject({ state: 'none', user: null })
})

test('a person whose session has ended is forgotten after the next refusal, and stays so [SHELL-81 SHELL-80]', async () => {
  writeKey('userId', ana.id)
  server.on(getMe, ana)
  const session = renderSession()
  await pass(10)
  server.refuse(getMe, 'SignInRequired')
  await act(() => queryClient.invalidateQueries({ queryKey: queryKeyOf(getMe) }))
  await pass(50)
  expect(session.current.state).toBe('registered')
  await pass(100)
  expect(session.current).toMatchObject({ state: 'none', user: null, isAdmin: false })
  await pass(60_000)
  expect(server.calls(getMe)).toHaveLength(2)
})

test('the page tries three times more when the person could not be loaded [GEN-18]', async () => {
  writeKey('userId', ana.id)
  server.refuse(getMe, 'Unexpected')
  const session = renderSession()
  await pass(1000 + 2000 + 4000 + 500)
  expect(server.calls(getMe)).toHaveLength(4)
  expect(session.current.state).toBe('none')
  // The failure does not say that the session has ended.
  expect(readKey('userId')).toBe(ana.id)
})

test.each([401, 403, 404, 429, 500, 502, 503, 504])(
  'a person whose server, or its proxy, answers %i stays signed in [OWN-02]',
  async (status) => {
    writeKey('userId', ana.id)
    server.on(getMe, ana)
    const session = renderSession()
    await pass(10)
    server.answerForeign(getMe, status, 'No server')
    act(() => void queryClient.invalidateQueries({ queryKey: queryKeyOf(getMe) }))
    await pass(10_000)
    expect(server.calls(getMe)).toHaveLength(status < 405 ? 2 : 5)
    expect(session.current.state).toBe('registered')
    expect(localStorage.getItem('userId')).toBe(ana.id)
  },
)

test('a person whose network asks for a sign-in of its own stays signed in [OWN-02]', async () => {
  writeKey('userId', ana.id)
  server.on(getMe, ana)
  const session = renderSession()
  await pass(10)
  server.answerForeign(getMe, 200, '<!doctype html><h1>Welcome to our network</h1>')
  act(() => void queryClient.invalidateQueries({ queryKey: queryKeyOf(getMe) }))
  await pass(10_000)
  expect(session.current.state).toBe('registered')
  expect(localStorage.getItem('userId')).toBe(ana.id)
})

test('what a person with a session types is stored, also after a log-out that failed [S48 R22]', async () => {
  writeKey('userId', ana.id)
  markLoggedOut(ana.id)
  server.on(getMe, ana)
  renderSession()
  await pass(10)
  expect(isStoringStopped(ana.id)).toBe(false)
})

test('a new visitor causes no request for a person [SHELL-93]', async () => {
  server.on(getMe, ana)
  const session = renderSession()
  await pass(500)
  expect(session.current.state).toBe('none')
  expect(server.requests).toEqual([])
})

test('a person who signs out is forgotten, except for the email for the next time, and gets another id for local texts [ACC-16 SHELL-88 SHELL-89 SHELL-92 PERM-04]', () => {
  for (const key of ['lastUserEmail', 'userId', 'guestId', 'guestDeviceId'] as const) writeKey(key, 'x')
  completeOnboarding()
  expect(localStorage.getItem('onboardingCompleted')).toBe('true')
  const id = guestId()
  forgetSession()
  expect(Object.keys(localStorage)).toEqual(['lastUserEmail'])
  expect(guestId()).not.toBe(id)
})

test('a person loaded once is not loaded again [GEN-14]', async () => {
  queryClient.setQueryData(queryKeyOf(getMe), ana)
  writeKey('userId', ana.id)
  server.on(getMe, ana)
  const session = renderSession()
  await pass(10)
  expect(session.current.state).toBe('registered')
  expect(server.requests).toEqual([])
})
