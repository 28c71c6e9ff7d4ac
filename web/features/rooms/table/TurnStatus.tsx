import type { ReactNode } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import { isSlow } from '#contract/rooms/table/table.ts'
import { timeOfDay, useClockFormat } from '#web/lib/locale.ts'
import { cx } from '#web/ui/cx.ts'
import type { KnownTurn } from './api.ts'
import { type Place, sentenceOfTurn } from './place.ts'
import { EndAnnouncement, TurnRing, TurnTime } from './TurnRing.tsx'

interface TurnStatusProps {
  room: Room
  turn: KnownTurn
  place: Place
  /** The name of the person whose turn it is. */
  holder: string | null
  isOffline: boolean
  /** What the reader can do about it. */
  children: ReactNode
}

/** Says whose turn it is, and how long. Screen readers announce each change once. */
export function TurnStatus({ room, turn, place, holder, isOffline, children }: TurnStatusProps) {
  const running = turn.holderId === null ? null : turn
  const isHolder = place === 'holder'
  const clock = useClockFormat()
  const until =
    isSlow(room) && turn.endsAt !== null ? timeOfDay(turn.endsAt, { weekday: 'long' }, clock) : null
  return (
    <div className="flex min-h-11 min-w-0 grow flex-wrap items-center gap-x-3 gap-y-2">
      <TurnRing room={room} turn={running} className="size-11">
        <span aria-hidden className="text-xs font-semibold tabular-nums">
          <TurnTime turn={running} />
        </span>
      </TurnRing>
      <div className="min-w-0 flex-1">
        <p role="status" className={cx('text-sm wrap-anywhere', isHolder && 'font-semibold text-lamp')}>
          {sentenceOfTurn(turn, place, { holder, until })}
        </p>
        {isOffline && (
          <p role="status" className="text-xs text-warn">
            No connection. What you type is kept on this device.
          </p>
        )}
        {isHolder && <EndAnnouncement turn={turn} />}
      </div>
      {children}
    </div>
  )
}
