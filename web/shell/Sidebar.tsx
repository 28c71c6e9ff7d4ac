import { PanelRightClose, PanelRightOpen } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { storedText } from '#web/lib/storage.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { adminEntries, entries, type Entry } from './entries.ts'
import { PageLink } from './PageLink.tsx'

const storedWidth = storedText('sidebar', { allowed: ['collapsed', 'expanded'] })
const isNarrow = () => matchMedia('(max-width: 1023px)').matches

/** On the right-hand side: expanded with labels, collapsed with tooltips. The browser remembers which. */
export function Sidebar({ isAdmin }: { isAdmin: boolean }) {
  const [isCollapsed, setIsCollapsed] = useState(readCollapsed)
  const toggle = () => {
    setIsCollapsed(!isCollapsed)
    storedWidth.write(isCollapsed ? 'expanded' : 'collapsed')
  }
  return (
    <aside
      className={cx(
        'sticky top-0 hidden h-dvh shrink-0 flex-col gap-1 border-l border-line bg-surface pb-16 sm:flex',
        isCollapsed ? 'w-12' : 'w-52',
      )}
    >
      <div className="flex justify-end p-1.5">
        <IconButton
          label={isCollapsed ? 'Expand sidebar' : 'Collapse sidebar'}
          icon={isCollapsed ? PanelRightOpen : PanelRightClose}
          aria-expanded={!isCollapsed}
          tooltipSide="left"
          onClick={toggle}
        />
      </div>
      <SidebarEntries isAdmin={isAdmin} isCollapsed={isCollapsed} />
    </aside>
  )
}

export function SidebarEntries({
  isAdmin,
  isCollapsed = false,
}: {
  isAdmin: boolean
  isCollapsed?: boolean
}) {
  return (
    <nav aria-label="Main" className="flex flex-col gap-4 overflow-y-auto px-1.5">
      <EntryList entries={entries} isCollapsed={isCollapsed} />
      {isAdmin && (
        <section aria-label="ADMIN">
          <h2
            className={cx(
              'px-2 pb-1 font-sans text-xs font-semibold tracking-wide text-ink-soft',
              isCollapsed && 'sr-only',
            )}
          >
            ADMIN
          </h2>
          <EntryList entries={adminEntries} isCollapsed={isCollapsed} />
        </section>
      )}
    </nav>
  )
}

function EntryList({ entries: shown, isCollapsed }: { entries: readonly Entry[]; isCollapsed: boolean }) {
  const [path] = useLocation()
  const search = useSearch()
  const here = search.includes('view=rooms') ? `${path}?view=rooms` : path === '/' ? '/dashboard' : path
  return (
    <ul className="flex flex-col gap-0.5">
      {shown.map((entry) => (
        <li key={entry.label}>
          {isCollapsed ? (
            <Tooltip text={entry.label} side="left">
              <EntryLink entry={entry} isCurrent={entry.href === here} isCollapsed />
            </Tooltip>
          ) : (
            <EntryLink entry={entry} isCurrent={entry.href === here} />
          )}
        </li>
      ))}
    </ul>
  )
}

interface EntryLinkProps {
  entry: Entry
  isCurrent: boolean
  isCollapsed?: boolean
}

function EntryLink({ entry: { label, href, icon: Icon }, isCurrent, isCollapsed = false }: EntryLinkProps) {
  return (
    <PageLink
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className={cx(
        'touch flex items-center gap-3 rounded-md px-2 py-2 text-sm text-ink-soft transition-colors hover:bg-sunk hover:text-ink',
        isCurrent && 'bg-sunk font-medium text-ink',
      )}
    >
      <Icon aria-hidden className={cx('size-5 shrink-0', isCurrent && 'text-lamp')} />
      <span className={isCollapsed ? 'sr-only' : undefined}>{label}</span>
    </PageLink>
  )
}

function readCollapsed() {
  const width = storedWidth.read()
  return width === null ? isNarrow() : width === 'collapsed'
}
