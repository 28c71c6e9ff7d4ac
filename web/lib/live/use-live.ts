import { useEffect, useEffectEvent, useState } from 'react'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import type { StreamMessage } from './connection.ts'
import { Tabs } from './tabs.ts'

/** An event of the rooms that a component subscribes to. */
export type LiveEvent =
  | {
      [Name in Exclude<LiveEventName, 'ready'>]: { type: Name; data: LiveEvents[Name] }
    }[Exclude<LiveEventName, 'ready'>]
  /** All later events will arrive. When `isResumed` is false, earlier ones may be missing: fetch the state now. */
  | { type: 'ready'; isResumed: boolean }

interface Options {
  rooms: readonly string[]
  /** The signed-in person, or ''. Another person needs another stream. */
  personId: string
  onEvent: (event: LiveEvent) => void
}

const tabs = new Tabs()

/** Receives the events of rooms. While `isLive` is false the component has to poll. */
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
        const hasRoomInStream = ids.some((id) => streamRooms.includes(id))
        setLive(hasRoomInStream)
        if (!hasRoomInStream) return
        notify({ type: 'ready', isResumed: !isFirst && ids.every((id) => resumed.includes(id)) })
        isFirst = false
      } else if (name === 'reset' || ids.includes((data as { roomId: string }).roomId)) {
        // The cast is safe: the server sends each name with the content that belongs to it.
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
