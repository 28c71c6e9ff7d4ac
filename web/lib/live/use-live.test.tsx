import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeSource, fakeSources } from './testing.ts'
import { type LiveEvent, useLive } from './use-live.ts'

// Without locks, as over plain http: what the tabs of a browser share is shown by the journeys in a real one.
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

function listen(rooms: string[], as = 'ana') {
  const heard: LiveEvent[] = []
  const hook = renderHook(
    (props: { rooms: string[]; as: string }) =>
      useLive({ ...props, onEvent: (event) => void heard.push(event) }),
    { initialProps: { rooms, as } },
  )
  return { ...hook, heard, isLive: () => hook.result.current.isLive }
}

const source = () => FakeSource.open.at(-1)!
const told = (rooms: string[], id: string) => act(() => source().tell('ready', { rooms }, id))
const passage = (roomId: string, position: number) => ({
  id: '01890000-0000-7000-8000-0000000000aa',
  content: `Passage ${position}`,
  userId: null,
  authorName: null,
  roomId,
  createdAt: '2025-06-10T12:00:00.000Z',
  position,
})

test('a page hears of its own rooms, and is live once the stream carries them [R8]', () => {
  const page = listen([one])
  expect(FakeSource.opened.map(({ url }) => url)).toEqual([`/api/live?rooms=${one}`])
  expect(page.isLive()).toBe(false)
  told([one], 'a')
  expect(page.isLive()).toBe(true)
  act(() => source().tell('room.message', passage(one, 1), 'b'))
  act(() => source().tell('room.message', passage(two, 1), 'c'))
  expect(page.heard).toEqual([
    { type: 'ready', isResumed: false },
    { type: 'room.message', data: passage(one, 1) },
  ])
})

test('a room that may not be read is not live, nor one that may not be read any more [R8 R10]', () => {
  const page = listen([one])
  told([], 'a')
  expect([page.isLive(), page.heard]).toEqual([false, []])
  told([one], 'b')
  expect([page.isLive(), page.heard]).toEqual([true, [{ type: 'ready', isResumed: false }]])
  told([], 'c')
  expect(page.isLive()).toBe(false)
})

test('two readers in one page share a stream; another room opens it anew from where it was [R8 R9]', () => {
  const first = listen([one])
  told([one], 'a')
  const second = listen([one])
  expect(FakeSource.opened).toHaveLength(1)
  // Who comes later is told at once, and has to read what was before.
  expect(second.heard).toEqual([{ type: 'ready', isResumed: false }])
  const third = listen([two])
  expect(FakeSource.open.map(({ url }) => url)).toEqual([`/api/live?rooms=${one},${two}&after=a`])
  told([one, two], 'b')
  expect(first.heard.at(-1)).toEqual({ type: 'ready', isResumed: true })
  expect(third.heard).toEqual([{ type: 'ready', isResumed: false }])
  for (const page of [first, second, third]) page.unmount()
  expect(FakeSource.open).toEqual([])
})

test('who has just come reads, though the stream itself has missed nothing [R9]', () => {
  const [stays, comes] = [listen([one]), listen([two])]
  told([one, two], 'a')
  comes.rerender({ rooms: [one, two], as: 'ana' })
  told([one, two], 'b')
  expect(stays.heard.at(-1)).toEqual({ type: 'ready', isResumed: true })
  expect(comes.heard.at(-1)).toEqual({ type: 'ready', isResumed: false })
})

test('a lost line comes back by itself, and nothing is read twice [R9]', () => {
  const page = listen([one])
  told([one], 'a')
  act(() => source().fail('lost'))
  expect(page.isLive()).toBe(false)
  told([one], 'b')
  expect(page.isLive()).toBe(true)
  expect(page.heard.at(-1)).toEqual({ type: 'ready', isResumed: true })
  expect(FakeSource.opened).toHaveLength(1)
})

test('a refused stream is asked for again, ever more rarely, and at once when the line is back [R8]', () => {
  listen([one])
  told([one], 'a')
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
  told([one], 'b')
  act(() => source().fail('refused'))
  act(() => void vi.advanceTimersByTime(1000))
  expect(source().url).toBe(`/api/live?rooms=${one}&after=b`)
})

test('on another network the stream is opened anew from where it was, though it looks open [R8 R9]', () => {
  listen([one])
  told([one], 'a')
  act(() => void window.dispatchEvent(new Event('online')))
  expect(FakeSource.open.map(({ url }) => url)).toEqual([`/api/live?rooms=${one}&after=a`])
})

test('somebody else has another stream [R10]', () => {
  const page = listen([one], '')
  told([one], 'a')
  page.rerender({ rooms: [one], as: 'ana' })
  expect(FakeSource.opened).toHaveLength(2)
  expect(FakeSource.open).toHaveLength(1)
})

test('a reset is told to everybody [R9]', () => {
  const page = listen([one])
  told([one], 'a')
  act(() => source().tell('reset', {}, 'b'))
  expect(page.heard.at(-1)).toEqual({ type: 'reset', data: {} })
})

test('without locks a tab listens only while it can be seen [R8]', () => {
  listen([one])
  told([one], 'a')
  act(() => show('hidden'))
  expect(FakeSource.open).toEqual([])
  act(() => show('visible'))
  expect(FakeSource.open).toHaveLength(1)
})
