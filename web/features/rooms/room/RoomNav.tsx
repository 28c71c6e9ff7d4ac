import { Trash2, UserPlus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { deleteFeedRoom } from '#contract/rooms/endpoints.ts'
import { roomsPath, shelfPath, storyPath } from '#contract/rooms/paths.ts'
import type { Room } from '#contract/rooms/room.ts'
import { useSession } from '#web/features/account/index.ts'
import { InvitationLinks } from '#web/features/invitations/index.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { useRoomDeletion } from '../use-room-deletion.ts'

/** The link to the list, the menu of the creator of a table, the invitation to the room, and for admins the button that deletes it. */
export function RoomNav({ room, children }: { room: Room; children?: ReactNode }) {
  const { isAdmin, state, user } = useSession()
  const [isInviting, setIsInviting] = useState(false)
  const mayInvite =
    state === 'registered' && room.isActive && (room.isPublic || room.createdByUserId === user.id)
  const [path, navigate] = useLocation()
  const remove = useRoomDeletion(deleteFeedRoom)
  const listPath = path === storyPath(room.id) ? shelfPath : roomsPath
  const deleteThis = async () => {
    if (await remove(room)) navigate(listPath)
  }
  return (
    <div className="flex items-center justify-between gap-3 print:hidden">
      <Link
        href={listPath}
        className="touch inline-flex items-center text-lamp underline-offset-4 hover:underline"
      >
        ← Back
      </Link>
      <div className="flex items-center">
        {children}
        {mayInvite && (
          <IconButton label="Invite by link" icon={UserPlus} onClick={() => setIsInviting(true)} />
        )}
        {isAdmin && (
          <IconButton label={`Delete ${room.name}`} icon={Trash2} onClick={() => void deleteThis()} />
        )}
      </div>
      {isInviting && (
        <Dialog title={room.name} onClose={() => setIsInviting(false)}>
          <InvitationLinks roomId={room.id} />
        </Dialog>
      )}
    </div>
  )
}
