import { ShieldCheck, Users } from 'lucide-react'
import { cx } from '#web/ui/cx.ts'
import type { Entry } from './entries.ts'
import { EntryList } from './Sidebar.tsx'
import { WaitingPosts } from './WaitingPosts.tsx'

const adminEntries: readonly Entry[] = [
  { label: 'Admin Panel', href: '/admin', icon: ShieldCheck },
  { label: 'User Management', href: '/admin-users', icon: Users },
]

/** What the sidebar has for admins. Other people fetch none of it. */
export function AdminEntries({ isCollapsed }: { isCollapsed: boolean | undefined }) {
  return (
    <section aria-label="ADMIN">
      <h2
        className={cx(
          'px-2 pb-1 font-sans text-xs font-semibold tracking-wide text-ink-soft',
          isCollapsed && 'sr-only',
        )}
      >
        ADMIN
      </h2>
      <EntryList
        entries={adminEntries}
        isCollapsed={isCollapsed}
        countOf={({ href }) => href === '/admin' && <WaitingPosts isCollapsed={isCollapsed} />}
      />
    </section>
  )
}
