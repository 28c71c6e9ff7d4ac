import type { Viewer } from '../http/endpoints/policy.ts'
import type { Cursors, Stream } from './stream.ts'
import { putCursor, readCursor, type Subscriber, tokenHashOf } from './subscriber.ts'
import { Topic } from './topic.ts'
import type { ReadableTopic, TopicSource } from './topic-source.ts'

/** A topic to which a stream will subscribe. */
export interface FoundTopic {
  readable: ReadableTopic
  /** The number of the event after which the stream resumes; NaN without a valid cursor. */
  cursor: number
  /** Whether the stream has received the end of the topic. */
  knowsEnd: boolean
}

/** The topics of one kind that a new stream requested. */
export interface FoundTopics {
  topics: FoundTopic[]
  /** Topics of a resumed stream that were deleted meanwhile. */
  deletedIds: string[]
}

/** The topics of one kind to which streams of this process are subscribed. */
export class TopicsOfKind {
  readonly source: TopicSource
  readonly #topics = new Map<string, Topic>()
  readonly #onFailure: (error: unknown) => void
  #polls = 0

  constructor(source: TopicSource, onFailure: (error: unknown) => void) {
    this.source = source
    this.#onFailure = onFailure
  }

  get(id: string): Topic | undefined {
    return this.#topics.get(id)
  }

  all(): Topic[] {
    return [...this.#topics.values()]
  }

  /**
   * Finds which of the topics the viewer may read, and which topics of a resumed stream were deleted. `cursors` is
   * undefined for a new stream, and for one whose event id is not valid.
   */
  async find(viewer: Viewer, ids: string[], cursors: Cursors | undefined): Promise<FoundTopics> {
    const { source } = this
    const resumedIds = ids.filter((id) => cursors?.has(source.cursorName(id)))
    const found = ids.length === 0 ? [] : await source.listReadable(viewer, ids)
    const existingIds = resumedIds.length === 0 ? [] : await source.listExisting(resumedIds)
    const inOrder = ids.flatMap((id) => found.find((topic) => topic.id === id) ?? [])
    return {
      topics: inOrder.map((readable) => ({
        readable,
        ...readCursor(cursors?.get(source.cursorName(readable.id)), readable.lastEvent),
      })),
      deletedIds: resumedIds.filter((id) => !existingIds.includes(id)),
    }
  }

  /**
   * Adds the stream to the subscribers. The caller must then call `topic.catchUp`: until then the topic sends the
   * subscriber no stored or transient event.
   */
  subscribe(stream: Stream, { readable, cursor, knowsEnd }: FoundTopic): [Topic, Subscriber] {
    const topic = this.#topics.get(readable.id) ?? this.#open(readable)
    const subscriber: Subscriber = { stream, cursor, knowsEnd }
    topic.subscribers.add(subscriber)
    this.source.onSubscribe?.(stream, readable)
    return [topic, subscriber]
  }

  putCursor(topic: Topic, subscriber: Subscriber): void {
    putCursor(subscriber, this.source.cursorName(topic.id))
  }

  /**
   * Runs every second. Unsubscribes streams without permission. Polls topics that ended, that were deleted, or whose bus
   * message was lost.
   */
  async poll(): Promise<void> {
    await this.#pollPermissions()
    await this.#pollStates()
  }

  #open(readable: ReadableTopic): Topic {
    const topic = new Topic(readable, {
      source: this.source,
      onUnsubscribe: (of, subscriber) => this.#onUnsubscribe(of, subscriber),
      onFailure: this.#onFailure,
    })
    this.#topics.set(topic.id, topic)
    this.source.onOpen?.(topic.id)
    // Bus messages for this topic were ignored until now, so poll once. In a microtask, because `poll` does nothing
    // before the first subscriber is added.
    queueMicrotask(() => topic.poll())
    return topic
  }

  #onUnsubscribe(topic: Topic, { stream }: Subscriber) {
    this.source.onUnsubscribe?.(stream, topic.id)
    if (topic.subscribers.size > 0) return
    this.#topics.delete(topic.id)
    this.source.onClose?.(topic.id)
  }

  /**
   * Checks a part of the subscribers of private topics, and unsubscribes those without permission. `Topic` also checks
   * permissions before it sends an event.
   */
  async #pollPermissions() {
    this.#polls++
    const checked = this.all()
      .filter(({ isPublic }) => !isPublic)
      .flatMap((topic) => [...topic.subscribers].map((subscriber) => ({ topic, subscriber })))
      .filter((_, i) => i % permissionParts === this.#polls % permissionParts)
    if (checked.length === 0) return
    const keyOf = (id: string, tokenHash: string) => `${id} ${tokenHash}`
    const permitted = await this.source.listPermissions(
      [...new Set(checked.map(({ topic }) => topic.id))],
      checked.map(({ subscriber }) => tokenHashOf(subscriber)),
    )
    const permissions = new Set(permitted.map(({ id, tokenHash }) => keyOf(id, tokenHash)))
    for (const { topic, subscriber } of checked)
      if (!permissions.has(keyOf(topic.id, tokenHashOf(subscriber)))) topic.unsubscribe(subscriber)
  }

  async #pollStates() {
    const topics = this.all()
    if (topics.length === 0) return
    const states = await this.source.listStates(topics.map(({ id }) => id))
    const stateOf = new Map(states.map((state) => [state.id, state]))
    for (const topic of topics) {
      const state = stateOf.get(topic.id)
      if (state === undefined || topic.isBehind(state)) topic.poll()
    }
  }
}

/** Each poll checks one of five parts of the subscribers, so a check of each subscriber comes about every 5 s. */
const permissionParts = 5
