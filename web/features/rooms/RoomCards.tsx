import type { Room } from '#contract/rooms/room.ts'
import { cx } from '#web/ui/cx.ts'
import { RoomCard } from './RoomCard.tsx'

export const gridClass = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3'

/** What may be seen at first has its true height from the start, so that nothing below it moves. */
const drawnAtOnce = 12

export function RoomCards({ rooms }: { rooms: readonly Room[] }) {
  return (
    <ul className={gridClass}>
      {rooms.map((room, i) => (
        <li
          key={room.id}
          className={cx(i >= drawnAtOnce && '[contain-intrinsic-size:auto_15rem] [content-visibility:auto]')}
        >
          <RoomCard room={room} />
        </li>
      ))}
    </ul>
  )
}
