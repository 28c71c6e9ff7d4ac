import type { ReactNode } from 'react'
import { useSession } from '#web/features/account/index.ts'
import { part } from '#web/ui/part.tsx'
import { failedPage } from './failed-page.tsx'

interface AdminOnlyProps {
  children: ReactNode
  /** What moderators see instead. */
  forModerators?: ReactNode
}

/** Shows its page to admins only. For other people no code of the page is loaded. */
export function AdminOnly({ children, forModerators }: AdminOnlyProps) {
  const { state, isAdmin, user } = useSession()
  if (isAdmin) return children
  if (user?.isModerator && forModerators) return forModerators
  if (state === 'unknown') return null
  return <AdminRefusal isVisitor={state === 'none'} />
}

const AdminRefusal = part(async () => (await import('./AdminRefusal.tsx')).AdminRefusal, failedPage, null)
