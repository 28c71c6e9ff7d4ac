import type { LiveEvents } from '#contract/live/events.ts'
import { randomId } from '#web/lib/session-storage.ts'
import { Connection, type StreamMessage } from './connection.ts'

/** What the tabs of a browser send each other. */
type TabMessage =
  /** The rooms of all subscriptions of a tab. No rooms: the tab has no subscription. */
  | { kind: 'subscribe'; tab: string; rooms: readonly string[]; personId: string }
  /** A message of the stream, for one tab or for all. */
  | { kind: 'message'; message: StreamMessage; resumed: readonly string[]; to?: string }
  | { kind: 'disconnected' }
  /** The leader answers each `subscribe`, so that the tabs know that it runs. */
  | { kind: 'leader-runs' }

type Subscribe = Extract<TabMessage, { kind: 'subscribe' }>

export interface Subscription {
  rooms: readonly string[]
  /** The signed-in person, or ''. Another person needs another stream. */
  personId: string
  /** `resumed` are the rooms of which no message was missed. */
  onMessage: (message: StreamMessage, resumed: readonly string[]) => void
  onDisconnect: () => void
}

/** The name of the lock and of the channel. A version of the page with other messages needs another name. */
const channelName = 'live stream'
const heartbeatMs = 20_000
/** Browsers run timers of hidden tabs once a minute at most: a tab that was silent for longer is gone. */
const goneAfterMs = 150_000

/** A page on plain http has no locks. */
const hasLocks = () => (navigator as Partial<Navigator>).locks !== undefined

/**
 * One stream for all tabs. The tab that holds the lock is the leader: it has the stream and passes its messages on. Where
 * a browser has no locks (plain http) each tab has a stream of its own while it is visible.
 */
export class Tabs {
  readonly #me = randomId()
  readonly #subscriptions = new Set<Subscription>()
  /** Every tab keeps this map, so that every tab can become the leader. */
  readonly #subscriptionsByTab = new Map<
    string,
    { rooms: readonly string[]; personId: string; receivedAt: number }
  >()
  readonly #connection = new Connection({
    onMessage: (message) => this.#passOn(message),
    onDisconnect: () => this.#publish({ kind: 'disconnected' }),
  })
  #channel: BroadcastChannel | undefined
  #lockRequest: AbortController | undefined
  #isLeader = false
  #isConnected = false
  #lastId = ''
  /** The rooms of the stream, as its last `ready` listed them. */
  #streamRooms: readonly string[] = []
  #timer: ReturnType<typeof setInterval> | undefined
  #lastHeartbeatAt = 0
  #leaderSeenAt = 0

  /** Returns a function that ends the subscription. */
  subscribe(subscription: Subscription): () => void {
    if (this.#subscriptions.size === 0) this.#enter()
    const isSubscribedHere = subscription.rooms.every((room) =>
      [...this.#subscriptions].some(({ rooms }) => rooms.includes(room)),
    )
    this.#subscriptions.add(subscription)
    this.#publishSubscriptions()
    if (isSubscribedHere && this.#isConnected) subscription.onMessage(this.#readyMessage(), [])
    return () => {
      this.#subscriptions.delete(subscription)
      if (this.#subscriptions.size === 0) this.#leave()
      else this.#publishSubscriptions()
    }
  }

  #enter() {
    if (this.#timer !== undefined) return
    this.#timer = setInterval(this.#heartbeat, heartbeatMs)
    this.#lastHeartbeatAt = Date.now()
    addEventListener('pagehide', this.#leave)
    addEventListener('pageshow', this.#onPageShow)
    if (!hasLocks()) {
      this.#isLeader = true
      document.addEventListener('visibilitychange', this.#updateStream)
      return
    }
    this.#channel = new BroadcastChannel(channelName)
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#receive(data)
    this.#requestLead()
  }

  /** Waits for the lock, or takes it from a leader that is suspended. */
  #requestLead({ steal = false } = {}) {
    this.#lockRequest?.abort()
    const request = new AbortController()
    this.#lockRequest = request
    this.#leaderSeenAt = Date.now()
    const lead = async () => {
      if (request.signal.aborted) return
      this.#isLeader = true
      this.#updateStream()
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
    }
    navigator.locks
      .request(channelName, steal ? { steal } : { signal: request.signal }, lead)
      // Either this tab left before it got the lock, or another tab took the lock while this one was suspended.
      .catch(() => {
        if (!request.signal.aborted && this.#isLeader) this.#restart()
      })
  }

  readonly #leave = () => {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#connection.close()
    this.#post({ kind: 'subscribe', tab: this.#me, rooms: [], personId: '' })
    this.#lockRequest?.abort()
    this.#channel?.close()
    this.#channel = undefined
    this.#isLeader = false
    this.#subscriptionsByTab.clear()
    this.#forgetStream()
    removeEventListener('pagehide', this.#leave)
    document.removeEventListener('visibilitychange', this.#updateStream)
  }

  /** The browser restores a page from its back-forward cache. */
  readonly #onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted && this.#subscriptions.size > 0) this.#restart()
  }

  /** Subscribes without a cursor, because this tab may have missed messages that other tabs received. */
  #restart() {
    this.#leave()
    this.#enter()
    this.#publishSubscriptions()
  }

  readonly #heartbeat = () => {
    const now = Date.now()
    const wasSuspended = now - this.#lastHeartbeatAt > goneAfterMs
    const isLeaderSilent = !this.#isLeader && now - this.#leaderSeenAt > 1.5 * heartbeatMs
    this.#lastHeartbeatAt = now
    if (wasSuspended) return this.#restart()
    if (isLeaderSilent && document.visibilityState === 'visible') this.#requestLead({ steal: true })
    this.#publishSubscriptions()
  }

  #publishSubscriptions() {
    const all = [...this.#subscriptions]
    const rooms = [...new Set(all.flatMap((subscription) => subscription.rooms))]
    this.#publish({ kind: 'subscribe', tab: this.#me, rooms, personId: all[0]?.personId ?? '' })
  }

  /** To all tabs, this one included. */
  #publish(message: TabMessage) {
    this.#receive(message)
    this.#post(message)
  }

  /** To all other tabs. */
  #post(message: TabMessage) {
    this.#channel?.postMessage(message)
  }

  #receive(message: TabMessage) {
    if (message.kind === 'subscribe') return this.#register(message)
    this.#leaderSeenAt = Date.now()
    if (message.kind === 'disconnected') this.#onDisconnect()
    else if (message.kind === 'message' && (message.to ?? this.#me) === this.#me)
      this.#onMessage(message.message, message.resumed)
  }

  #register({ tab, rooms, personId }: Subscribe) {
    const known = this.#subscriptionsByTab.get(tab)
    if (rooms.length === 0) this.#subscriptionsByTab.delete(tab)
    else this.#subscriptionsByTab.set(tab, { rooms, personId, receivedAt: Date.now() })
    if (!this.#isLeader) return
    if (tab !== this.#me) this.#post({ kind: 'leader-runs' })
    const hasNewRooms = rooms.some((room) => !known?.rooms.includes(room))
    const isReopened = this.#updateStream()
    // The stream has these rooms already and sends no other `ready`. The leader sends one to the tab.
    if (hasNewRooms && this.#isConnected && !isReopened)
      this.#publish({ kind: 'message', message: this.#readyMessage(), resumed: [], to: tab })
  }

  #readyMessage(): StreamMessage {
    return { name: 'ready', data: JSON.stringify({ rooms: this.#streamRooms }), id: this.#lastId }
  }

  /** Subscribes the stream to the rooms of all tabs. Returns whether it opens a new stream. */
  readonly #updateStream = (): boolean => {
    if (!this.#isLeader) return false
    const isHiddenWithoutLeader = this.#channel === undefined && document.visibilityState === 'hidden'
    for (const [tab, { receivedAt }] of this.#subscriptionsByTab)
      if (tab !== this.#me && Date.now() - receivedAt > goneAfterMs) this.#subscriptionsByTab.delete(tab)
    const tabs = isHiddenWithoutLeader ? [] : [...this.#subscriptionsByTab.values()]
    const rooms = [...new Set(tabs.flatMap((tab) => tab.rooms))].toSorted()
    // At a sign-in or sign-out a tab ends its subscriptions and makes new ones, which puts it last in the map.
    const isReopened = this.#connection.subscribe(rooms, tabs.at(-1)?.personId ?? '', this.#lastId)
    if (rooms.length === 0) this.#forgetStream()
    return isReopened
  }

  #forgetStream() {
    this.#isConnected = false
    this.#lastId = ''
    this.#streamRooms = []
  }

  /** From the stream to all tabs, this one included. */
  #passOn(message: StreamMessage) {
    const resumed = message.name === 'ready' && this.#lastId !== '' ? this.#streamRooms : []
    this.#publish({ kind: 'message', message, resumed })
  }

  #onDisconnect() {
    this.#isConnected = false
    for (const subscription of this.#subscriptions) subscription.onDisconnect()
  }

  #onMessage(message: StreamMessage, resumed: readonly string[]) {
    this.#isConnected = true
    this.#lastId = message.id
    if (message.name === 'ready') this.#streamRooms = (JSON.parse(message.data) as LiveEvents['ready']).rooms
    for (const subscription of this.#subscriptions) subscription.onMessage(message, resumed)
  }
}
