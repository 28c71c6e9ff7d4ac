import { Bookmark, PenLine } from 'lucide-react'
import { useSession } from '#web/features/account/index.ts'
import { useUnreadCount } from '#web/lib/page-title.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import type { Entry } from './entries.ts'
import { PageLink } from './PageLink.tsx'
import { SidebarEntries } from './Sidebar.tsx'
import { Unread } from './Unread.tsx'
import { useCloseOnNavigation } from './use-close-on-navigation.ts'

const ofPerson: readonly Entry[] = [
  { label: 'Your writing', href: '/writing', icon: PenLine },
  { label: 'Read later', href: '/read-later', icon: Bookmark },
]

/** The entries of the sidebar and the header, on a phone. */
export function MenuSheet({ links, onClose }: { links: readonly Entry[]; onClose: () => void }) {
  const { state } = useSession()
  const unreadCount = useUnreadCount()
  useCloseOnNavigation(onClose)
  return (
    <Dialog onClose={onClose} title="Menu" size="small">
      <SidebarEntries isCollapsed={false} />
      <ul className="mt-4 flex flex-col gap-0.5 border-t border-line px-1.5 pt-4">
        {[...(state === 'registered' ? ofPerson : []), ...links].map(({ label, href, icon: Icon }) => (
          <li key={href}>
            <PageLink
              href={href}
              className="touch flex items-center gap-3 rounded-md px-2 py-2 text-sm text-ink-soft hover:bg-sunk hover:text-ink"
            >
              <Icon aria-hidden className="size-5" />
              {label}
              {href === '/messages' && <Unread count={unreadCount} />}
            </PageLink>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
