import { useRef, useState } from 'react'
import { type RoomEvents, roomTopics } from '#contract/rooms/live.ts'
import type { RoomPassage } from '#contract/rooms/room.ts'
import type { RoomTurn } from '#contract/rooms/table/table.ts'
import type { User } from '#contract/account/user.ts'
import { useLive } from '#web/lib/live/use-live.ts'
import { useClock, useInterval } from '#web/lib/interval.ts'
import { useRoomCache } from './api.ts'

interface Options {
  id: string
  user: User | null
  onPassage: (passage: RoomPassage) => void
  /** Called when an admin has erased the passage at this position. */
  onErased: (position: number) => void
  /** Called when the server has signed the newest passages. */
  onHead: (head: RoomEvents['room.head']) => void
  /** Whether the last read of the story has failed. If so, a resumed stream reads everything again. */
  hasFailed: boolean
  /** Called when the turn has changed, in a room with turns. */
  onTurn?: (turn: RoomTurn) => void
  /** Called when somebody at the table has said something beside the story. */
  onAside?: () => void
  /** Called when the loaded passages or author names may be out of date: fetch them again. */
  onOutdated: () => void
}

const pollMs = 30_000
/** How long a person is shown as writing after an event. */
const shownWritingMs = 5000

/**
 * Keeps a room up to date by live events, or without a stream by a refetch every 30 s. Returns the number of people
 * present and the ids of people who are writing.
 */
export function useRoomEvents({
  id,
  user,
  onPassage,
  onErased,
  onHead,
  hasFailed,
  onTurn,
  onAside,
  onOutdated,
}: Options) {
  const { change, refetchRoom, refetchMembership } = useRoomCache(id)
  const [presentCount, setPresentCount] = useState<number | null>(null)
  const [writingUntil, setWritingUntil] = useState<Record<string, number>>({})
  const [isDeleted, setDeleted] = useState(false)
  const isFetchedAtReady = useRef(false)

  const refetchNames = () => {
    refetchMembership()
    onOutdated()
  }
  const refetchAll = () => {
    refetchRoom()
    refetchNames()
  }
  const { isLive } = useLive({
    kind: roomTopics,
    ids: isDeleted ? [] : [id],
    personId: user?.id ?? '',
    onEvent: (event) => {
      switch (event.type) {
        case 'room.message': {
          const { userId } = event.data
          onPassage(event.data)
          // Sending ends writing.
          if (userId !== null) setWritingUntil((known) => ({ ...known, [userId]: 0 }))
          return
        }
        case 'room.joined':
          return void change({ memberCount: event.data.memberCount })
        case 'room.erased':
          return onErased(event.data.position)
        case 'room.head':
          return onHead(event.data)
        case 'room.turn':
          return onTurn?.(event.data)
        case 'room.aside':
          return onAside?.()
        case 'room.signed':
          return refetchNames()
        case 'room.presence':
          return setPresentCount(event.data.count)
        case 'room.writing': {
          const { userId } = event.data
          if (userId !== user?.id)
            setWritingUntil((known) => ({ ...known, [userId]: Date.now() + shownWritingMs }))
          return
        }
        case 'room.deleted':
          return setDeleted(true)
        case 'ready':
          isFetchedAtReady.current = !event.isResumed || hasFailed
          return isFetchedAtReady.current ? refetchAll() : undefined
        case 'reset':
          // The server sends it directly after `ready`: what was requested then is current.
          return isFetchedAtReady.current ? undefined : refetchAll()
        case 'room.expired':
          return refetchAll()
      }
    },
  })
  useInterval(pollMs, () => {
    if (!isLive && !isDeleted) refetchAll()
  })

  // A string, because `useClock` renders only when the value changes.
  const writerIds = useClock((now) =>
    Object.keys(writingUntil)
      .filter((userId) => writingUntil[userId]! > now.getTime())
      .join(' '),
  )
  return {
    isDeleted,
    isLive,
    /** Null while the number is unknown. */
    presentCount: isLive ? presentCount : null,
    /** The ids of other people who are writing. */
    writerIds: writerIds === '' ? [] : writerIds.split(' '),
  }
}
