import { LogOut, Settings } from 'lucide-react'
import { useLocation } from 'wouter'
import { useLeaving } from '#web/features/account/index.ts'
import { Menu } from '#web/ui/Menu.tsx'
import { AccountButton } from './Header.tsx'

export function AccountMenu({ name }: { name: string }) {
  const [, navigate] = useLocation()
  const { signOut, isSigningOut } = useLeaving()
  return (
    <Menu
      trigger={<AccountButton name={name} />}
      items={[
        { label: 'Settings', icon: Settings, onSelect: () => navigate('/settings') },
        { label: 'Sign Out', icon: LogOut, disabled: isSigningOut, onSelect: () => void signOut() },
      ]}
    />
  )
}
