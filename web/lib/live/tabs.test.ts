// @vitest-environment node
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import { inboxTopics } from '#contract/inbox/live.ts'
import { roomTopics } from '#contract/rooms/live.ts'
import { channelName, type Subscription, Tabs } from './tabs.ts'
import { FakeSource, fakeSources } from './testing.ts'
import { type Topics, topicsOf } from './topics.ts'

// Each `Tabs` is a tab of one browser. The tabs share the real locks and channels of Node. The stream and the page are fakes.
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

const subscribe = (tab: Tabs, rooms: string[], personId = 'ana') =>
  subscribeTo(tab, topicsOf(roomTopics, rooms), personId)

/** A subscription in a tab. `received` has the name, id and resumed topics of each event that it received. */
function subscribeTo(tab: Tabs, topics: Topics, personId: string) {
  const received: string[] = []
  const data: unknown[] = []
  const subscription: Subscription = {
    topics,
    personId,
    onEvent: (event, resumed) => {
      received.push([event.name, event.id, ...resumed].join(' ').replaceAll('rooms/', ''))
      data.push(JSON.parse(event.data))
    },
    onDisconnect: () => void received.push('disconnected'),
  }
  const stop = tab.subscribe(subscription)
  stops.push(stop)
  return { received, data, stop }
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

test('two tabs share one stream, and each receives every event once [R8]', async () => {
  const { first, second } = await twoTabs()
  send('room.writing', writing(one), 'b')
  await receivedBy(second, 'ready a', 'room.writing b')
  expect(first.received).toEqual(['ready a', 'room.writing b'])
  expect(FakeSource.opened).toHaveLength(1)
})

test('a tab or a page that joins the stream later receives the last count of its room, and no other earlier event [R8 RVIEW-18]', async () => {
  const tab = new Tabs()
  const first = subscribe(tab, [one, two])
  await opened(`${one},${two}`)
  send('ready', { rooms: [one, two] }, 'a')
  send('room.presence', { roomId: one, count: 1 }, 'b')
  send('room.presence', { roomId: one, count: 2 }, 'c')
  send('room.presence', { roomId: two, count: 5 }, 'd')
  send('room.writing', writing(one), 'e')
  for (const later of [subscribe(tab, [one]), subscribe(new Tabs(), [one])]) {
    // The id is that of the newest event, after which this tab resumes when it becomes the leader.
    await receivedBy(later, 'ready e', 'room.presence e')
    expect(later.data.at(-1)).toEqual({ roomId: one, count: 2 })
  }
  expect(first.received).toHaveLength(5)
  // After an interruption the server sends the counts again.
  source().fail('lost')
  send('ready', { rooms: [one, two] }, 'f')
  const last = subscribe(tab, [one])
  expect(last.received).toEqual(['ready f'])
})

test('when the leader is closed, another tab resumes the stream after the last event [R8 R9]', async () => {
  const { first, second } = await twoTabs()
  send('room.writing', writing(one), 'b')
  await receivedBy(second, 'ready a', 'room.writing b')
  first.stop()
  await opened(one, `${one}&after=b`)
  expect(FakeSource.open).toHaveLength(1)
  send('ready', { rooms: [one] }, 'c')
  expect(second.received.at(-1)).toBe(`ready c ${one}`)
})

test('a leader that is hidden keeps the stream, and a tab that is opened later receives its events [R8]', async () => {
  const { first } = await twoTabs()
  Object.assign(document, { visibilityState: 'hidden' })
  const third = subscribe(new Tabs(), [one])
  await receivedBy(third, 'ready a')
  send('room.writing', writing(one), 'b')
  await receivedBy(third, 'ready a', 'room.writing b')
  expect(first.received).toEqual(['ready a', 'room.writing b'])
  expect(FakeSource.opened).toHaveLength(1)
})

test('a tab with another room reopens the stream after the last event, and when this tab is closed the stream has only the first room [R8 R9]', async () => {
  const { first } = await twoTabs()
  const third = subscribe(new Tabs(), [two])
  await opened(one, `${one},${two}&after=a`)
  send('ready', { rooms: [one, two] }, 'b')
  // The new room is not among the resumed ones: its page fetches the state.
  await receivedBy(third, `ready b ${one}`)
  expect(first.received.at(-1)).toBe(`ready b ${one}`)
  third.stop()
  await opened(one, `${one},${two}&after=a`, `${one}&after=b`)
  expect(FakeSource.open).toHaveLength(1)
})

test('a subscription to a readable and an unreadable room receives the readable one [R8]', async () => {
  const first = subscribe(new Tabs(), [one, two])
  await opened(`${one},${two}`)
  send('ready', { rooms: [one] }, 'a')
  const second = subscribe(new Tabs(), [one, two])
  await receivedBy(second, 'ready a')
  expect(first.received).toEqual(['ready a'])
})

test('all tabs are notified when the stream is interrupted and when it is connected again [R8 R9]', async () => {
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
  // Without a cursor, because events were missed meanwhile.
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

test('the stream has the inbox of the person who signed in last, and the rooms of all tabs [R10]', async () => {
  subscribeTo(new Tabs(), topicsOf(inboxTopics, ['ana']), 'ana')
  await vi.waitFor(() => expect(FakeSource.open.at(-1)?.url).toBe('/api/live?inbox=ana'))
  subscribe(new Tabs(), [one], 'ana')
  await vi.waitFor(() => expect(source().url).toBe(`/api/live?inbox=ana&rooms=${one}`))
  subscribeTo(new Tabs(), topicsOf(inboxTopics, ['ben']), 'ben')
  await vi.waitFor(() => expect(source().url).toBe(`/api/live?inbox=ben&rooms=${one}`))
})

test('the topics of a tab that crashed are removed from the stream [R8]', async () => {
  const { second } = await twoTabs()
  const channel = new BroadcastChannel(channelName)
  channel.postMessage({
    kind: 'subscriptions',
    tab: 'crashed',
    topics: topicsOf(roomTopics, [two]),
    personId: 'ana',
  })
  await opened(one, `${one},${two}&after=a`)
  channel.close()
  for (let minute = 0; minute < 3; minute++) await vi.advanceTimersByTimeAsync(60_000)
  await opened(one, `${one},${two}&after=a`, `${one}&after=a`)
  expect(second.received).toEqual(['ready a'])
})

test('a visible tab takes the stream from a leader that is suspended [R8]', async () => {
  const asleep = new AbortController()
  const sleep = () => new Promise((resolve) => asleep.signal.addEventListener('abort', resolve))
  const sleeper = navigator.locks.request(channelName, sleep).catch((error: unknown) => error)
  const awake = subscribe(new Tabs(), [one])
  await vi.advanceTimersByTimeAsync(20_000)
  expect(FakeSource.opened).toEqual([])
  await vi.advanceTimersByTimeAsync(20_000)
  await opened(one)
  expect(await sleeper).toMatchObject({ name: 'AbortError' })
  send('ready', { rooms: [one] }, 'a')
  expect(awake.received).toEqual(['ready a'])
})

test('a leader whose lock was stolen subscribes again [R8 R9]', async () => {
  const { first, second } = await twoTabs()
  const taken = await navigator.locks.request(channelName, { steal: true }, () => true)
  expect(taken).toBe(true)
  await vi.waitFor(() => expect(FakeSource.opened).toHaveLength(2))
  expect(FakeSource.open).toHaveLength(1)
  send('ready', { rooms: [one] }, 'b')
  // The first tab may have missed events, the second one has not. Both receive the new `ready`.
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

const show = (visibilityState: 'visible' | 'hidden') => {
  Object.assign(document, { visibilityState })
  document.dispatchEvent(new Event('visibilitychange'))
}
const minute = 60_000

test('a page that was hidden for five minutes is away and gets events all the same, and one that is seen again is not [REACH-08 R8]', async () => {
  const reader = subscribe(new Tabs(), [one])
  await opened(one)
  send('ready', { rooms: [one] }, 'a')
  show('hidden')
  vi.advanceTimersByTime(5 * minute)
  expect(urls()).toEqual([one])
  vi.advanceTimersByTime(minute)
  expect(urls()).toEqual([one, `${one}&isAway=true&after=a`])
  send('ready', { rooms: [one] }, 'b')
  send('room.writing', writing(one), 'c')
  expect(reader.received).toEqual(['ready a', `ready b ${one}`, 'room.writing c'])
  show('visible')
  expect(urls()).toEqual([one, `${one}&isAway=true&after=a`, `${one}&after=c`])
  expect(FakeSource.open).toHaveLength(1)
})

test('a browser is not away while one of its pages is visible, or may show notifications on the desktop [REACH-08]', async () => {
  subscribe(new Tabs(), [one])
  await opened(one)
  send('ready', { rooms: [one] }, 'a')
  // A visible page in another window.
  const channel = new BroadcastChannel(channelName)
  stops.push(() => channel.close())
  let answers = 0
  channel.onmessage = ({ data }: MessageEvent<{ kind: string }>) => {
    if (data.kind === 'leader-runs') answers++
  }
  const topics = topicsOf(roomTopics, [one])
  show('hidden')
  for (let minutes = 1; minutes <= 8; minutes++) {
    channel.postMessage({ kind: 'subscriptions', tab: 'shown', topics, personId: 'ana', isAway: false })
    await vi.waitFor(() => expect(answers).toBe(minutes))
    vi.advanceTimersByTime(minute)
  }
  expect(urls()).toEqual([one])
  vi.stubGlobal('Notification', { permission: 'granted' })
  vi.advanceTimersByTime(10 * minute)
  expect(urls()).toEqual([one])
  vi.stubGlobal('Notification', { permission: 'default' })
  vi.advanceTimersByTime(minute)
  expect(urls()).toEqual([one, `${one}&isAway=true&after=a`])
})
