import {
  Bell as BellIcon,
  ChartNoAxesColumn,
  Menu as MenuIcon,
  MessageCircle,
  Search,
  UsersRound,
  X,
} from 'lucide-react'
import { useState } from 'react'
import { displayName } from '#contract/account/display-name.ts'
import { openSignIn, useSession } from '#web/features/account/index.ts'
import { loadBell } from '#web/features/notifications/index.ts'
import { focusSearch, SearchBox } from '#web/features/search/index.ts'
import { useCurrentPageTitle, useUnreadCount } from '#web/lib/page-title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Wordmark } from '#web/ui/Wordmark.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { AccountButton } from './AccountButton.tsx'
import { nameOf } from './AccountRow.tsx'
import { PageLink } from './PageLink.tsx'
import { Unread } from './Unread.tsx'

const links = [
  { label: 'Messages', href: '/messages', icon: MessageCircle },
  { label: 'Reports', href: '/reports', icon: ChartNoAxesColumn },
  { label: 'People', href: '/users', icon: UsersRound },
]

export function Header() {
  const { state, user } = useSession()
  const unreadCount = useUnreadCount()
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const [isAccountOpen, setIsAccountOpen] = useState(false)
  const isWithoutAccount = state === 'none' || state === 'guest'
  return (
    <header className="phone-writing:hidden relative flex h-(--header) items-center gap-x-3 sm:gap-x-4 border-b border-line bg-surface px-4 max-[359px]:px-2 sm:px-6">
      {/* Of a fixed width, so that the search stays where it is when the title changes. */}
      <div className="flex shrink-0 flex-col max-sm:w-fit sm:w-36 xl:w-56">
        <PageLink
          href="/dashboard"
          aria-label="Z!mmer"
          className="touch flex w-fit shrink-0 items-center rounded-md pointer-coarse:-my-1"
        >
          <Wordmark className="text-2xl" />
        </PageLink>
        <Title />
      </div>
      {/* Where the header has no room for it, the box covers the header while the focus is in it. */}
      <div className="flex min-w-0 flex-1 items-center justify-center gap-1 bg-surface max-md:not-focus-within:sr-only max-md:focus-within:absolute max-md:focus-within:inset-0 max-md:focus-within:z-20 max-md:focus-within:px-4">
        <SearchBox />
        <span className="md:hidden">
          <IconButton label="Close search" icon={X} onClick={leaveFocus} />
        </span>
      </div>
      <nav aria-label="More pages" className="ms-auto hidden items-center gap-1 sm:flex">
        {links.map(({ label, href, icon: Icon }) => (
          <PageLink
            key={href}
            href={href}
            className="touch flex items-center gap-1.5 rounded-md px-2 py-1.5 text-sm text-ink-soft hover:bg-sunk hover:text-ink"
          >
            <Icon aria-hidden className="size-4" />
            <span className="sm:sr-only lg:not-sr-only">{label}</span>
            {href === '/messages' && <Unread count={unreadCount} />}
          </PageLink>
        ))}
      </nav>
      {/* As wide as its widest content, on a phone as all that is left, so that nothing moves when the page learns who is signed in. */}
      <div className="flex items-center justify-end max-sm:flex-1 sm:min-w-55 sm:gap-2">
        {isWithoutAccount && (
          <Button variant="quiet" className="max-sm:px-2" onClick={openSignIn}>
            Login
          </Button>
        )}
        {state === 'registered' && (
          <>
            <Bell personId={user.id} />
            <span className="max-sm:hidden">
              <AccountMenu name={displayName(user)} />
            </span>
          </>
        )}
        <button
          type="button"
          className="touch grid size-9 place-items-center rounded-full sm:hidden"
          onClick={() => setIsAccountOpen(true)}
        >
          <Avatar name={nameOf(state, user)} size="small" />
          <span className="sr-only">Account</span>
        </button>
        <span className="flex md:hidden">
          <IconButton label="Open search" icon={Search} onClick={focusSearch} />
          <span className="relative flex sm:hidden">
            <IconButton
              label={unreadCount === 0 ? 'Menu' : `Menu, ${unreadCount} unread`}
              icon={MenuIcon}
              aria-expanded={isSheetOpen}
              onClick={() => setIsSheetOpen(true)}
            />
            {unreadCount > 0 && (
              <span className="pointer-events-none absolute top-1.5 inset-e-1.5 size-2.5 rounded-full bg-lamp" />
            )}
          </span>
        </span>
      </div>
      {isAccountOpen && <AccountSheet onClose={() => setIsAccountOpen(false)} />}
      {isSheetOpen && <MenuSheet links={links} onClose={() => setIsSheetOpen(false)} />}
    </header>
  )
}

function Title() {
  const title = useCurrentPageTitle()
  return (
    <p title={title} className="h-5 truncate text-sm text-ink-soft max-sm:hidden low:hidden">
      {title}
    </p>
  )
}

function leaveFocus() {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

const AccountMenu = part(
  async () => (await import('./AccountMenu.tsx')).AccountMenu,
  (tryAgain) => (
    <Button variant="link" onClick={tryAgain}>
      <span className="sr-only">The account menu could not be loaded.</span>
      Try again
    </Button>
  ),
  ({ name }) => <AccountButton name={name} disabled />,
)
const Bell = part(
  loadBell,
  (tryAgain) => (
    <IconButton
      label="Notifications could not be loaded. Try again"
      icon={BellIcon}
      className="text-bad"
      onClick={tryAgain}
    />
  ),
  () => <IconButton label="Notifications" icon={BellIcon} disabled />,
)
const MenuSheet = part(async () => (await import('./MenuSheet.tsx')).MenuSheet, failedDialog)
const AccountSheet = part(async () => (await import('./AccountSheet.tsx')).AccountSheet, failedDialog)
