import type { Room } from '#contract/rooms/room.ts'
import { Badge } from '#web/ui/Badge.tsx'

/** Says of a room that its members take turns, and that its story is folded or that nobody else can join. */
export const TurnLabels = ({ room }: { room: Room }) =>
  hasTurns(room) && (
    <span className="inline-flex gap-1.5">
      <Badge>In turns</Badge>
      {room.isFolded && <Badge>Folded</Badge>}
      {room.isActive && room.isClosed && <Badge>Closed</Badge>}
    </span>
  )

/** A room that a device kept from before there were turns does not name a rule. */
export const hasTurns = ({ turns }: Pick<Room, 'turns'>): boolean => turns === 'baton' || turns === 'round'
