import { Link } from 'wouter'
import { roomLink } from '#contract/rooms/paths.ts'
import type { FeedRoom } from '#contract/rooms/room.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { buttonClass } from '#web/ui/Button.tsx'
import { Facts } from './Facts.tsx'

export function RoomDetail({ room, onClose }: { room: FeedRoom; onClose: () => void }) {
  const mayRead = room.isPublic || room.isMember
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <p dir="auto" className="font-serif text-lg font-semibold">
          {room.name}
        </p>
        {room.isPublic && <Badge tone="good">Public</Badge>}
      </div>
      <p dir="auto" className="mt-2 font-serif whitespace-pre-wrap">
        {room.description}
      </p>
      <Facts
        facts={{
          Members: `${room.memberCount} ${room.memberCount === 1 ? 'member' : 'members'}`,
          Privacy: room.isPublic ? 'Public' : 'Private',
        }}
      />
      <div className="flex flex-wrap gap-3">
        {mayRead && (
          <Link href={roomLink(room)} onClick={onClose} className={buttonClass()}>
            Enter
          </Link>
        )}
        <Link href="/projects" onClick={onClose} className={buttonClass('quiet')}>
          All rooms
        </Link>
      </div>
    </>
  )
}
