import { Trash2 } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { deleteFeedRoom } from '#contract/rooms/endpoints.ts'
import { roomsPath, shelfPath, storyPath } from '#contract/rooms/paths.ts'
import type { Room } from '#contract/rooms/room.ts'
import { useSession } from '#web/features/account/index.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { useRoomDeletion } from '../use-room-deletion.ts'

/** The link to the list, and for admins the button that deletes the room. */
export function RoomNav({ room }: { room: Room }) {
  const { isAdmin } = useSession()
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
      {isAdmin && (
        <IconButton label={`Delete ${room.name}`} icon={Trash2} onClick={() => void deleteThis()} />
      )}
    </div>
  )
}
