import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type InboxEvents, inboxTopics } from '#contract/inbox/live.ts'
import { unfolded } from '#web/testing/rooms.ts'
import { FakeSource, fakeSources } from './testing.ts'
import { type LiveEvent, useLive } from './use-live.ts'
import { type RoomEvents, roomTopics } from '#contract/rooms/live.ts'

// Without locks, as over plain http. tabs.test.ts and e2e/live.e2e.ts test the tabs that share a stream.
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
  const received: LiveEvent<RoomEvents>[] = []
  const hook = renderHook(
    (props: { rooms: string[]; personId: string }) =>
      useLive({
        kind: roomTopics,
        ids: props.rooms,
        personId: props.personId,
        onEvent: (event) => void received.push(event),
      }),
    { initialProps: { rooms, personId } },
  )
  return { ...hook, received, isLive: () => hook.result.current.isLive }
}

const source = () => FakeSource.open.at(-1)!
const ready = (rooms: string[], id: string) => act(() => source().send('ready', { rooms }, id))
const passage = (roomId: string, position: number) => ({
  id: '01890000-0000-7000-8000-0000000000aa',
  content: `Passage ${position}`,
  isErased: false,
  ...unfolded,
  userId: null,
  authorName: null,
  roomId,
  createdAt: '2025-06-10T12:00:00.000Z',
  position,
})

const read = { friendUserId: 'cleo', unreadCount: 0 }

function subscribeInbox(personId: string) {
  const received: LiveEvent<InboxEvents>[] = []
  renderHook(() =>
    useLive({
      kind: inboxTopics,
      ids: [personId],
      personId,
      onEvent: (event) => void received.push(event),
    }),
  )
  return received
}

test('a page receives the events of its own rooms, and is live when the stream has these rooms [R8]', () => {
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

test('a page is not live while the person may not read the room [R8 R10]', () => {
  const page = subscribe([one])
  ready([], 'a')
  expect([page.isLive(), page.received]).toEqual([false, []])
  ready([one], 'b')
  expect([page.isLive(), page.received]).toEqual([true, [{ type: 'ready', isResumed: false }]])
  ready([], 'c')
  expect(page.isLive()).toBe(false)
})

test('two subscriptions of one page share a stream, and another room reopens it after the last event [R8 R9]', () => {
  const first = subscribe([one])
  ready([one], 'a')
  const second = subscribe([one])
  expect(FakeSource.opened).toHaveLength(1)
  // A later subscription is ready at once, and has to fetch the state.
  expect(second.received).toEqual([{ type: 'ready', isResumed: false }])
  const third = subscribe([two])
  expect(FakeSource.open.map(({ url }) => url)).toEqual([`/api/live?rooms=${one},${two}&after=a`])
  ready([one, two], 'b')
  expect(first.received.at(-1)).toEqual({ type: 'ready', isResumed: true })
  expect(third.received).toEqual([{ type: 'ready', isResumed: false }])
  for (const page of [first, second, third]) page.unmount()
  expect(FakeSource.open).toEqual([])
})

test('a new subscription fetches the state, although the stream has missed nothing [R9]', () => {
  const [stays, comes] = [subscribe([one]), subscribe([two])]
  ready([one, two], 'a')
  comes.rerender({ rooms: [one, two], personId: 'ana' })
  ready([one, two], 'b')
  expect(stays.received.at(-1)).toEqual({ type: 'ready', isResumed: true })
  expect(comes.received.at(-1)).toEqual({ type: 'ready', isResumed: false })
})

test('after a lost connection the stream resumes, and the page need not fetch its state again [R9]', () => {
  const page = subscribe([one])
  ready([one], 'a')
  act(() => source().fail('lost'))
  expect(page.isLive()).toBe(false)
  ready([one], 'b')
  expect(page.isLive()).toBe(true)
  expect(page.received.at(-1)).toEqual({ type: 'ready', isResumed: true })
  expect(FakeSource.opened).toHaveLength(1)
})

test('a refused stream is requested again after growing delays, and at once when the browser is online again [R8]', () => {
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

test('when the network changes, the stream is reopened after the last event, although it looks open [R8 R9]', () => {
  subscribe([one])
  ready([one], 'a')
  act(() => void window.dispatchEvent(new Event('online')))
  expect(FakeSource.open.map(({ url }) => url)).toEqual([`/api/live?rooms=${one}&after=a`])
})

test('a person who signs in gets another stream [R10]', () => {
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
  expect(page.received.at(-1)).toEqual({ type: 'reset' })
})

test('without locks a tab has a stream only while it is visible [R8]', () => {
  subscribe([one])
  ready([one], 'a')
  act(() => show('hidden'))
  expect(FakeSource.open).toEqual([])
  act(() => show('visible'))
  expect(FakeSource.open).toHaveLength(1)
})

test('topics of two kinds share a stream, and each subscription receives the events of its own kind [R8]', () => {
  const room = subscribe([one])
  ready([one], 'a')
  const inbox = subscribeInbox('ana')
  expect(FakeSource.open.map(({ url }) => url)).toEqual([`/api/live?inbox=ana&rooms=${one}&after=a`])
  act(() => source().send('ready', { rooms: [one], inbox: ['ana'] }, 'b'))
  act(() => source().send('messages.read', read, 'c'))
  act(() => source().send('room.message', passage(one, 1), 'd'))
  expect(inbox).toEqual([
    { type: 'ready', isResumed: false },
    { type: 'messages.read', data: read },
  ])
  expect(room.received.slice(1)).toEqual([
    { type: 'ready', isResumed: true },
    { type: 'room.message', data: passage(one, 1) },
  ])
})

test('a page receives no event of the inbox of another person whose inbox the stream has [R10]', () => {
  const inbox = subscribeInbox('ana')
  act(() => source().send('ready', { inbox: ['ana'] }, 'a'))
  act(() => source().send('ready', { inbox: ['ben'] }, 'b'))
  act(() => source().send('messages.read', read, 'c'))
  expect(inbox).toEqual([{ type: 'ready', isResumed: false }])
})
