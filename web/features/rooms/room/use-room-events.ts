import { useState } from 'react'
import type { RoomMessage } from '#contract/rooms/room.ts'
import type { User } from '#contract/account/user.ts'
import { useLive } from '#web/lib/live/use-live.ts'
import { useClock, useInterval } from '#web/lib/interval.ts'
import { useRoomCache } from './api.ts'

interface Hearing {
  id: string
  user: User | null
  /** A passage came. */
  onPassage: (passage: RoomMessage) => void
  /** Something may have been missed: all is to be read anew. */
  onMissed: () => void
}

const lookAgainMs = 30_000
const writingMs = 5000

/** What happens in a room, and who is there: live, or by looking again every half minute. */
export function useRoomEvents({ id, user, onPassage, onMissed }: Hearing) {
  const { change, readAnew } = useRoomCache(id)
  const [hereCount, setHereCount] = useState<number | null>(null)
  const [writers, setWriters] = useState<Record<string, number>>({})
  const [isDeleted, setDeleted] = useState(false)

  const readAll = () => {
    readAnew()
    onMissed()
  }
  const { isLive } = useLive({
    rooms: isDeleted ? [] : [id],
    as: user?.id ?? '',
    onEvent: (event) => {
      switch (event.type) {
        case 'room.message': {
          const { userId } = event.data
          onPassage(event.data)
          if (userId !== null) setWriters((known) => ({ ...known, [userId]: 0 }))
          return
        }
        case 'room.joined':
          return void change({ memberCount: event.data.memberCount })
        case 'room.presence':
          return setHereCount(event.data.count)
        case 'room.writing': {
          const { userId } = event.data
          if (userId !== user?.id) setWriters((known) => ({ ...known, [userId]: Date.now() + writingMs }))
          return
        }
        case 'room.deleted':
          return setDeleted(true)
        case 'ready':
          return event.isResumed ? undefined : readAll()
        case 'room.expired':
        case 'reset':
          return readAll()
      }
    },
  })
  useInterval(lookAgainMs, () => {
    if (!isLive && !isDeleted) readAll()
  })

  const writing = useClock((now) =>
    Object.keys(writers)
      .filter((userId) => writers[userId]! > now.getTime())
      .join(' '),
  )
  return {
    isDeleted,
    /** Null while nobody knows. */
    hereCount: isLive ? hereCount : null,
    /** The ids of others who write just now. */
    writing: writing === '' ? [] : writing.split(' '),
  }
}
