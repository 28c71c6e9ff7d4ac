import { useEffect, useEffectEvent, useState } from 'react'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import type { StreamMessage } from './connection.ts'
import { Tabs } from './tabs.ts'

/** An event of the rooms that a component subscribes to. */
export type LiveEvent =
  | {
      [Name in Exclude<LiveEventName, 'ready'>]: { type: Name; data: LiveEvents[Name] }
    }[Exclude<LiveEventName, 'ready'>]
  /** From here on no event is missed. Unless it `isResumed`, the state before has to be fetched. */
  | { type: 'ready'; isResumed: boolean }

interface Options {
  rooms: readonly string[]
  /** Whose session it is: the stream of another session is another stream. */
  personId: string
  onEvent: (event: LiveEvent) => void
}

const tabs = new Tabs()

/** Receives the events of rooms. While it is not live, the component has to poll. */
export function useLive({ rooms, personId, onEvent }: Options): { isLive: boolean } {
  const [isLive, setLive] = useState(false)
  const notify = useEffectEvent(onEvent)
  const roomList = rooms.join(',')

  useEffect(() => {
    if (roomList === '') return
    const ids = roomList.split(',')
    let isFirst = true
    const onMessage = ({ name, data: json }: StreamMessage, resumed: readonly string[]) => {
      const data: unknown = JSON.parse(json)
      if (name === 'ready') {
        const { rooms: streamRooms } = data as LiveEvents['ready']
        const isInStream = ids.some((id) => streamRooms.includes(id))
        setLive(isInStream)
        if (!isInStream) return
        notify({ type: 'ready', isResumed: !isFirst && ids.every((id) => resumed.includes(id)) })
        isFirst = false
      } else if (name === 'reset' || ids.includes((data as { roomId: string }).roomId)) {
        // Our own server sends each name with its content.
        notify({ type: name, data } as LiveEvent)
      }
    }
    const unsubscribe = tabs.subscribe({
      rooms: ids,
      personId,
      onMessage,
      onDisconnect: () => setLive(false),
    })
    return () => {
      unsubscribe()
      setLive(false)
    }
  }, [roomList, personId])

  return { isLive }
}
