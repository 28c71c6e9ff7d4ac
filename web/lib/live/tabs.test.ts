// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import { type Ear, Tabs } from './tabs.ts'
import { FakeSource, fakeSources } from './testing.ts'

// Every Tabs is a tab of one browser: they meet by the real locks and channels of Node, which has no streams and no page.
const [one, two] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']
const stops: (() => void)[] = []
let page: EventTarget

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  page = new EventTarget()
  for (const name of ['addEventListener', 'removeEventListener'] as const)
    vi.stubGlobal(name, page[name].bind(page))
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  fakeSources()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await vi.waitUntil(async () => (await holders()) === 0)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const holders = async () => {
  const { held, pending } = await navigator.locks.query()
  return [...(held ?? []), ...(pending ?? [])].length
}

/** Somebody in a tab who listens to rooms, and what they heard: names of events, with the rooms that were resumed. */
function listen(tab: Tabs, rooms: string[], as = 'ana') {
  const heard: string[] = []
  const ear: Ear = {
    rooms,
    as,
    hear: ({ name, id }, resumed) => void heard.push([name, id, ...resumed].join(' ')),
    lose: () => void heard.push('lost'),
  }
  const stop = tab.listen(ear)
  stops.push(stop)
  return { heard, stop }
}

const source = () => FakeSource.open.at(-1)!
const urls = () => FakeSource.opened.map(({ url }) => url.replace('/api/live?rooms=', ''))
const opened = (...all: string[]) => vi.waitFor(() => expect(urls()).toEqual(all))
const heardBy = (reader: { heard: string[] }, ...all: string[]) =>
  vi.waitFor(() => expect(reader.heard).toEqual(all))
const tell = <Name extends LiveEventName>(name: Name, data: LiveEvents[Name], id: string) =>
  source().tell(name, data, id)
const writing = (roomId: string) => ({ roomId, userId: 'k7q2m4xp3d' })

/** Two tabs with the same room open, of which the first holds the stream. */
async function twoTabs() {
  const first = listen(new Tabs(), [one])
  await opened(one)
  tell('ready', { rooms: [one] }, 'a')
  const second = listen(new Tabs(), [one])
  await heardBy(second, 'ready a')
  return { first, second }
}

test('two tabs share one stream, and each hears every event once [R8]', async () => {
  const { first, second } = await twoTabs()
  tell('room.writing', writing(one), 'b')
  await heardBy(second, 'ready a', 'room.writing b')
  expect(first.heard).toEqual(['ready a', 'room.writing b'])
  expect(FakeSource.opened).toHaveLength(1)
})

test('when the tab that holds the stream is closed, another goes on from what was last heard [R8 R9]', async () => {
  const { first, second } = await twoTabs()
  tell('room.writing', writing(one), 'b')
  await heardBy(second, 'ready a', 'room.writing b')
  first.stop()
  await opened(one, `${one}&after=b`)
  expect(FakeSource.open).toHaveLength(1)
  tell('ready', { rooms: [one] }, 'c')
  expect(second.heard.at(-1)).toBe(`ready c ${one}`)
})

test('a hidden tab goes on to hold the stream for the others, who may come and go [R8]', async () => {
  const { first } = await twoTabs()
  Object.assign(document, { visibilityState: 'hidden' })
  const third = listen(new Tabs(), [one])
  await heardBy(third, 'ready a')
  tell('room.writing', writing(one), 'b')
  await heardBy(third, 'ready a', 'room.writing b')
  expect(first.heard).toEqual(['ready a', 'room.writing b'])
  expect(FakeSource.opened).toHaveLength(1)
})

test('another room in another tab opens the stream anew from where it was, and closing it leaves the rest [R8 R9]', async () => {
  const { first } = await twoTabs()
  const third = listen(new Tabs(), [two])
  await opened(one, `${one},${two}&after=a`)
  tell('ready', { rooms: [one, two] }, 'b')
  // What was not carried before is not resumed: it is to be read.
  await heardBy(third, `ready b ${one}`)
  expect(first.heard.at(-1)).toBe(`ready b ${one}`)
  third.stop()
  await opened(one, `${one},${two}&after=a`, `${one}&after=b`)
  expect(FakeSource.open).toHaveLength(1)
})

test('who comes for rooms of which one cannot be read is told of the other [R8]', async () => {
  const first = listen(new Tabs(), [one, two])
  await opened(`${one},${two}`)
  tell('ready', { rooms: [one] }, 'a')
  const second = listen(new Tabs(), [one, two])
  await heardBy(second, 'ready a')
  expect(first.heard).toEqual(['ready a'])
})

test('all tabs know when the stream is lost, and when it is back [R8 R9]', async () => {
  const { first, second } = await twoTabs()
  source().fail('lost')
  await heardBy(second, 'ready a', 'lost')
  tell('ready', { rooms: [one] }, 'b')
  await heardBy(second, 'ready a', 'lost', `ready b ${one}`)
  expect(first.heard).toEqual(second.heard)
})

test('with no room open in any tab there is no stream, and nobody waits for one [R8]', async () => {
  const { first, second } = await twoTabs()
  second.stop()
  first.stop()
  await vi.waitFor(async () => expect(await holders()).toBe(0))
  expect(FakeSource.open).toEqual([])
  const again = listen(new Tabs(), [one])
  // What happened in between was not heard.
  await opened(one, one)
  tell('ready', { rooms: [one] }, 'c')
  expect(again.heard).toEqual(['ready c'])
})

test('a tab that signs in is followed, though others have not noticed yet [R10]', async () => {
  const first = listen(new Tabs(), [one], '')
  await opened(one)
  tell('ready', { rooms: [one] }, 'a')
  const tab = new Tabs()
  const visitor = listen(tab, [one], '')
  await heardBy(visitor, 'ready a')
  visitor.stop()
  const ana = listen(tab, [one], 'ana')
  await opened(one, `${one}&after=a`)
  expect(FakeSource.open).toHaveLength(1)
  tell('ready', { rooms: [one] }, 'b')
  await vi.waitFor(() => expect(ana.heard.at(-1)).toMatch(/^ready b/))
  expect(first.heard.at(-1)).toBe(`ready b ${one}`)
})

test('a tab that was closed without a word is forgotten, and its room with it [R8]', async () => {
  const { second } = await twoTabs()
  const channel = new BroadcastChannel('live')
  channel.postMessage({ kind: 'want', tab: 'crashed', rooms: [two], as: 'ana' })
  await opened(one, `${one},${two}&after=a`)
  channel.close()
  for (let minute = 0; minute < 3; minute++) await vi.advanceTimersByTimeAsync(60_000)
  await opened(one, `${one},${two}&after=a`, `${one}&after=a`)
  expect(second.heard).toEqual(['ready a'])
})

test('a tab that sleeps while it holds the stream gives way to one that is looked at [R8]', async () => {
  const asleep = new AbortController()
  const sleep = () => new Promise((resolve) => asleep.signal.addEventListener('abort', resolve))
  const sleeper = navigator.locks.request('live', sleep).catch((error: unknown) => error)
  const awake = listen(new Tabs(), [one])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(FakeSource.opened).toEqual([])
  await vi.advanceTimersByTimeAsync(20_000)
  await opened(one)
  expect(await sleeper).toMatchObject({ name: 'AbortError' })
  tell('ready', { rooms: [one] }, 'a')
  expect(awake.heard).toEqual(['ready a'])
})

test('whose place was taken listens again as one among others [R8 R9]', async () => {
  const { first, second } = await twoTabs()
  const taken = await navigator.locks.request('live', { steal: true }, () => true)
  expect(taken).toBe(true)
  await vi.waitFor(() => expect(FakeSource.opened).toHaveLength(2))
  expect(FakeSource.open).toHaveLength(1)
  tell('ready', { rooms: [one] }, 'b')
  // It cannot know what it has missed; the others have missed nothing.
  await vi.waitFor(() => expect(first.heard.at(-1)).toMatch(/^ready b/))
  await vi.waitFor(() => expect(second.heard.at(-1)).toMatch(/^ready b/))
})

test('after the whole machine has slept, tabs listen from the beginning [R9]', async () => {
  const only = listen(new Tabs(), [one])
  await opened(one)
  tell('ready', { rooms: [one] }, 'a')
  vi.setSystemTime(Date.now() + 3_600_000)
  await vi.advanceTimersByTimeAsync(20_000)
  await opened(one, one)
  tell('ready', { rooms: [one] }, 'b')
  expect(only.heard).toEqual(['ready a', 'ready b'])
})

test('a page that is put away lets go of everything, and reads anew when it is taken out again [R8]', async () => {
  const { first, second } = await twoTabs()
  page.dispatchEvent(new Event('pagehide'))
  await vi.waitFor(async () => expect(await holders()).toBe(0))
  expect(FakeSource.open).toEqual([])
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await opened(one, one)
  tell('ready', { rooms: [one] }, 'b')
  await heardBy(second, 'ready a', 'ready b')
  await heardBy(first, 'ready a', 'ready b')
})
