import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Stream } from './stream.ts'
import { putCursor, type Subscriber, tokenHashOf } from './subscriber.ts'
import type { ReadableTopic, TopicEvent, TopicSource, TopicState } from './topic-source.ts'

interface Deps {
  source: TopicSource
  onUnsubscribe: (topic: Topic, subscriber: Subscriber) => void
  onFailure: (error: unknown) => void
}

/**
 * A topic with its subscribers in this process. New events are read from the database once for all subscribers that are
 * in sync.
 */
export class Topic {
  readonly id: string
  readonly isPublic: boolean
  readonly subscribers = new Set<Subscriber>()
  /** Subscribers that receive each new event directly. All others catch up first. */
  readonly #inSync = new Set<Subscriber>()
  readonly #deps: Deps
  readonly #cursorName: string
  /** The number of the last event that was read for the subscribers in sync. */
  #cursor: number
  #isEndSent = false
  #isPolling = false
  #isPollNeeded = false

  constructor({ id, isPublic, lastEvent }: ReadableTopic, deps: Deps) {
    this.id = id
    this.isPublic = isPublic
    this.#cursor = lastEvent
    this.#cursorName = deps.source.cursorName(id)
    this.#deps = deps
  }

  /** Whether the database has events that were not sent to the subscribers in sync. */
  isBehind(stored: TopicState): boolean {
    return stored.lastEvent > this.#cursor || (stored.isEnded && !this.#isEndSent)
  }

  /** Reads new events and sends them, in the background. A call during a poll starts another poll after it. */
  poll(): void {
    this.#isPollNeeded = true
    if (!this.#isPolling) void this.#pollWhileNeeded()
  }

  /**
   * Sends a subscriber all events after its cursor, then adds it to the subscribers in sync. Reads at least up to
   * `lastEvent`, which was read before the stream subscribed. Without permission, or when the topic was deleted, the
   * subscriber is not added. A failure ends its stream, so that the browser reconnects.
   */
  async catchUp(subscriber: Subscriber, lastEvent = 0): Promise<void> {
    try {
      await this.#sendMissed(subscriber, lastEvent)
    } catch (error) {
      this.#deps.onFailure(error)
      subscriber.stream.end()
    }
  }

  /** From now on the topic sends the subscriber nothing. */
  unsubscribe(subscriber: Subscriber): void {
    this.#inSync.delete(subscriber)
    if (this.subscribers.delete(subscriber)) this.#deps.onUnsubscribe(this, subscriber)
  }

  /**
   * Sends a transient event, such as presence, which the database does not store. Receivers: subscribers in sync for
   * which `isFor` returns true and which may read the topic. Returns their streams.
   */
  async send(body: string, isFor: (stream: Stream) => boolean = () => true): Promise<Stream[]> {
    const requested = [...this.#inSync].filter(({ stream }) => isFor(stream))
    const permitted = await this.#unsubscribeWithoutPermission(requested)
    // A subscriber may have been unsubscribed during the permission query.
    const receivers = permitted.filter((subscriber) => this.#isOpen(subscriber))
    const streams = receivers.map(({ stream }) => stream)
    for (const stream of streams) stream.send(body)
    return streams
  }

  async #sendMissed(subscriber: Subscriber, lastEvent: number) {
    while (this.#isOpen(subscriber) && subscriber.cursor < Math.max(this.#cursor, lastEvent)) {
      const batch = await this.#deps.source.findEventsAfter(this.id, subscriber.cursor)
      const [permitted] = await this.#unsubscribeWithoutPermission([subscriber])
      if (batch === undefined || permitted === undefined) return
      for (const event of batch.events) {
        if (!this.#isOpen(subscriber)) return
        this.#sendEvent(subscriber, event)
        await subscriber.stream.drained()
      }
      // The last events may be left out, because their content was deleted: move the cursor over them.
      if (batch.events.length === 0) this.#advance(subscriber, batch.lastEvent)
    }
    if (!this.#isOpen(subscriber)) return
    this.#inSync.add(subscriber)
    if (this.#isEndSent) this.#sendEnd(subscriber)
  }

  async #pollWhileNeeded() {
    this.#isPolling = true
    try {
      while (this.#isPollNeeded) {
        this.#isPollNeeded = false
        await this.#sendNewEvents()
      }
    } catch (error) {
      // `TopicsOfKind.poll` polls again within a second.
      this.#deps.onFailure(error)
    } finally {
      this.#isPolling = false
    }
  }

  async #sendNewEvents() {
    const { source } = this.#deps
    let hasWaitedForLastEvents = false
    while (this.subscribers.size > 0) {
      const batch = await source.findEventsAfter(this.id, this.#cursor)
      if (batch === undefined) return this.#sendDeletion()
      if (batch.events.length > 0) {
        await this.#sendToAll(batch.events)
        if (batch.lastEvent <= this.#cursor && !batch.isEnded) return
        continue
      }
      // The last events may be left out, because their content was deleted: move the cursor over them.
      this.#cursor = Math.max(this.#cursor, batch.lastEvent)
      if (!batch.isEnded || this.#isEndSent) return
      if (hasWaitedForLastEvents) return this.#sendEndToAll()
      // A transaction that began before the end may still commit an event. Wait for it, then read once more.
      await source.end?.waitForLastEvents(this.id)
      hasWaitedForLastEvents = true
    }
  }

  async #sendToAll(events: TopicEvent[]) {
    const permitted = await this.#unsubscribeWithoutPermission([...this.#inSync])
    for (const event of events) {
      this.#cursor = event.number
      for (const [i, subscriber] of permitted.entries()) {
        // Thousands of subscribers must not block the event loop.
        if (i % subscribersPerTurn === subscribersPerTurn - 1) await nextTurn()
        if (this.#inSync.has(subscriber) && subscriber.cursor < event.number)
          this.#sendEvent(subscriber, event)
      }
    }
    // A subscriber that was added to `#inSync` after the permission query did not get these events. Let it catch up.
    for (const subscriber of this.#inSync) {
      if (subscriber.cursor >= this.#cursor) continue
      this.#inSync.delete(subscriber)
      void this.catchUp(subscriber)
    }
  }

  /** Returns the subscribers that may still read the topic. Unsubscribes the others. */
  async #unsubscribeWithoutPermission(subscribers: Subscriber[]): Promise<Subscriber[]> {
    if (this.isPublic || subscribers.length === 0) return subscribers
    const permissions = await this.#deps.source.listPermissions([this.id], subscribers.map(tokenHashOf))
    const permittedHashes = new Set(permissions.map(({ tokenHash }) => tokenHash))
    const isPermitted = (subscriber: Subscriber) => permittedHashes.has(tokenHashOf(subscriber))
    const refused = subscribers.filter((subscriber) => !isPermitted(subscriber))
    for (const subscriber of refused) this.unsubscribe(subscriber)
    return subscribers.filter(isPermitted)
  }

  #isOpen(subscriber: Subscriber) {
    return this.subscribers.has(subscriber) && subscriber.stream.isOpen
  }

  #sendEvent(subscriber: Subscriber, { number, body }: TopicEvent) {
    this.#advance(subscriber, number)
    subscriber.stream.send(body)
    if (!subscriber.stream.isAway) this.#deps.source.onSent?.(this.id, number)
  }

  #advance(subscriber: Subscriber, number: number) {
    subscriber.cursor = Math.max(subscriber.cursor, number)
    putCursor(subscriber, this.#cursorName)
  }

  #sendEndToAll() {
    this.#isEndSent = true
    for (const subscriber of this.#inSync) this.#sendEnd(subscriber)
  }

  #sendEnd(subscriber: Subscriber) {
    const { end } = this.#deps.source
    if (end === undefined || subscriber.knowsEnd) return
    subscriber.knowsEnd = true
    putCursor(subscriber, this.#cursorName)
    subscriber.stream.send(end.body(this.id))
  }

  #sendDeletion() {
    const body = this.#deps.source.deletedBody(this.id)
    for (const subscriber of this.subscribers) {
      subscriber.stream.cursors.delete(this.#cursorName)
      subscriber.stream.send(body)
      this.unsubscribe(subscriber)
    }
  }
}

/** How many subscribers receive an event in one turn of the event loop. */
const subscribersPerTurn = 250
