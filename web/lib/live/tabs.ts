import type { StreamEvents } from '#contract/live/events.ts'
import { randomId } from '#web/lib/session-keys.ts'
import { Connection, type ReceivedEvent } from './connection.ts'
import { withoutPersonalTopics, unionOfTopics, topicKeyOf, keysOf, type Topics } from './topics.ts'

/** The messages between the tabs of a browser. */
type TabMessage =
  /** All topics of a tab. Sent at each change, and every 20 s as a heartbeat. Without topics the tab leaves. */
  | { kind: 'subscriptions'; tab: string; topics: Topics; personId: string; isAway: boolean }
  /** An event of the stream, for one tab or for all. */
  | { kind: 'event'; event: ReceivedEvent; resumed: readonly string[]; to?: string }
  | { kind: 'disconnected' }
  /** The leader answers each `subscriptions` of another tab, so that this tab knows that the leader runs. */
  | { kind: 'leader-runs' }

type TabSubscriptions = Extract<TabMessage, { kind: 'subscriptions' }>

export interface Subscription {
  topics: Topics
  /** The id of the signed-in person, or ''. Another person needs another stream. */
  personId: string
  /**
   * For `ready`, `resumed` has the keys of the topics that the stream resumed: no event of them was missed. A `reset` may
   * follow and cancels this. For other events `resumed` is empty.
   */
  onEvent: (event: ReceivedEvent, resumed: readonly string[]) => void
  onDisconnect: () => void
}

/**
 * The name of the lock and of the channel. Change this name with every change of `TabMessage`: an open tab may run an
 * older version of the page.
 */
export const channelName = 'live topics, events and presence'
const heartbeatMs = 20_000
/** The leader answers each heartbeat. A leader that has left one unanswered is suspended. */
const assumeSuspendedAfterMs = 1.5 * heartbeatMs
/** A hidden tab may send its heartbeat only once a minute. After 150 s without one, treat the tab as closed. */
const assumeClosedAfterMs = 150_000

/** A tab that may show nothing on the desktop reaches its person for so long after it was hidden. */
const awayAfterMs = 300_000

const hasLocks = () => (navigator as Partial<Navigator>).locks !== undefined

/**
 * One stream for all tabs of a browser. The tab with the lock is the leader: it has the stream and sends its events to the
 * other tabs. Without locks (plain http) each tab has its own stream while it is visible.
 */
export class Tabs {
  readonly #tabId = randomId()
  readonly #subscriptions = new Set<Subscription>()
  /** Every tab has this map, so that every tab can become the leader. */
  readonly #subscriptionsByTab = new Map<
    string,
    Pick<TabSubscriptions, 'topics' | 'personId' | 'isAway'> & { receivedAt: number }
  >()
  readonly #connection = new Connection({
    onEvent: (event) => this.#sendStreamEvent(event),
    onDisconnect: () => this.#sendToAll({ kind: 'disconnected' }),
  })
  #channel: BroadcastChannel | undefined
  #lockRequest: AbortController | undefined
  #isLeader = false
  #isConnected = false
  #lastEventId = ''
  /** The topics of the stream, as its last `ready` listed them. */
  #streamTopics: StreamEvents['ready'] = {}
  /** For each topic key and event name: the newest event of a kind that replaces the one before (`states` in `TopicKind`). */
  readonly #states = new Map<string, Map<string, ReceivedEvent>>()
  #timer: ReturnType<typeof setInterval> | undefined
  #lastHeartbeatAt = 0
  #visibleAt = 0
  #leaderSeenAt = 0

  /** Returns a function that ends the subscription. */
  subscribe(subscription: Subscription): () => void {
    if (this.#subscriptions.size === 0) this.#start()
    const subscribedHere = keysOf(this.#ownTopics())
    const isSubscribedHere = keysOf(subscription.topics).every((key) => subscribedHere.includes(key))
    this.#subscriptions.add(subscription)
    this.#sendSubscriptions()
    if (isSubscribedHere && this.#isConnected)
      for (const event of this.#firstEvents(subscription.topics)) subscription.onEvent(event, [])
    return () => {
      this.#subscriptions.delete(subscription)
      if (this.#subscriptions.size === 0) this.#stop()
      else this.#sendSubscriptions()
    }
  }

  #start() {
    if (this.#timer !== undefined) return
    this.#timer = setInterval(this.#heartbeat, heartbeatMs)
    this.#lastHeartbeatAt = Date.now()
    this.#visibleAt = Date.now()
    document.addEventListener('visibilitychange', this.#heartbeat)
    addEventListener('pagehide', this.#stop)
    // `#stop` keeps this listener: a page that comes back from the back-forward cache starts again.
    addEventListener('pageshow', this.#onPageShow)
    if (!hasLocks()) {
      this.#isLeader = true
      return
    }
    this.#channel = new BroadcastChannel(channelName)
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => this.#receive(data)
    this.#requestLock()
  }

  /** Waits for the lock and becomes the leader. `steal` takes the lock from a leader that is suspended. */
  #requestLock({ steal = false } = {}) {
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
      // Rejected for two reasons: this tab aborted the request (nothing to do), or another tab stole the lock (start again).
      .catch(() => {
        if (!request.signal.aborted && this.#isLeader) this.#restart()
      })
  }

  readonly #stop = () => {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#connection.close()
    // An empty list tells the other tabs that this tab leaves.
    this.#sendToOthers({ kind: 'subscriptions', tab: this.#tabId, topics: {}, personId: '', isAway: false })
    this.#lockRequest?.abort()
    this.#channel?.close()
    this.#channel = undefined
    this.#isLeader = false
    this.#subscriptionsByTab.clear()
    this.#resetStream()
    removeEventListener('pagehide', this.#stop)
    document.removeEventListener('visibilitychange', this.#heartbeat)
  }

  /** `persisted` means that the browser restored the page from its back-forward cache. */
  readonly #onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted && this.#subscriptions.size > 0) this.#restart()
  }

  /** Subscribes without a cursor, because this tab may have missed events that other tabs received. */
  #restart() {
    this.#stop()
    this.#start()
    this.#sendSubscriptions()
  }

  readonly #heartbeat = () => {
    const now = Date.now()
    // The other tabs have treated this tab as closed.
    const wasSuspended = now - this.#lastHeartbeatAt > assumeClosedAfterMs
    const isLeaderSuspended = !this.#isLeader && now - this.#leaderSeenAt > assumeSuspendedAfterMs
    this.#lastHeartbeatAt = now
    if (wasSuspended) return this.#restart()
    if (isLeaderSuspended && document.visibilityState === 'visible') this.#requestLock({ steal: true })
    this.#sendSubscriptions()
  }

  #sendSubscriptions() {
    const [first] = this.#subscriptions
    const [topics, personId, isAway] = [this.#ownTopics(), first?.personId ?? '', this.#isAway()]
    this.#sendToAll({ kind: 'subscriptions', tab: this.#tabId, topics, personId, isAway })
  }

  #isAway(): boolean {
    if (document.visibilityState === 'visible') this.#visibleAt = Date.now()
    return Date.now() - this.#visibleAt > awayAfterMs && !mayNotify()
  }

  #ownTopics(): Topics {
    return unionOfTopics([...this.#subscriptions].map(({ topics }) => topics))
  }

  /** Sends a message to all tabs, this one included. */
  #sendToAll(message: TabMessage) {
    this.#receive(message)
    this.#sendToOthers(message)
  }

  #sendToOthers(message: TabMessage) {
    this.#channel?.postMessage(message)
  }

  #receive(message: TabMessage) {
    if (message.kind === 'subscriptions') return this.#register(message)
    // All other messages, `leader-runs` among them, come from the leader.
    this.#leaderSeenAt = Date.now()
    if (message.kind === 'disconnected') this.#onDisconnect()
    else if (message.kind === 'event' && (message.to ?? this.#tabId) === this.#tabId)
      this.#onEvent(message.event, message.resumed)
  }

  #register({ tab, topics, personId, isAway }: TabSubscriptions) {
    const known = keysOf(this.#subscriptionsByTab.get(tab)?.topics ?? {})
    const keys = keysOf(topics)
    if (keys.length === 0) this.#subscriptionsByTab.delete(tab)
    else this.#subscriptionsByTab.set(tab, { topics, personId, isAway, receivedAt: Date.now() })
    if (!this.#isLeader) return
    if (tab !== this.#tabId) this.#sendToOthers({ kind: 'leader-runs' })
    const hasNewTopics = keys.some((key) => !known.includes(key))
    const isNewStream = this.#updateStream()
    if (!hasNewTopics || !this.#isConnected || isNewStream) return
    for (const event of this.#firstEvents(topics))
      this.#sendToAll({ kind: 'event', event, resumed: [], to: tab })
  }

  /** The stream sends `ready` and states only once. These events repeat them for a tab that subscribes later. */
  #firstEvents(topics: Topics): ReceivedEvent[] {
    const ready = { name: 'ready', data: JSON.stringify(this.#streamTopics) }
    const states = keysOf(topics).flatMap((key) => [...(this.#states.get(key)?.values() ?? [])])
    // With the newest cursor, because an older id would move the cursor of the tab back.
    return [ready, ...states].map((event) => ({ ...event, id: this.#lastEventId }))
  }

  #storeState(event: ReceivedEvent) {
    const kinds = [...this.#subscriptionsByTab.values()].flatMap(({ topics }) => Object.entries(topics))
    const found = kinds.find(([, { states }]) => states.includes(event.name))
    if (found === undefined) return
    const [name, { ids, idField }] = found
    const data = JSON.parse(event.data) as Record<string, string>
    const key = topicKeyOf(name, idField === null ? ids[0]! : data[idField]!)
    this.#states.set(key, new Map(this.#states.get(key)).set(event.name, event))
  }

  /** Subscribes the stream to the topics of all tabs. Returns whether it opens a new stream. */
  readonly #updateStream = (): boolean => {
    if (!this.#isLeader) return false
    const isHiddenWithoutLocks = !hasLocks() && document.visibilityState === 'hidden'
    for (const [tab, { receivedAt }] of this.#subscriptionsByTab)
      if (tab !== this.#tabId && Date.now() - receivedAt > assumeClosedAfterMs)
        this.#subscriptionsByTab.delete(tab)
    const tabs = isHiddenWithoutLocks ? [] : [...this.#subscriptionsByTab.values()]
    // The last tab in the map has the newest person: at sign-in or sign-out a tab is removed and added again.
    const personId = tabs.at(-1)?.personId ?? ''
    const topics = unionOfTopics(
      tabs.map((tab) => (tab.personId === personId ? tab.topics : withoutPersonalTopics(tab.topics))),
    )
    const isAway = tabs.every((tab) => tab.isAway)
    const isNewStream = this.#connection.subscribe({ topics, personId, isAway }, this.#lastEventId)
    if (keysOf(topics).length === 0) this.#resetStream()
    return isNewStream
  }

  #resetStream() {
    this.#isConnected = false
    this.#lastEventId = ''
    this.#streamTopics = {}
    this.#states.clear()
  }

  #sendStreamEvent(event: ReceivedEvent) {
    const isResumed = event.name === 'ready' && this.#lastEventId !== ''
    const resumed = isResumed
      ? Object.entries(this.#streamTopics).flatMap(([kind, ids]) => ids.map((id) => topicKeyOf(kind, id)))
      : []
    this.#sendToAll({ kind: 'event', event, resumed })
  }

  #onDisconnect() {
    this.#isConnected = false
    this.#states.clear()
    for (const subscription of this.#subscriptions) subscription.onDisconnect()
  }

  #onEvent(event: ReceivedEvent, resumed: readonly string[]) {
    this.#isConnected = true
    this.#lastEventId = event.id
    this.#storeState(event)
    if (event.name === 'ready') this.#streamTopics = JSON.parse(event.data) as StreamEvents['ready']
    for (const subscription of this.#subscriptions) subscription.onEvent(event, resumed)
  }
}

/** Whether a hidden tab may show notifications on the desktop. */
const mayNotify = () => 'Notification' in globalThis && Notification.permission === 'granted'
