/**
 * A kind of topics of the live stream, such as the rooms. Each feature adds its own kind. A topic is one thing of the
 * kind, such as one room. A client receives the events of a topic in order, and can resume after each of them.
 */
export interface TopicKind<Events extends object> {
  /** The parameter of the address of the stream, and the field of `ready`, that lists the ids of topics. */
  name: string
  /** The maximum of topics of the kind in one stream. */
  max: number
  /** A record, so that a missing event name does not compile. */
  events: Record<keyof Events, true>
  /**
   * The field of every event that contains the id of its topic. Null when a stream has only one topic of the kind: every
   * event belongs to this topic.
   */
  idField: (keyof Events[keyof Events] & string) | null
  /** Events that replace the one before, such as a count. A tab that subscribes later receives the last one of its topic. */
  states: readonly (keyof Events & string)[]
}
