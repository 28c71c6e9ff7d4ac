import type { ReactNode } from 'react'
import { useSession } from '#web/features/account/index.ts'
import { part } from '#web/ui/part.tsx'
import { failedPage } from './failed-page.tsx'

/** Shows its page to admins only. For other people no code of the page is loaded. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { state, isAdmin } = useSession()
  if (isAdmin) return children
  if (state === 'unknown') return null
  return <AdminRefusal isVisitor={state === 'none'} />
}

const AdminRefusal = part(async () => (await import('./AdminRefusal.tsx')).AdminRefusal, failedPage, null)
