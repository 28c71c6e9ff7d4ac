import type { ReactNode } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import { shortTimeLeft } from '#contract/rooms/times.ts'
import { useClock } from '#web/lib/interval.ts'
import { cx } from '#web/ui/cx.ts'
import { type KnownTurn, msLeftOf } from './api.ts'

interface TurnRingProps {
  room: Pick<Room, 'turnSeconds'>
  /** Null draws an empty ring: nobody holds a turn, or another member does. */
  turn: KnownTurn | null
  className?: string
  /** Stands inside of the ring. */
  children?: ReactNode
}

const radius = 26
const circumference = 2 * Math.PI * radius
const warnMs = 15_000
const hourMs = 3_600_000

/** The time that a turn has left, by the clock of the server: a ring that empties. */
export function TurnRing({ room, turn, className, children }: TurnRingProps) {
  // The last turn is up to two turns long: its ring is full at that length.
  const wholeMs = (room.turnSeconds ?? 1) * 1000 * (turn?.isLast ? 2 : 1)
  const part = useClock((now) => Math.round((msLeftOf(turn, now) / wholeMs) * 500) / 500)
  const isNearEnd = useClock((now) => msLeftOf(turn, now) <= warnMs)
  return (
    <span className={cx('relative grid shrink-0 place-items-center', className)}>
      <svg
        viewBox="0 0 60 60"
        aria-hidden
        className={cx('absolute inset-0 size-full -rotate-90', isNearEnd ? 'text-warn' : 'text-lamp')}
      >
        <circle cx="30" cy="30" r={radius} fill="none" strokeWidth="4" className="stroke-line" />
        {turn !== null && part > 0 && (
          <circle
            cx="30"
            cy="30"
            r={radius}
            fill="none"
            stroke="currentColor"
            strokeWidth="4"
            strokeLinecap="round"
            strokeDasharray={circumference}
            strokeDashoffset={circumference * (1 - Math.min(1, part))}
            className="transition-[stroke-dashoffset] duration-1000 ease-linear motion-reduce:transition-none"
          />
        )}
      </svg>
      {children}
    </span>
  )
}

/** The rest of a turn in words: '71h', '1h05', '1:05' or '9'. */
export function TurnTime({ turn }: { turn: KnownTurn | null }) {
  const label = useClock((now) => {
    const left = msLeftOf(turn, now)
    if (left >= hourMs) return shortTimeLeft(left)
    const seconds = Math.ceil(left / 1000)
    if (seconds < 60) return String(seconds)
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  })
  return turn === null ? null : label
}

/** Announces to the holder, who may not see the ring, that the turn ends soon. */
export function EndAnnouncement({ turn }: { turn: KnownTurn }) {
  const isNearEnd = useClock((now) => msLeftOf(turn, now) <= warnMs && msLeftOf(turn, now) > 0)
  return (
    <span role="status" className="sr-only">
      {isNearEnd && '15 seconds left in your turn'}
    </span>
  )
}
