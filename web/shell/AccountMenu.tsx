import { Bookmark, LogOut, PenLine, Settings } from 'lucide-react'
import { useLocation } from 'wouter'
import { useLeaving } from '#web/features/account/index.ts'
import { Menu } from '#web/ui/Menu.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { AccountButton } from './AccountButton.tsx'

export function AccountMenu({ name }: { name: string }) {
  const [, navigate] = useLocation()
  const { signOut, isSigningOut, hasSignOutFailed } = useLeaving()
  return (
    <div className="relative">
      <Menu
        trigger={<AccountButton name={name} />}
        items={[
          { label: 'Settings', icon: Settings, onSelect: () => navigate('/settings') },
          { label: 'Your writing', icon: PenLine, onSelect: () => navigate('/writing') },
          { label: 'Read later', icon: Bookmark, onSelect: () => navigate('/read-later') },
          { label: 'Sign Out', icon: LogOut, disabled: isSigningOut, onSelect: () => void signOut() },
        ]}
      />
      {hasSignOutFailed && (
        <div className="absolute top-full inset-e-0 z-30 mt-1 w-max max-w-[calc(100vw-2rem)] rounded-md border border-line bg-surface px-3 shadow-float">
          <QuietLine
            text="You could not be signed out."
            busy={isSigningOut}
            onTryAgain={() => void signOut()}
          />
        </div>
      )}
    </div>
  )
}
