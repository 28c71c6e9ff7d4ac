import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeSource, fakeSources } from './testing.ts'
import { type LiveEvent, useLive } from './use-live.ts'

// Without locks, as over plain http. How the tabs of a browser share a stream is tested in tabs.test.ts and in a browser.
const [one, two] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(1)
  fakeSources()
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true })
})
afterEach(() => {
  cleanup()
  show('visible')
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function show(state: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
  document.dispatchEvent(new Event('visibilitychange'))
}

function subscribe(rooms: string[], personId = 'ana') {
  const received: LiveEvent[] = []
  const hook = renderHook(
    (props: { rooms: string[]; personId: string }) =>
      useLive({ ...props, onEvent: (event) => void received.push(event) }),
    { initialProps: { rooms, personId } },
  )
  return { ...hook, received, isLive: () => hook.result.current.isLive }
}

const source = () => FakeSource.open.at(-1)!
const ready = (rooms: string[], id: string) => act(() => source().send('ready', { rooms }, id))
const passage = (roomId: string, position: number) => ({
  id: '01890000-0000-7000-8000-0000000000aa',
  content: `Passage ${position}`,
  userId: null,
  authorName: null,
  roomId,
  createdAt: '2025-06-10T12:00:00.000Z',
  position,
})

test('a page receives the events of its own rooms, and is live once the stream has them [R8]', () => {
  const page = subscribe([one])
  expect(FakeSource.opened.map(({ url }) => url)).toEqual([`/api/live?rooms=${one}`])
  expect(page.isLive()).toBe(false)
  ready([one], 'a')
  expect(page.isLive()).toBe(true)
  act(() => source().send('room.message', passage(one, 1), 'b'))
  act(() => source().send('room.message', passage(two, 1), 'c'))
  expect(page.received).toEqual([
    { type: 'ready', isResumed: false },
    { type: 'room.message', data: passage(one, 1) },
  ])
})

test('a room that may not be read, or not any more, is not live [R8 R10]', () => {
  const page = subscribe([one])
  ready([], 'a')
  expect([page.isLive(), page.received]).toEqual([false, []])
  ready([one], 'b')
  expect([page.isLive(), page.received]).toEqual([true, [{ type: 'ready', isResumed: false }]])
  ready([], 'c')
  expect(page.isLive()).toBe(false)
})

test('two subscriptions of one page share a stream; another room reopens it after its last message [R8 R9]', () => {
  const first = subscribe([one])
  ready([one], 'a')
  const second = subscribe([one])
  expect(FakeSource.opened).toHaveLength(1)
  // A later subscription is ready at once, and has to fetch the state before.
  expect(second.received).toEqual([{ type: 'ready', isResumed: false }])
  const third = subscribe([two])
  expect(FakeSource.open.map(({ url }) => url)).toEqual([`/api/live?rooms=${one},${two}&after=a`])
  ready([one, two], 'b')
  expect(first.received.at(-1)).toEqual({ type: 'ready', isResumed: true })
  expect(third.received).toEqual([{ type: 'ready', isResumed: false }])
  for (const page of [first, second, third]) page.unmount()
  expect(FakeSource.open).toEqual([])
})

test('a new subscription fetches the state, though the stream itself has missed nothing [R9]', () => {
  const [stays, comes] = [subscribe([one]), subscribe([two])]
  ready([one, two], 'a')
  comes.rerender({ rooms: [one, two], personId: 'ana' })
  ready([one, two], 'b')
  expect(stays.received.at(-1)).toEqual({ type: 'ready', isResumed: true })
  expect(comes.received.at(-1)).toEqual({ type: 'ready', isResumed: false })
})

test('a lost connection comes back by itself, and nothing is fetched twice [R9]', () => {
  const page = subscribe([one])
  ready([one], 'a')
  act(() => source().fail('lost'))
  expect(page.isLive()).toBe(false)
  ready([one], 'b')
  expect(page.isLive()).toBe(true)
  expect(page.received.at(-1)).toEqual({ type: 'ready', isResumed: true })
  expect(FakeSource.opened).toHaveLength(1)
})

test('a refused stream is requested again after ever longer pauses, and at once when the browser is online again [R8]', () => {
  subscribe([one])
  ready([one], 'a')
  for (const pauseMs of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const before = FakeSource.opened.length
    act(() => source().fail('refused'))
    act(() => void vi.advanceTimersByTime(pauseMs - 1))
    expect(FakeSource.opened).toHaveLength(before)
    act(() => void vi.advanceTimersByTime(1))
    expect(FakeSource.opened).toHaveLength(before + 1)
    expect(source().url).toBe(`/api/live?rooms=${one}&after=a`)
  }
  act(() => source().fail('refused'))
  act(() => void window.dispatchEvent(new Event('online')))
  expect(FakeSource.open).toHaveLength(1)
  ready([one], 'b')
  act(() => source().fail('refused'))
  act(() => void vi.advanceTimersByTime(1000))
  expect(source().url).toBe(`/api/live?rooms=${one}&after=b`)
})

test('on another network the stream is reopened after its last message, though it looks open [R8 R9]', () => {
  subscribe([one])
  ready([one], 'a')
  act(() => void window.dispatchEvent(new Event('online')))
  expect(FakeSource.open.map(({ url }) => url)).toEqual([`/api/live?rooms=${one}&after=a`])
})

test('another person gets another stream [R10]', () => {
  const page = subscribe([one], '')
  ready([one], 'a')
  page.rerender({ rooms: [one], personId: 'ana' })
  expect(FakeSource.opened).toHaveLength(2)
  expect(FakeSource.open).toHaveLength(1)
})

test('a reset reaches every subscription [R9]', () => {
  const page = subscribe([one])
  ready([one], 'a')
  act(() => source().send('reset', {}, 'b'))
  expect(page.received.at(-1)).toEqual({ type: 'reset', data: {} })
})

test('without locks a tab has a stream only while it is visible [R8]', () => {
  subscribe([one])
  ready([one], 'a')
  act(() => show('hidden'))
  expect(FakeSource.open).toEqual([])
  act(() => show('visible'))
  expect(FakeSource.open).toHaveLength(1)
})
