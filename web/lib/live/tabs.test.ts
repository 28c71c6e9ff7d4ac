// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import { type Subscription, Tabs } from './tabs.ts'
import { FakeSource, fakeSources } from './testing.ts'

// Every Tabs is a tab of one browser. They share the real locks and channels of Node; streams and the page are fakes.
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

/** A subscription in a tab, and what it received: names and ids of messages, with the rooms that were resumed. */
function subscribe(tab: Tabs, rooms: string[], personId = 'ana') {
  const received: string[] = []
  const subscription: Subscription = {
    rooms,
    personId,
    onMessage: ({ name, id }, resumed) => void received.push([name, id, ...resumed].join(' ')),
    onDisconnect: () => void received.push('disconnected'),
  }
  const stop = tab.subscribe(subscription)
  stops.push(stop)
  return { received, stop }
}

const source = () => FakeSource.open.at(-1)!
const urls = () => FakeSource.opened.map(({ url }) => url.replace('/api/live?rooms=', ''))
const opened = (...all: string[]) => vi.waitFor(() => expect(urls()).toEqual(all))
const receivedBy = (reader: { received: string[] }, ...all: string[]) =>
  vi.waitFor(() => expect(reader.received).toEqual(all))
const send = <Name extends LiveEventName>(name: Name, data: LiveEvents[Name], id: string) =>
  source().send(name, data, id)
const writing = (roomId: string) => ({ roomId, userId: 'k7q2m4xp3d' })

/** Two tabs with the same room open. The first one has the stream. */
async function twoTabs() {
  const first = subscribe(new Tabs(), [one])
  await opened(one)
  send('ready', { rooms: [one] }, 'a')
  const second = subscribe(new Tabs(), [one])
  await receivedBy(second, 'ready a')
  return { first, second }
}

test('two tabs share one stream, and each receives every message once [R8]', async () => {
  const { first, second } = await twoTabs()
  send('room.writing', writing(one), 'b')
  await receivedBy(second, 'ready a', 'room.writing b')
  expect(first.received).toEqual(['ready a', 'room.writing b'])
  expect(FakeSource.opened).toHaveLength(1)
})

test('when the tab that has the stream is closed, another continues after the last message [R8 R9]', async () => {
  const { first, second } = await twoTabs()
  send('room.writing', writing(one), 'b')
  await receivedBy(second, 'ready a', 'room.writing b')
  first.stop()
  await opened(one, `${one}&after=b`)
  expect(FakeSource.open).toHaveLength(1)
  send('ready', { rooms: [one] }, 'c')
  expect(second.received.at(-1)).toBe(`ready c ${one}`)
})

test('a hidden tab keeps the stream for the others, which may be opened and closed [R8]', async () => {
  const { first } = await twoTabs()
  Object.assign(document, { visibilityState: 'hidden' })
  const third = subscribe(new Tabs(), [one])
  await receivedBy(third, 'ready a')
  send('room.writing', writing(one), 'b')
  await receivedBy(third, 'ready a', 'room.writing b')
  expect(first.received).toEqual(['ready a', 'room.writing b'])
  expect(FakeSource.opened).toHaveLength(1)
})

test('another room in another tab reopens the stream after its last message, and closing that tab leaves the rest [R8 R9]', async () => {
  const { first } = await twoTabs()
  const third = subscribe(new Tabs(), [two])
  await opened(one, `${one},${two}&after=a`)
  send('ready', { rooms: [one, two] }, 'b')
  // A room that was not in the stream before is not resumed: its state has to be fetched.
  await receivedBy(third, `ready b ${one}`)
  expect(first.received.at(-1)).toBe(`ready b ${one}`)
  third.stop()
  await opened(one, `${one},${two}&after=a`, `${one}&after=b`)
  expect(FakeSource.open).toHaveLength(1)
})

test('a subscription to two rooms of which one cannot be read receives the other [R8]', async () => {
  const first = subscribe(new Tabs(), [one, two])
  await opened(`${one},${two}`)
  send('ready', { rooms: [one] }, 'a')
  const second = subscribe(new Tabs(), [one, two])
  await receivedBy(second, 'ready a')
  expect(first.received).toEqual(['ready a'])
})

test('all tabs know when the stream is interrupted, and when it is back [R8 R9]', async () => {
  const { first, second } = await twoTabs()
  source().fail('lost')
  await receivedBy(second, 'ready a', 'disconnected')
  send('ready', { rooms: [one] }, 'b')
  await receivedBy(second, 'ready a', 'disconnected', `ready b ${one}`)
  expect(first.received).toEqual(second.received)
})

test('without an open room in any tab there is no stream, and no tab waits for the lock [R8]', async () => {
  const { first, second } = await twoTabs()
  second.stop()
  first.stop()
  await vi.waitFor(async () => expect(await holders()).toBe(0))
  expect(FakeSource.open).toEqual([])
  const again = subscribe(new Tabs(), [one])
  // Messages in between were missed: there is no cursor.
  await opened(one, one)
  send('ready', { rooms: [one] }, 'c')
  expect(again.received).toEqual(['ready c'])
})

test('the stream follows the session of a tab that signs in, before other tabs notice [R10]', async () => {
  const first = subscribe(new Tabs(), [one], '')
  await opened(one)
  send('ready', { rooms: [one] }, 'a')
  const tab = new Tabs()
  const visitor = subscribe(tab, [one], '')
  await receivedBy(visitor, 'ready a')
  visitor.stop()
  const ana = subscribe(tab, [one], 'ana')
  await opened(one, `${one}&after=a`)
  expect(FakeSource.open).toHaveLength(1)
  send('ready', { rooms: [one] }, 'b')
  await vi.waitFor(() => expect(ana.received.at(-1)).toMatch(/^ready b/))
  expect(first.received.at(-1)).toBe(`ready b ${one}`)
})

test('a tab that crashed is forgotten, and its room with it [R8]', async () => {
  const { second } = await twoTabs()
  const channel = new BroadcastChannel('live stream')
  channel.postMessage({ kind: 'subscribe', tab: 'crashed', rooms: [two], personId: 'ana' })
  await opened(one, `${one},${two}&after=a`)
  channel.close()
  for (let minute = 0; minute < 3; minute++) await vi.advanceTimersByTimeAsync(60_000)
  await opened(one, `${one},${two}&after=a`, `${one}&after=a`)
  expect(second.received).toEqual(['ready a'])
})

test('a visible tab takes the stream from a tab that is suspended [R8]', async () => {
  const asleep = new AbortController()
  const sleep = () => new Promise((resolve) => asleep.signal.addEventListener('abort', resolve))
  const sleeper = navigator.locks.request('live stream', sleep).catch((error: unknown) => error)
  const awake = subscribe(new Tabs(), [one])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(FakeSource.opened).toEqual([])
  await vi.advanceTimersByTimeAsync(20_000)
  await opened(one)
  expect(await sleeper).toMatchObject({ name: 'AbortError' })
  send('ready', { rooms: [one] }, 'a')
  expect(awake.received).toEqual(['ready a'])
})

test('a tab that lost the stream to another subscribes again [R8 R9]', async () => {
  const { first, second } = await twoTabs()
  const taken = await navigator.locks.request('live stream', { steal: true }, () => true)
  expect(taken).toBe(true)
  await vi.waitFor(() => expect(FakeSource.opened).toHaveLength(2))
  expect(FakeSource.open).toHaveLength(1)
  send('ready', { rooms: [one] }, 'b')
  // It may have missed messages; the others have not.
  await vi.waitFor(() => expect(first.received.at(-1)).toMatch(/^ready b/))
  await vi.waitFor(() => expect(second.received.at(-1)).toMatch(/^ready b/))
})

test('after the machine was suspended, tabs subscribe without a cursor [R9]', async () => {
  const only = subscribe(new Tabs(), [one])
  await opened(one)
  send('ready', { rooms: [one] }, 'a')
  vi.setSystemTime(Date.now() + 3_600_000)
  await vi.advanceTimersByTimeAsync(20_000)
  await opened(one, one)
  send('ready', { rooms: [one] }, 'b')
  expect(only.received).toEqual(['ready a', 'ready b'])
})

test('a page in the back-forward cache has no stream and no lock, and subscribes again when it is restored [R8]', async () => {
  const { first, second } = await twoTabs()
  page.dispatchEvent(new Event('pagehide'))
  await vi.waitFor(async () => expect(await holders()).toBe(0))
  expect(FakeSource.open).toEqual([])
  page.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await opened(one, one)
  send('ready', { rooms: [one] }, 'b')
  await receivedBy(second, 'ready a', 'ready b')
  await receivedBy(first, 'ready a', 'ready b')
})
