import { ShieldCheck, Users } from 'lucide-react'
import { useSession } from '#web/features/account/index.ts'
import { cx } from '#web/ui/cx.ts'
import type { Entry } from './entries.ts'
import { EntryList } from './Sidebar.tsx'
import { WaitingCount } from './WaitingCount.tsx'

const adminEntries: readonly Entry[] = [
  { label: 'Admin Panel', href: '/admin', icon: ShieldCheck },
  { label: 'User Management', href: '/admin-users', icon: Users },
]

const moderatorEntries: readonly Entry[] = [{ label: 'Moderation', href: '/admin', icon: ShieldCheck }]

/** What the sidebar has for admins and moderators. Other people fetch none of it. */
export function AdminEntries({ isCollapsed }: { isCollapsed: boolean | undefined }) {
  const { isAdmin } = useSession()
  const title = isAdmin ? 'ADMIN' : 'MODERATION'
  return (
    <section aria-label={title}>
      <h2
        className={cx(
          'px-2 pb-1 font-sans text-xs font-semibold tracking-wide text-ink-soft',
          isCollapsed && 'sr-only',
        )}
      >
        {title}
      </h2>
      <EntryList
        entries={isAdmin ? adminEntries : moderatorEntries}
        isCollapsed={isCollapsed}
        countOf={({ href }) => href === '/admin' && <WaitingCount isCollapsed={isCollapsed} />}
      />
    </section>
  )
}
