import { ChartNoAxesColumn, Menu as MenuIcon, MessageCircle, UsersRound } from 'lucide-react'
import { Suspense, useState } from 'react'
import { displayName } from '#contract/account/display-name.ts'
import { openSignIn, useSession } from '#web/features/account/index.ts'
import { SearchBox } from '#web/features/search/index.ts'
import { useCurrentPageTitle } from '#web/lib/page-title.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Wordmark } from '#web/ui/Wordmark.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { VisuallyHidden } from '#web/ui/VisuallyHidden.tsx'
import { AccountButton } from './AccountButton.tsx'
import { PageLink } from './PageLink.tsx'

const links = [
  { label: 'Messages', href: '/messages', icon: MessageCircle },
  { label: 'Reports', href: '/reports', icon: ChartNoAxesColumn },
  { label: 'People', href: '/users', icon: UsersRound },
]

export function Header() {
  const { state, user, isAdmin } = useSession()
  const title = useCurrentPageTitle()
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const isWithoutAccount = state === 'none' || state === 'guest'
  return (
    <header className="flex min-h-[97px] flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-surface px-4 py-3 sm:h-[97px] sm:flex-nowrap sm:px-6">
      <div className="flex min-w-0 flex-col">
        <PageLink
          href="/dashboard"
          aria-label="Z!mmer"
          className="touch flex w-fit items-center rounded-md pointer-coarse:-my-1"
        >
          <Wordmark className="text-2xl" />
        </PageLink>
        {/* Its line is kept free, so that nothing moves when the name comes. */}
        <p className="h-5 truncate text-sm text-ink-soft">{title}</p>
      </div>
      <div className="order-last flex w-full min-w-0 justify-center sm:order-none sm:w-auto sm:flex-1">
        <SearchBox />
      </div>
      <nav aria-label="More pages" className="hidden items-center gap-1 sm:flex">
        {links.map(({ label, href, icon: Icon }) => (
          <PageLink
            key={href}
            href={href}
            className="touch flex items-center gap-1.5 rounded-md px-2 py-1.5 text-sm text-ink-soft hover:bg-sunk hover:text-ink"
          >
            <Icon aria-hidden className="size-4" />
            <span className="sm:sr-only lg:not-sr-only">{label}</span>
          </PageLink>
        ))}
      </nav>
      {/* As wide as its widest content, so that nothing moves when it is known who is here. */}
      <div className="ml-auto flex items-center justify-end gap-2 sm:ml-0 sm:min-w-44">
        {isWithoutAccount && (
          <Button variant="quiet" onClick={openSignIn}>
            Login
          </Button>
        )}
        {state === 'registered' && (
          <Suspense fallback={<AccountButton name={displayName(user)} disabled />}>
            <AccountMenu name={displayName(user)} />
          </Suspense>
        )}
        <span className="sm:hidden">
          <IconButton
            label="Menu"
            icon={MenuIcon}
            aria-expanded={isSheetOpen}
            onClick={() => setIsSheetOpen(true)}
          />
        </span>
      </div>
      <Suspense>
        {isSheetOpen && <MenuSheet isAdmin={isAdmin} links={links} onClose={() => setIsSheetOpen(false)} />}
      </Suspense>
    </header>
  )
}

const AccountMenu = part(
  async () => (await import('./AccountMenu.tsx')).AccountMenu,
  (tryAgain) => (
    <Button variant="link" onClick={tryAgain}>
      <VisuallyHidden>The account menu could not be loaded.</VisuallyHidden>
      Try again
    </Button>
  ),
)
const MenuSheet = part(async () => (await import('./MenuSheet.tsx')).MenuSheet, failedDialog)
