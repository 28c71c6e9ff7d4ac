import { useRef } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import type { Pages } from '#web/lib/pages.ts'
import { cx } from '#web/ui/cx.ts'
import { RoomCard } from './RoomCard.tsx'
import { ShowMore } from './ShowMore.tsx'

export const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3'

/** The details of one do not stretch its neighbours. */
const oneOpenClass = 'has-[[aria-expanded=true]]:items-start'

/** What may be seen at first has its true height from the start, so that nothing below it moves. */
const drawnAtOnce = 12

/** With a button for more of them, where the list goes on. */
export function RoomCards({ of: pages }: { of: Pages<Room> }) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <ul ref={list} className={cx(gridClass, oneOpenClass)}>
        {pages.items.map((room, i) => (
          <li
            key={room.id}
            className={cx(
              i >= drawnAtOnce && '[contain-intrinsic-size:auto_15rem] [content-visibility:auto]',
            )}
          >
            <RoomCard room={room} />
          </li>
        ))}
      </ul>
      <ShowMore of={pages} list={list} />
    </>
  )
}
