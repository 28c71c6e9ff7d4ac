import { useState } from 'react'
import type { RoomPassage } from '#contract/rooms/room.ts'
import type { User } from '#contract/account/user.ts'
import { useLive } from '#web/lib/live/use-live.ts'
import { useClock, useInterval } from '#web/lib/interval.ts'
import { useRoomCache } from './api.ts'

interface Options {
  id: string
  user: User | null
  onPassage: (passage: RoomPassage) => void
  /** Events may have been missed: the whole state has to be fetched. */
  onMissed: () => void
}

const pollMs = 30_000
const writingMs = 5000

/** The events of a room and who is in it: live, or by polling every half minute. */
export function useRoomEvents({ id, user, onPassage, onMissed }: Options) {
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
    personId: user?.id ?? '',
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
  useInterval(pollMs, () => {
    if (!isLive && !isDeleted) readAll()
  })

  const writing = useClock((now) =>
    Object.keys(writers)
      .filter((userId) => writers[userId]! > now.getTime())
      .join(' '),
  )
  return {
    isDeleted,
    /** Null while it is not known. */
    hereCount: isLive ? hereCount : null,
    /** The ids of the others who are writing. */
    writing: writing === '' ? [] : writing.split(' '),
  }
}
