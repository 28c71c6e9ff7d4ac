import { Suspense } from 'react'
import { useSearch } from 'wouter'
import { CreatorsPage } from '#web/features/creators/index.ts'
import { RoomsPage } from '#web/features/rooms/index.ts'
import { useHas } from '#web/lib/app-config.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { ViewSwitch } from '#web/ui/ViewSwitch.tsx'
import { PageLink } from './PageLink.tsx'

const profiles = { name: 'Z!mmer Profiles', href: '/zimmers' }
const rooms = { name: 'Z!mmers', href: '/zimmers?view=rooms' }

/** Creator profiles and rooms share one address and a switch of two parts. Without the profiles it leads to the rooms. */
export function Rooms() {
  const query = new URLSearchParams(useSearch())
  const isRooms = query.get('view') === 'rooms'
  const hasSamples = useHas('samples')
  if (!hasSamples || (isRooms && query.get('room'))) return <RoomsPage />
  return (
    <div className="flex flex-col gap-6">
      <ViewSwitch views={[profiles, rooms]} current={isRooms ? rooms.href : profiles.href} link={PageLink} />
      <Suspense fallback={<Skeleton className="h-dvh" />}>
        {isRooms ? <RoomsPage /> : <CreatorsPage />}
      </Suspense>
    </div>
  )
}
