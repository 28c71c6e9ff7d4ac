import type { Friend } from '#contract/friends/friend.ts'
import { InvitationLinks } from '#web/features/invitations/index.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { PersonSearch } from './PersonSearch.tsx'

export interface AddFriendDialogProps {
  onClose: () => void
  /** The dialog stays open, so that a person can add another friend. */
  onAdded?: ((friend: Friend) => void) | undefined
  /** Opens the conversation with a friend who was found. */
  onOpen?: ((friend: Friend) => void) | undefined
}

export function AddFriendDialog({ onClose, onAdded, onOpen }: AddFriendDialogProps) {
  return (
    <Dialog
      onClose={onClose}
      title="Add Friend"
      description="Both of you can write as soon as one has added the other."
      size="small"
      startsInField
    >
      <PersonSearch onAdded={onAdded} onOpen={onOpen} />
      <div className="mt-5 border-t border-line pt-4">
        <InvitationLinks />
      </div>
    </Dialog>
  )
}
