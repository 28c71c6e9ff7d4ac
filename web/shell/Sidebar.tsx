import { PanelRightClose, PanelRightOpen } from 'lucide-react'
import { type ReactNode, useState, useSyncExternalStore } from 'react'
import { useSession } from '#web/features/account/index.ts'
import { useHas } from '#web/lib/app-config.tsx'
import { storedText } from '#web/lib/storage.ts'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { failedLine, part } from '#web/ui/part.tsx'
import { Tooltip } from '#web/ui/Tooltip.tsx'
import { entries, type Entry, withoutProfiles } from './entries.ts'
import { PageLink } from './PageLink.tsx'
import { useAddress } from './use-address.ts'

const storedWidth = storedText('sidebar', { allowed: ['collapsed', 'expanded'] })
const narrowWindow = () => matchMedia('(max-width: 1023px)')

/**
 * On the right-hand side: expanded with labels, collapsed with tooltips. The browser stores the choice, which the server
 * does not know: in rendered HTML the width of the window and the attribute that `/theme.js` sets decide, by CSS.
 */
export function Sidebar() {
  const unlessChosen = useSyncExternalStore(onWidthChange, readCollapsed, () => undefined)
  const [chosen, setChosen] = useState<boolean>()
  const isCollapsed = chosen ?? unlessChosen
  const toggle = () => {
    setChosen(!isCollapsed)
    storedWidth.write(isCollapsed ? 'expanded' : 'collapsed')
  }
  return (
    <aside
      id="sidebar"
      className={cx(
        'sticky top-0 hidden h-dvh shrink-0 flex-col gap-1 border-s border-line bg-surface pb-16 lowest:pb-2 sm:flex',
        isCollapsed === undefined
          ? 'w-12 in-data-[sidebar=expanded]:w-52 lg:not-in-data-[sidebar=collapsed]:w-52'
          : isCollapsed
            ? 'w-12'
            : 'w-52',
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
      <SidebarEntries isCollapsed={isCollapsed} />
    </aside>
  )
}

export function SidebarEntries({
  isCollapsed,
}: {
  /** Undefined on the server and during hydration: then CSS decides. */
  isCollapsed: boolean | undefined
}) {
  const { user } = useSession()
  return (
    <nav aria-label="Main" className="flex flex-col gap-4 overflow-y-auto px-1.5">
      <EntryList entries={useHas('samples') ? entries : withoutProfiles} isCollapsed={isCollapsed} />
      {(user?.isAdmin || user?.isModerator) && <AdminEntries isCollapsed={isCollapsed} />}
    </nav>
  )
}

const AdminEntries = part(async () => (await import('./AdminEntries.tsx')).AdminEntries, failedLine)

interface EntryListProps {
  entries: readonly Entry[]
  isCollapsed: boolean | undefined
  /** What stands behind the label of an entry. */
  countOf?: (entry: Entry) => ReactNode
}

export function EntryList({ entries: shown, isCollapsed, countOf }: EntryListProps) {
  const here = useAddress()
  return (
    <ul className="flex flex-col gap-0.5">
      {shown.map((entry) => {
        const link = (
          <EntryLink entry={entry} isCurrent={entry.href === here} isCollapsed={isCollapsed}>
            {countOf?.(entry)}
          </EntryLink>
        )
        return (
          <li key={entry.label}>
            {isCollapsed ? (
              <Tooltip text={entry.label} side="left">
                {link}
              </Tooltip>
            ) : (
              link
            )}
          </li>
        )
      })}
    </ul>
  )
}

interface EntryLinkProps {
  entry: Entry
  isCurrent: boolean
  isCollapsed: boolean | undefined
  children: ReactNode
}

function EntryLink({ entry: { label, href, icon: Icon }, isCurrent, isCollapsed, children }: EntryLinkProps) {
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
      <span className={cx(labelClass(isCollapsed))}>{label}</span>
      {children}
    </PageLink>
  )
}

const labelClass = (isCollapsed: boolean | undefined) =>
  isCollapsed === undefined
    ? 'sr-only in-data-[sidebar=expanded]:not-sr-only lg:not-in-data-[sidebar=collapsed]:not-sr-only'
    : isCollapsed && 'sr-only'

/** The window is zoomed or made narrow: then the text needs the room of the labels. */
function onWidthChange(onChange: () => void) {
  const query = narrowWindow()
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

function readCollapsed() {
  const width = storedWidth.read()
  return width === null ? narrowWindow().matches : width === 'collapsed'
}
