import { useEffect, useEffectEvent, useState } from 'react'
import type { StreamEvents } from '#contract/live/events.ts'
import type { TopicKind } from '#contract/live/topics.ts'
import type { ReceivedEvent } from './connection.ts'
import { Tabs } from './tabs.ts'
import { topicKeyOf, topicsOf } from './topics.ts'

/** An event of the topics that a component subscribes to. */
export type LiveEvent<Events extends object> =
  | { [Name in keyof Events]: { type: Name; data: Events[Name] } }[keyof Events]
  /** The stream will send all later events. When `isResumed` is false, earlier events may be missing: fetch the state now. */
  | { type: 'ready'; isResumed: boolean }
  /** Events may be missing: fetch the state now. */
  | { type: 'reset' }

interface Options<Events extends object> {
  kind: TopicKind<Events>
  ids: readonly string[]
  /** The id of the signed-in person, or ''. Another person needs another stream. */
  personId: string
  onEvent: (event: LiveEvent<Events>) => void
  /** Called when the stream is open and the server sends none of these topics: the person may not read them now. */
  onRefused?: () => void
}

const tabs = new Tabs()

/** Subscribes to topics of one kind. While `isLive` is false the component has to poll. */
export function useLive<Events extends object>({
  kind,
  ids: allIds,
  personId,
  onEvent,
  onRefused,
}: Options<Events>): {
  isLive: boolean
} {
  const [isLive, setLive] = useState(false)
  const notify = useEffectEvent(onEvent)
  const refuse = useEffectEvent(() => onRefused?.())
  const idList = allIds.join(',')

  useEffect(() => {
    if (idList === '') return
    const ids = idList.split(',')
    let isFirst = true
    let hasTopicInStream = false
    const onReady = (topics: StreamEvents['ready'], resumed: readonly string[]) => {
      hasTopicInStream = ids.some((id) => topics[kind.name]?.includes(id))
      setLive(hasTopicInStream)
      if (!hasTopicInStream) return refuse()
      const isResumed = !isFirst && ids.every((id) => resumed.includes(topicKeyOf(kind.name, id)))
      notify({ type: 'ready', isResumed })
      isFirst = false
    }
    const onStreamEvent = ({ name, data: json }: ReceivedEvent, resumed: readonly string[]) => {
      const data: unknown = JSON.parse(json)
      if (name === 'ready') return onReady(data as StreamEvents['ready'], resumed)
      if (name === 'reset') return notify({ type: 'reset' })
      if (!(name in kind.events)) return
      // The casts are safe: the server sends each name with the content that belongs to it.
      const content = data as Record<string, string>
      if (kind.idField === null ? hasTopicInStream : ids.includes(content[kind.idField]!))
        notify({ type: name, data: content } as unknown as LiveEvent<Events>)
    }
    const unsubscribe = tabs.subscribe({
      topics: topicsOf(kind, ids),
      personId,
      onEvent: onStreamEvent,
      onDisconnect: () => setLive(false),
    })
    return () => {
      unsubscribe()
      setLive(false)
    }
  }, [kind, idList, personId])

  return { isLive }
}
