import { useRef } from 'react'
import type { ListedRoom, SlowRoom } from '#contract/rooms/room.ts'
import type { Pages } from '#web/lib/pages.ts'
import { cx } from '#web/ui/cx.ts'
import { RoomCard } from './RoomCard.tsx'
import { ShowMore } from '#web/ui/ShowMore.tsx'

export const gridClass = 'grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3'

/** Open details of one card do not stretch its neighbours. */
const oneOpenClass = 'has-[[aria-expanded=true]]:items-start'

/** The first cards have their true height at once, so that nothing below them moves. */
const drawnAtOnce = 12

interface RoomCardsProps {
  rooms: readonly (ListedRoom | SlowRoom)[]
  /** The list of which the button below shows the next page. */
  pages?: Pages<ListedRoom>
}

export function RoomCards({ rooms, pages }: RoomCardsProps) {
  const list = useRef<HTMLUListElement>(null)
  return (
    <>
      <ul ref={list} className={cx(gridClass, oneOpenClass)}>
        {rooms.map((room, i) => (
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
      {pages && <ShowMore of={pages} list={list} />}
    </>
  )
}
