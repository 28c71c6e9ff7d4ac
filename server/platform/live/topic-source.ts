import type * as z from 'zod/mini'
import type { TokenScope } from '#contract/account/tokens/scopes.ts'
import type { TopicKind } from '#contract/live/topics.ts'
import type { Viewer } from '../http/endpoints/policy.ts'
import type { Stream } from './stream.ts'

/** A topic that a viewer may read. */
export interface ReadableTopic {
  id: string
  /** The number of the newest event. */
  lastEvent: number
  /** Whether everybody may read the topic, so that the permissions of its subscribers are not checked. */
  isPublic: boolean
}

export interface TopicState {
  id: string
  /** The number of the newest event. */
  lastEvent: number
  isEnded: boolean
}

export interface TopicEvent {
  /** Events of a topic have the numbers 1, 2, 3 … in the order of the commits. */
  number: number
  body: string
}

export interface EventBatch extends Omit<TopicState, 'id'> {
  /**
   * In the order of their numbers. When there are many, only the first of them. Events whose content was deleted or
   * replaced are left out.
   */
  events: TopicEvent[]
}

/**
 * What a feature implements for its kind of topics: it finds the topics that a viewer may read, and the events after a
 * cursor. The platform subscribes streams, puts their cursors into event ids and sends the events.
 */
export interface TopicSource<Readable extends ReadableTopic = ReadableTopic> {
  kind: Pick<TopicKind<never>, 'name' | 'max'>
  Id: z.ZodMiniType<string, string>
  /** The scope with which API tokens may subscribe. Without it none may. */
  scope?: TokenScope
  /** The topics that the viewer may read now. */
  listReadable: (viewer: Viewer, ids: string[]) => Promise<Readable[]>
  /** Which of the topics exist. */
  listExisting: (ids: string[]) => Promise<string[]>
  /** The states of the topics that exist. */
  listStates: (ids: string[]) => Promise<TopicState[]>
  /** The events after the event with this number; undefined when the topic does not exist. */
  findEventsAfter: (id: string, after: number) => Promise<EventBatch | undefined>
  /** Which of the sessions may read which of the topics. Called before an event of a topic that is not public is sent. */
  listPermissions: (ids: string[], tokenHashes: string[]) => Promise<{ id: string; tokenHash: string }[]>
  /** The name of a topic in event ids: short, and different from the names of all other topics. */
  cursorName: (id: string) => string
  deletedBody: (id: string) => string
  /**
   * For topics that end. `body` is the last event, which each stream receives once. `waitForLastEvents` waits until the
   * transactions that began before the end have committed.
   */
  end?: { body: (id: string) => string; waitForLastEvents: (id: string) => Promise<void> }
  /** Called when the first stream of this process subscribes to the topic. */
  onOpen?: (id: string) => void
  /** Called when the last stream of this process unsubscribes. */
  onClose?: (id: string) => void
  /** A method, because a function property would not accept a `Readable` with more fields as a `ReadableTopic`. */
  onSubscribe?(stream: Stream, topic: Readable): void
  onUnsubscribe?: (stream: Stream, id: string) => void
  /** Called when an open stream whose person is not away was sent the event with this number. */
  onSent?: (id: string, number: number) => void
  /** Events with state that is not stored, such as presence. A stream receives them when it subscribes. */
  firstBodies?: (stream: Stream, id: string) => string[]
}
