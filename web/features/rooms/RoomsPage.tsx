import { Suspense } from 'react'
import { useSearch } from 'wouter'
import { failedPage, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { loadRoomPage } from './load-room-page.ts'
import { RoomList } from './RoomList.tsx'

/** The lists of rooms and finished stories, or the one room that the address names. */
export function RoomsPage() {
  const id = new URLSearchParams(useSearch()).get('room')
  if (!id) return <RoomList />
  return (
    <Suspense fallback={<Skeleton className="h-[70dvh]" />}>
      <RoomPage key={id} id={id} />
    </Suspense>
  )
}

const RoomPage = part(loadRoomPage, failedPage)
