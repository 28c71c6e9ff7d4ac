import type { TopicKind } from '#contract/live/topics.ts'

/** Topics of one kind, in the format in which tabs send them to each other. */
export interface TopicsOfKind {
  ids: readonly string[]
  /** The maximum of topics of the kind in one stream. */
  max: number
  events: readonly string[]
  idField: string | null
  states: readonly string[]
}

export type Topics = Readonly<Record<string, TopicsOfKind>>

export const topicsOf = <Events extends object>(kind: TopicKind<Events>, ids: readonly string[]): Topics =>
  ids.length === 0
    ? {}
    : {
        [kind.name]: {
          ids,
          max: kind.max,
          events: Object.keys(kind.events),
          idField: kind.idField,
          states: kind.states,
        },
      }

/** Joins lists of topics. Each topic occurs once. */
export function unionOfTopics(all: readonly Topics[]): Topics {
  const names = [...new Set(all.flatMap((topics) => Object.keys(topics)))].toSorted()
  return Object.fromEntries(
    names.map((name) => {
      const same = all.flatMap((topics) => topics[name] ?? [])
      return [name, { ...same[0]!, ids: [...new Set(same.flatMap(({ ids }) => ids))].toSorted() }]
    }),
  )
}

/** Without the topics of the person of a stream, such as the inbox. They are the kinds without `idField`. */
export const withoutPersonalTopics = (topics: Topics): Topics =>
  Object.fromEntries(Object.entries(topics).filter(([, { idField }]) => idField !== null))

/** The keys of all topics: `kind/id`. */
export const keysOf = (topics: Readonly<Record<string, { ids: readonly string[] }>>): string[] =>
  Object.entries(topics).flatMap(([name, { ids }]) => ids.map((id) => topicKeyOf(name, id)))

export const topicKeyOf = (kind: string, id: string): string => `${kind}/${id}`

/** The query of the address of a stream; '' without topics. */
export const streamQueryOf = (topics: Topics): string =>
  Object.entries(topics)
    .map(([name, { ids, max }]) => `${name}=${ids.slice(0, max).join(',')}`)
    .join('&')
