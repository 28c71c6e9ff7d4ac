import { lazy, type ReactNode } from 'react'
import { useSession } from '#web/features/account/index.ts'
import { retried } from '#web/ui/retried.ts'

/** Shows its page to admins alone; for others nothing of it is loaded. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const { state, isAdmin } = useSession()
  if (isAdmin) return children
  if (state === 'unknown') return null
  return <AdminRefusal isVisitor={state === 'none'} />
}

const AdminRefusal = lazy(
  retried(async () => ({ default: (await import('./AdminRefusal.tsx')).AdminRefusal })),
)
