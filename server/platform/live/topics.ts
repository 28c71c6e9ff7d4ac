import { liveGapMax } from '#contract/live/events.ts'
import type { Viewer } from '../http/endpoints/policy.ts'
import { bodyOf, cursorsOf, type Stream } from './stream.ts'
import type { Streams } from './streams.ts'
import { type FoundTopic, type FoundTopics, TopicsOfKind } from './topics-of-kind.ts'
import type { TopicSource } from './topic-source.ts'

interface Deps {
  streams: Pick<Streams, 'everySecond'>
  onFailure: (error: unknown) => void
}

/** The topics to which a stream will subscribe. They are read before the stream opens. */
interface FoundSubscriptions {
  /** By the name of the kind. */
  found: Map<string, FoundTopics>
  /**
   * Whether a resumed stream must receive `reset`, after which the browser fetches everything. The stream has missed too many
   * events, or has no valid cursor for one of the topics.
   */
  isReset: boolean
}

/** Subscribes the streams of this process to topics of every kind. */
export class Topics {
  readonly #kinds = new Map<string, TopicsOfKind>()
  readonly onFailure: Deps['onFailure']

  constructor(deps: Deps) {
    this.onFailure = deps.onFailure
    deps.streams.everySecond('poll of live topics', async () => {
      for (const kind of this.#kinds.values()) await kind.poll()
    })
  }

  add(source: TopicSource): TopicsOfKind {
    const kind = new TopicsOfKind(source, this.onFailure)
    this.#kinds.set(source.kind.name, kind)
    return kind
  }

  get sources(): TopicSource[] {
    return Array.from(this.#kinds.values(), ({ source }) => source)
  }

  /**
   * Finds the requested topics that the viewer may read. `requested` has their ids by the name of the kind. `after` is
   * the event id after which a stream resumes; undefined for a new stream.
   */
  async find(
    viewer: Viewer,
    requested: Partial<Record<string, string[]>>,
    after: string | undefined,
  ): Promise<FoundSubscriptions> {
    const cursors = after === undefined ? undefined : cursorsOf(after)
    const found = new Map<string, FoundTopics>()
    for (const [name, kind] of this.#kinds) {
      const ids = requested[name]
      if (ids !== undefined) found.set(name, await kind.find(viewer, ids, cursors))
    }
    const gap = topicsOf(found).reduce((sum, { readable, cursor }) => sum + readable.lastEvent - cursor, 0)
    // A missing or invalid cursor is NaN. It makes the gap NaN, and `NaN <= liveGapMax` is false.
    const isReset = after !== undefined && (cursors === undefined || !(gap <= liveGapMax))
    return { found: after === undefined || isReset ? fromNewest(found) : found, isReset }
  }

  /**
   * Subscribes an open stream. The stream receives `ready`, then the events it has missed, or `reset` in their
   * place, then each new event. When the stream ends, it is unsubscribed.
   */
  async subscribe(stream: Stream, { found, isReset }: FoundSubscriptions): Promise<void> {
    const subscriptions = [...found].flatMap(([name, { topics }]) => {
      const kind = this.#kinds.get(name)!
      return topics.map((each) => {
        const [topic, subscriber] = kind.subscribe(stream, each)
        if (!isReset) kind.putCursor(topic, subscriber)
        return { kind, topic, subscriber, lastEvent: each.readable.lastEvent }
      })
    })
    stream.onceEnded(() => {
      for (const { topic, subscriber } of subscriptions) topic.unsubscribe(subscriber)
    })
    // Before a reset the id of `ready` has no cursors: a stream that breaks between the two gets the reset again.
    stream.send(
      bodyOf('ready', Object.fromEntries([...found].map(([name, { topics }]) => [name, idsOf(topics)]))),
    )
    if (isReset) {
      for (const { kind, topic, subscriber } of subscriptions) kind.putCursor(topic, subscriber)
      stream.send(bodyOf('reset', {}))
    }
    for (const [name, { deletedIds }] of found)
      for (const id of deletedIds) stream.send(this.#kinds.get(name)!.source.deletedBody(id))
    for (const { kind, topic } of subscriptions)
      for (const body of kind.source.firstBodies?.(stream, topic.id) ?? []) stream.send(body)
    for (const { topic, subscriber, lastEvent } of subscriptions) await topic.catchUp(subscriber, lastEvent)
  }
}

const topicsOf = (found: Map<string, FoundTopics>): FoundTopic[] =>
  [...found.values()].flatMap(({ topics }) => topics)

/** The topics with the number of their newest event as the cursor, so that only later events are sent. */
const fromNewest = (found: Map<string, FoundTopics>): Map<string, FoundTopics> =>
  new Map(
    Array.from(found, ([name, { topics, deletedIds }]) => [
      name,
      {
        topics: topics.map(({ readable }) => ({ readable, cursor: readable.lastEvent, knowsEnd: false })),
        deletedIds,
      },
    ]),
  )

const idsOf = (topics: FoundTopic[]) => topics.map(({ readable }) => readable.id)
