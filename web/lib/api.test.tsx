import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listPendingPosts, submitPost } from '#contract/feed/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { unblockPerson } from '#contract/friends/endpoints.ts'
import { answersOf, useAction, useEndpoint } from './api.ts'
import { createQueryClient } from './query-client.ts'
import { pass } from './testing.ts'

const post = { content: 'A line.', authorName: 'Ana' }
const today = { params: { offset: '0' } }
const fetching = vi.fn<typeof fetch>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', fetching)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  fetching.mockReset()
})

function meet<T>(hook: () => T) {
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(hook, { wrapper }).result
}

const keys = () => fetching.mock.calls.map(([, init]) => new Headers(init?.headers).get('idempotency-key'))

test('an action tried again carries the same key, and the next action another one [GEN-24 GEN-11 GEN-12]', async () => {
  fetching.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  fetching.mockResolvedValueOnce(new Response('', { status: 503 }))
  fetching.mockImplementation(async () => new Response('{"id":"a"}'))
  const submission = meet(() => useAction(submitPost))

  const first = submission.current.run({ input: post })
  await pass(999)
  expect(fetching).toHaveBeenCalledTimes(1)
  await pass(1)
  expect(fetching).toHaveBeenCalledTimes(2)
  await pass(2000)
  expect(await first).toEqual({ id: 'a' })
  await act(() => submission.current.run({ input: post }))

  const [key, second, third, other] = keys()
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect([second, third]).toEqual([key, key])
  expect(other).toMatch(/^[0-9a-f]{32}$/)
  expect(other).not.toBe(key)
})

test('a refused action is told at once and not sent again [GEN-10]', async () => {
  fetching.mockImplementation(async () => new Response('{"error":"No."}', { status: 403 }))
  const submission = meet(() => useAction(submitPost))
  const refused = submission.current.run({ input: post }).catch((error: unknown) => error)
  await pass(60_000)
  expect(await refused).toMatchObject({ status: 403, error: 'No.' })
  expect(fetching).toHaveBeenCalledTimes(1)
  expect(submission.current.status).toBe('failed')
})

const unblocking = { failure: 'Failed to unblock', doneBy: 'NotBlocked' } as const
const blocked = { params: { userId: 'h3m9w5zt8v' } }

test('a change that another device has made counts as success: it is sent once, and nothing is logged', async () => {
  const refusal = '{"code":"NotBlocked","error":"Not blocked."}'
  fetching.mockImplementation(async () => new Response(refusal, { status: 404 }))
  const onSuccess = vi.fn<() => void>()
  const action = meet(() => useAction(unblockPerson, { ...unblocking, onSuccess }))
  const answer = action.current.attempt(blocked)
  await pass(60_000)
  expect(await answer).toMatchObject({ code: 'NotBlocked' })
  expect(fetching).toHaveBeenCalledTimes(1)
  expect(action.current.status).toBe('idle')
  // There is no output.
  expect(onSuccess).not.toHaveBeenCalled()
  expect(console.error).not.toHaveBeenCalled()
})

test('a failed attempt is logged once, is shown by its caller, and has no answer', async () => {
  fetching.mockImplementation(async () => new Response('', { status: 403, statusText: 'Closed' }))
  const action = meet(() => useAction(unblockPerson, unblocking))
  const onFailed = vi.fn<(error: unknown) => void>()
  const answer = action.current.attempt(blocked, onFailed)
  await pass(10)
  expect(await answer).toBeUndefined()
  const failure = expect.objectContaining({ message: '403: Closed' }) as unknown
  expect(onFailed).toHaveBeenCalledExactlyOnceWith(failure)
  expect(console.error).toHaveBeenCalledExactlyOnceWith('Failed to unblock', failure)
})

test('a list that is being read for the first time while a person changes it shows the change [R8]', async () => {
  const before = Promise.withResolvers<Response>()
  fetching.mockReturnValueOnce(before.promise)
  const page = meet(() => ({
    queue: useEndpoint(listPendingPosts),
    submission: useAction(submitPost, { refreshes: [listPendingPosts] }),
  }))
  fetching.mockImplementation(
    async (_path, init) => new Response(init?.method === 'POST' ? '{"id":"a"}' : '["a"]'),
  )
  const submitted = page.current.submission.run({ input: post })
  await pass(10)
  before.resolve(new Response('[]'))
  await pass(10)
  await submitted
  expect(page.current.queue.data).toEqual(['a'])
  expect(page.current.submission.status).toBe('idle')
  expect(fetching).toHaveBeenCalledTimes(3)
})

test('a day is tried again three times, after 1, 2 and 4 seconds, and then said to have failed [GEN-09 GEN-12 GEN-19]', async () => {
  fetching.mockImplementation(async () => new Response('', { status: 500, statusText: 'Broken' }))
  const day = meet(() => useEndpoint(getFeedDay, today))
  for (const [wait, calls] of [
    [0, 1],
    [1000, 2],
    [2000, 3],
    [4000, 4],
  ] as const) {
    await pass(wait)
    expect(fetching).toHaveBeenCalledTimes(calls)
  }
  await pass(60_000)
  expect(fetching).toHaveBeenCalledTimes(4)
  expect(day.current).toMatchObject({ status: 'failed', error: { message: '500: Broken' } })
})

test('a read that said so is not tried again [GEN-20]', async () => {
  fetching.mockImplementation(async () => new Response('', { status: 500 }))
  const day = meet(() => useEndpoint(getFeedDay, { ...today, retry: false }))
  await pass(60_000)
  expect(fetching).toHaveBeenCalledTimes(1)
  expect(day.current.status).toBe('failed')
})

test('a failed read is written down, with nothing thrown at the page [ERR-28]', async () => {
  fetching.mockImplementation(async () => new Response('', { status: 404 }))
  meet(() => useEndpoint(getFeedDay, today))
  await pass(10)
  expect(console.error).toHaveBeenCalledExactlyOnceWith(
    'Failed to load /api/feed/day/0',
    expect.objectContaining({ status: 404 }),
  )
})

test('when reading anew fails, what was there stays, and the failure is told until it succeeds [SHELL-91]', async () => {
  fetching.mockImplementation(async () => new Response('[]'))
  const day = meet(() => useEndpoint(getFeedDay, today))
  await pass(10)
  expect(day.current).toMatchObject({ status: 'ready', data: [], refetchError: null })
  fetching.mockImplementation(async () => new Response('', { status: 403, statusText: 'Closed' }))
  day.current.refetch()
  await pass(10)
  expect(day.current).toMatchObject({ status: 'ready', data: [], refetchError: { message: '403: Closed' } })
  fetching.mockImplementation(async () => new Response('[]'))
  day.current.refetch()
  await pass(10)
  expect(day.current).toMatchObject({ status: 'ready', refetchError: null })
})

test('what was read is not asked for again by itself: not by time, focus or a second reader [GEN-13 GEN-16 GEN-17 GEN-23]', async () => {
  fetching.mockImplementation(async () => new Response('[]'))
  meet(() => [useEndpoint(getFeedDay, today), useEndpoint(getFeedDay, today)])
  await pass(60 * 60_000)
  dispatchEvent(new Event('focus'))
  dispatchEvent(new Event('online'))
  document.dispatchEvent(new Event('visibilitychange'))
  await pass(10)
  expect(fetching).toHaveBeenCalledTimes(1)
})

test.each([
  [getFeedDay, '/api/feed/day/0', true],
  [getFeedDay, '/api/feed/day/12?limit=5', true],
  [getFeedDay, '/api/feed/pending', false],
  [getFeedDay, '/api/feed/day/0/more', false],
  [listPendingPosts, '/api/feed/pending?before=x', true],
  [listPendingPosts, '/api/feed/pending/1/approve', false],
])('of endpoint $path the cached answer at %s is found: %s', (endpoint, cachedPath, isFound) => {
  expect(answersOf([endpoint]).predicate({ queryKey: [cachedPath, 'pages'] })).toBe(isFound)
})
