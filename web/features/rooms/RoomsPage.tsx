import { useSearch } from 'wouter'
import { failedPage, part } from '#web/ui/part.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { loadRoomPage } from './load-room-page.ts'
import { RoomList } from './RoomList.tsx'

/** The lists of rooms and finished stories, or the one room that the address names. */
export function RoomsPage() {
  const id = new URLSearchParams(useSearch()).get('room')
  if (!id) return <RoomList />
  return <RoomPage key={id} id={id} />
}

const RoomPage = part(loadRoomPage, failedPage, () => <Skeleton className="h-[70dvh]" />)
