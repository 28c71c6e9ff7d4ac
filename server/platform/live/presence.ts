import type { Clock } from '../clock.ts'

/**
 * Messages between processes about the people who have a topic open. `here` is repeated, because a process removes people
 * that no message has named for a while.
 */
export type PresenceMessage =
  | { kind: 'here' | 'gone'; process: string; topic: string; people: string[] }
  /** A process whose first stream has subscribed to the topic asks the other processes for their people. */
  | { kind: 'who'; process: string; topic: string }

const announceMs = 15_000
const removeAfterMs = 40_000
const peoplePerMessage = 250

interface TopicPresence {
  /** The number of streams of each person in this process. */
  own: Map<string, number>
  /** The people that the last `here` messages of this process named. */
  announced: Set<string>
  /** The people of other processes, by process and person, with the time of the last message about them. */
  others: Map<string, { person: string; receivedAt: number }>
}

interface Deps {
  /** The id of this process. */
  process: string
  clock: Pick<Clock, 'monotonicMs'>
  publish: (message: PresenceMessage) => void
}

/**
 * The people who have a topic open, in all processes. They are not stored, and known only for topics to which a stream of
 * this process is subscribed.
 */
export class Presence {
  readonly #topics = new Map<string, TopicPresence>()
  readonly #deps: Deps
  #announcedAt: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.#announcedAt = deps.clock.monotonicMs()
  }

  addTopic(topic: string): void {
    this.#topics.set(topic, { own: new Map(), announced: new Set(), others: new Map() })
    this.#deps.publish({ kind: 'who', process: this.#deps.process, topic })
  }

  /** Called when the last stream of this process has unsubscribed from the topic. */
  removeTopic(topic: string): void {
    const known = this.#topics.get(topic)
    this.#topics.delete(topic)
    if (known !== undefined) this.#publish('gone', topic, known.announced)
  }

  enter(topic: string, person: string): void {
    const own = this.#topics.get(topic)?.own
    own?.set(person, (own.get(person) ?? 0) + 1)
  }

  leave(topic: string, person: string): void {
    const own = this.#topics.get(topic)?.own
    const remaining = (own?.get(person) ?? 1) - 1
    if (remaining === 0) own?.delete(person)
    else own?.set(person, remaining)
  }

  /** The number of different people who have the topic open. */
  count(topic: string): number {
    const known = this.#topics.get(topic)
    if (known === undefined) return 0
    if (known.others.size === 0) return known.own.size
    return new Set([...known.own.keys(), ...[...known.others.values()].map(({ person }) => person)]).size
  }

  receive(message: PresenceMessage): void {
    const known = this.#topics.get(message.topic)
    if (known === undefined || message.process === this.#deps.process) return
    if (message.kind === 'who') return this.#publish('here', message.topic, known.announced)
    for (const person of message.people) {
      const key = `${message.process} ${person}`
      if (message.kind === 'here')
        known.others.set(key, { person, receivedAt: this.#deps.clock.monotonicMs() })
      else known.others.delete(key)
    }
  }

  /**
   * Runs every second. Publishes changes, every 15 s all people, and removes people of other processes that no message has
   * named for 40 s.
   */
  poll(): void {
    const now = this.#deps.clock.monotonicMs()
    const isTime = now - this.#announcedAt >= announceMs
    if (isTime) this.#announcedAt = now
    for (const [topic, known] of this.#topics) {
      const here = new Set(known.own.keys())
      this.#publish('gone', topic, known.announced.difference(here))
      this.#publish('here', topic, isTime ? here : here.difference(known.announced))
      known.announced = here
      for (const [key, { receivedAt }] of known.others)
        if (now - receivedAt > removeAfterMs) known.others.delete(key)
    }
  }

  #publish(kind: 'here' | 'gone', topic: string, people: Set<string>) {
    const names = [...people]
    for (let i = 0; i < names.length; i += peoplePerMessage) {
      const part = names.slice(i, i + peoplePerMessage)
      this.#deps.publish({ kind, process: this.#deps.process, topic, people: part })
    }
  }
}
