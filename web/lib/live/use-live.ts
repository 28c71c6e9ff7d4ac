import { useEffect, useEffectEvent, useState } from 'react'
import type { LiveEventName, LiveEvents } from '#contract/live/events.ts'
import type { Told } from './connection.ts'
import { Tabs } from './tabs.ts'

/** What is told of the rooms that somebody listens to. */
export type LiveEvent =
  | {
      [Name in Exclude<LiveEventName, 'ready'>]: { type: Name; data: LiveEvents[Name] }
    }[Exclude<LiveEventName, 'ready'>]
  /** From here on nothing is missed; unless it `isResumed`, what came before has to be read. */
  | { type: 'ready'; isResumed: boolean }

interface Listening {
  rooms: readonly string[]
  /** Whose session it is; another one's stream is another stream. */
  as: string
  onEvent: (event: LiveEvent) => void
}

const tabs = new Tabs()

/** Hears what happens in rooms; while not live, a page looks for itself. */
export function useLive({ rooms, as, onEvent }: Listening): { isLive: boolean } {
  const [isLive, setLive] = useState(false)
  const tell = useEffectEvent(onEvent)
  const wanted = rooms.join(',')

  useEffect(() => {
    if (wanted === '') return
    const ids = wanted.split(',')
    let isFirst = true
    const hear = ({ name, data: json }: Told, resumed: readonly string[]) => {
      const data: unknown = JSON.parse(json)
      if (name === 'ready') {
        const { rooms: carried } = data as LiveEvents['ready']
        const isCarried = ids.some((id) => carried.includes(id))
        setLive(isCarried)
        if (!isCarried) return
        tell({ type: 'ready', isResumed: !isFirst && ids.every((id) => resumed.includes(id)) })
        isFirst = false
      } else if (name === 'reset' || ids.includes((data as { roomId: string }).roomId)) {
        // Names and contents come from our own server, in pairs.
        tell({ type: name, data } as LiveEvent)
      }
    }
    const stop = tabs.listen({ rooms: ids, as, hear, lose: () => setLive(false) })
    return () => {
      stop()
      setLive(false)
    }
  }, [wanted, as])

  return { isLive }
}
