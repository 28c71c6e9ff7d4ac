import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'
import { EmptyState } from './EmptyState.tsx'

interface CardsDialogProps {
  title: string
  description?: string | undefined
  empty: string
  onClose: () => void
  children: readonly ReactNode[]
}

export function CardsDialog({ title, description, empty, onClose, children }: CardsDialogProps) {
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
