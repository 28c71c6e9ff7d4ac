import { useSearch } from 'wouter'
import { usePageTitle } from '#web/lib/page-title.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ViewSwitch } from '#web/ui/ViewSwitch.tsx'
import { PageLink } from './PageLink.tsx'

const profiles = { name: 'Z!mmer Profiles', href: '/zimmers' }
const rooms = { name: 'Z!mmers', href: '/zimmers?view=rooms' }

/** Creator profiles and rooms share one address and a switch of two parts. */
export function Rooms() {
  const current = new URLSearchParams(useSearch()).get('view') === 'rooms' ? rooms : profiles
  usePageTitle(current.name)
  return (
    <section aria-labelledby="page-name" className="flex flex-col gap-4">
      <h1 id="page-name" className="text-2xl">
        {current.name}
      </h1>
      <ViewSwitch views={[profiles, rooms]} current={current.href} link={PageLink} />
      <EmptyState text="This part is being built" drawing="lamp" />
    </section>
  )
}
