import type { Room } from '#contract/rooms/room.ts'
import { Facts } from '#web/features/details/index.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { useRoomMembers } from './api.ts'

/** The numbers and members of a room, for admins. It shows no passages. */
export function RoomDetails({ room }: { room: Room }) {
  const members = useRoomMembers(room.id)
  if (members.status === 'loading') return <Skeleton className="mt-4 h-64" />
  if (members.status === 'failed') {
    return <QuietLine text="The details could not be loaded." onTryAgain={members.refetch} />
  }
  const { data } = members
  return (
    <>
      <Facts
        facts={{
          Creator: 'User',
          Privacy: room.isPublic ? 'Public' : 'Private',
          Members: data.members.length,
          'Unique contributors': data.contributorCount,
          Messages: data.messageCount,
          Status: room.isActive ? 'Active' : 'Expired',
        }}
      />
      <h4 className="text-sm font-semibold">Member list</h4>
      <ul className="mt-1 max-h-60 overflow-y-auto text-sm">
        {data.members.map(({ id, username, email }) => (
          <li key={id} className="py-0.5 wrap-anywhere">
            {username ?? email ?? id}
          </li>
        ))}
      </ul>
    </>
  )
}
