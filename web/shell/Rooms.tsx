import { useSearch } from 'wouter'
import { RoomsPage } from '#web/features/rooms/index.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ViewSwitch } from '#web/ui/ViewSwitch.tsx'
import { PageLink } from './PageLink.tsx'

const profiles = { name: 'Z!mmer Profiles', href: '/zimmers' }
const rooms = { name: 'Z!mmers', href: '/zimmers?view=rooms' }

/** Creator profiles and rooms share one address and a switch of two parts. */
export function Rooms() {
  const query = new URLSearchParams(useSearch())
  const isRooms = query.get('view') === 'rooms'
  if (isRooms && query.get('room')) return <RoomsPage />
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-6">
      <ViewSwitch views={[profiles, rooms]} current={isRooms ? rooms.href : profiles.href} link={PageLink} />
      {isRooms ? <RoomsPage /> : <Profiles />}
    </div>
  )
}

function Profiles() {
  usePageTitle(profiles.name)
  return (
    <section aria-labelledby="page-name">
      <h1 id="page-name" className="text-2xl">
        {profiles.name}
      </h1>
      <EmptyState text="This part is being built" drawing="lamp" />
    </section>
  )
}
