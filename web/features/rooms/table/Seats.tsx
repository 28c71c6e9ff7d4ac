import { UserMinus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import type { Seat } from '#contract/rooms/table/table.ts'
import { initials } from '#web/ui/Avatar.tsx'
import { cx } from '#web/ui/cx.ts'
import { Menu } from '#web/ui/Menu.tsx'
import { tintOf } from '../room/tints.ts'
import type { KnownTurn } from './api.ts'
import { TurnRing } from './TurnRing.tsx'

interface SeatsProps {
  room: Room
  turn: KnownTurn
  ownId: string | null
  nameOf: (seat: Seat) => string
  /** In a rail beside the story, or in a strip above the field. */
  shape: 'rail' | 'strip'
  /** Removes a member. Null for everybody but the creator. */
  onRemove: ((userId: string, name: string) => void) | null
}

/** Who sits at the table. The holder is lit by the ring of the turn. */
export const Seats = ({ room, turn, ownId, nameOf, shape, onRemove }: SeatsProps) => (
  <ol
    aria-label="Seats at the table"
    className={cx(
      'flex',
      shape === 'rail' ? 'flex-col gap-2.5' : 'flex-wrap items-center gap-x-1 gap-y-1 sm:gap-x-3',
    )}
  >
    {turn.seats.map((seat) => {
      const { userId, state, words } = seat
      const isHolder = userId === turn.holderId
      const isOwn = userId === ownId
      const name = nameOf(seat)
      const tint = isOwn ? 'text-lamp' : tintOf(userId).text
      return (
        <li
          key={userId}
          aria-current={isHolder || undefined}
          title={shape === 'strip' ? name : undefined}
          className="flex min-w-0"
        >
          <SeatPart
            className={cx('flex min-w-0 items-center', shape === 'rail' ? 'gap-3' : 'gap-1.5')}
            name={name}
            onRemove={onRemove === null || isOwn ? null : () => onRemove(userId, name)}
          >
            <TurnRing
              room={room}
              turn={isHolder ? turn : null}
              className={cx(shape === 'rail' ? 'size-9' : 'size-7', state === 'away' && 'opacity-60')}
            >
              <span aria-hidden className={cx('font-serif font-semibold', letterSizes[shape], tint)}>
                {initials(name)}
              </span>
            </TurnRing>
            <span className={cx('min-w-0', shape === 'strip' && 'flex items-baseline gap-1 max-sm:sr-only')}>
              <span
                dir="auto"
                className={cx(
                  'block truncate text-sm',
                  tint,
                  isHolder && 'font-semibold',
                  shape === 'strip' && 'max-w-40',
                )}
              >
                {isOwn ? 'You' : name}
              </span>
              <span className={cx('block text-xs text-ink-soft', shape === 'strip' && 'sr-only')}>
                {[isHolder && 'writing', state === 'away' && 'away', words > 0 && wordsOf(words)]
                  .filter(Boolean)
                  .join(', ')}
              </span>
            </span>
          </SeatPart>
        </li>
      )
    })}
  </ol>
)

interface SeatPartProps {
  name: string
  className: string
  onRemove: (() => void) | null
  children: ReactNode
}

/** For the creator the seat of another member is a button with a menu. */
function SeatPart({ name, className, onRemove, children }: SeatPartProps) {
  if (onRemove === null) return <div className={className}>{children}</div>
  return (
    <Menu
      trigger={
        <button type="button" className={cx('touch rounded-md text-start hover:bg-sunk', className)}>
          {children}
        </button>
      }
      items={[{ label: `Remove ${name}…`, icon: UserMinus, danger: true, onSelect: onRemove }]}
    />
  )
}

const letterSizes = { rail: 'text-xs', strip: 'text-[0.625rem]' }

const wordsOf = (words: number) => (words === 1 ? '1 word' : `${words.toLocaleString('en-US')} words`)
