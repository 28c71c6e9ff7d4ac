import { useSearch } from 'wouter'
import { usePageTitle } from '#web/lib/page-title.ts'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageLink } from './PageLink.tsx'

const views = [
  { title: 'Z!mmer Profiles', href: '/zimmers', isRooms: false },
  { title: 'Z!mmers', href: '/zimmers?view=rooms', isRooms: true },
]

/** Creator profiles and rooms share one address and a switch of two parts. */
export function Rooms() {
  const isRooms = new URLSearchParams(useSearch()).get('view') === 'rooms'
  const title = isRooms ? 'Z!mmers' : 'Z!mmer Profiles'
  usePageTitle(title)
  return (
    <section aria-labelledby="page-name">
      <h1 id="page-name" className="text-2xl">
        {title}
      </h1>
      <nav aria-label="View" className="mt-4 inline-flex rounded-md border border-edge p-0.5">
        {views.map((view) => (
          <PageLink
            key={view.href}
            href={view.href}
            aria-current={view.isRooms === isRooms ? 'page' : undefined}
            className={cx(
              'touch inline-flex items-center rounded-md px-3 py-1 text-sm',
              view.isRooms === isRooms ? 'bg-lamp text-on-lamp' : 'text-ink-soft hover:text-ink',
            )}
          >
            {view.title}
          </PageLink>
        ))}
      </nav>
      <EmptyState text="This part is being built" drawing="lamp" />
    </section>
  )
}
