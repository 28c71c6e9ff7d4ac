import type { Creator } from '#contract/creators/creator.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { CreatorCard } from './CreatorCard.tsx'

interface ViewAllDialogProps {
  title: string
  creators: readonly Creator[]
  onOpen: (creator: Creator) => void
  onClose: () => void
}

export function ViewAllDialog({ title, creators, onOpen, onClose }: ViewAllDialogProps) {
  return (
    <Dialog title={title} size="large" onClose={onClose}>
      {creators.length === 0 ? (
        <EmptyState text="No creators are in this section." />
      ) : (
        <div className="grid gap-4 py-1 sm:grid-cols-2 lg:grid-cols-3">
          {creators.map((creator) => (
            <CreatorCard key={creator.id} creator={creator} className="w-full" onOpen={onOpen} />
          ))}
        </div>
      )}
    </Dialog>
  )
}
