import type { Friend } from '#contract/friends/friend.ts'
import { InvitationLinks } from '#web/features/invitations/index.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { PersonSearch } from './PersonSearch.tsx'

export interface AddFriendDialogProps {
  onClose: () => void
  /** Opens the conversation with a friend who was found. */
  onOpen: (friend: Friend) => void
}

/** The dialog stays open after a friend is added, so that a person can add another one. */
export function AddFriendDialog({ onClose, onOpen }: AddFriendDialogProps) {
  return (
    <Dialog
      onClose={onClose}
      title="Add Friend"
      description="Both of you can write as soon as one has added the other."
      size="small"
      startsInField
    >
      <PersonSearch onOpen={onOpen} />
      <div className="mt-5 border-t border-line pt-4">
        <InvitationLinks />
      </div>
    </Dialog>
  )
}
