import type { ReactNode } from 'react'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'

interface ShowAllDialogProps {
  title: string
  description?: string
  empty: string
  onClose: () => void
  /** Cards. */
  children: ReactNode[]
}

export function ShowAllDialog({ title, description, empty, onClose, children }: ShowAllDialogProps) {
  return (
    <Dialog title={title} description={description} size="large" onClose={onClose}>
      {children.length === 0 ? (
        <EmptyState text={empty} />
      ) : (
        <div className="grid gap-4 py-1 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
      )}
    </Dialog>
  )
}
