import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import { msLeft, shortTimeLeft, timeLeft } from '#contract/rooms/times.ts'
import { useClock } from '#web/lib/interval.ts'
import { cx } from '#web/ui/cx.ts'

const secondMs = 1000
const minuteMs = 60_000
const radius = 26
const length = 2 * Math.PI * radius

type Timed = Pick<Room, 'duration' | 'expiresAt'>

/** The time that a room has left: a ring that empties, and has the colour of a warning in the last five minutes. */
export function TimeRing({ room }: { room: Timed }) {
  const label = useClock((now) => {
    const left = msLeft(room, now)
    return left > 0 && left < minuteMs ? `${Math.ceil(left / secondMs)}s left` : timeLeft(room, now)
  })
  return (
    <Ring room={room} className="size-15">
      <span
        role="timer"
        aria-label="Time left"
        className="text-lg font-semibold whitespace-nowrap tabular-nums"
      >
        {label}
      </span>
      <Announcement room={room} />
    </Ring>
  )
}

/**
 * The ring beside the field, which takes the place of the one in the head where that is not drawn or scrolled away. Screen
 * readers use the timer in the head.
 */
export function TimeRingBesideField({ room, head }: { room: Timed; head: RefObject<HTMLElement | null> }) {
  const isHeadInSight = useIsInSight(head)
  const label = useClock((now) => {
    const left = msLeft(room, now)
    if (left < minuteMs) return `${Math.ceil(left / secondMs)}s`
    return shortTimeLeft(left)
  })
  return (
    <div
      aria-hidden
      className={cx('relative shrink-0', isHeadInSight && 'sm:invisible')}
      data-testid="time-left"
    >
      <Ring room={room} className="size-11">
        <span className="absolute inset-0 grid place-items-center text-xs font-semibold tabular-nums">
          {label}
        </span>
      </Ring>
    </div>
  )
}

/** The time that a room has left, in words, while the ring in the head is not drawn or scrolled away. */
export function TimeLeft({ room, head }: { room: Timed; head: RefObject<HTMLElement | null> }) {
  const isHeadInSight = useIsInSight(head)
  const label = useClock((now) => timeLeft(room, now))
  return (
    <p
      aria-hidden
      className={cx('text-xs whitespace-nowrap text-ink-soft tabular-nums', isHeadInSight && 'sm:invisible')}
    >
      Story: {label}
    </p>
  )
}

function useIsInSight(element: RefObject<HTMLElement | null>): boolean {
  const [isInSight, setIsInSight] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setIsInSight(entries.at(-1)!.isIntersecting), {
      threshold: 0.5,
    })
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [element])
  return isInSight
}

/** The ring on a card, before its label. */
export const SmallTimeRing = ({ room }: { room: Timed }) => <Ring room={room} className="size-4" />

function Ring({ room, className, children }: { room: Timed; className: string; children?: ReactNode }) {
  const wholeMs = room.duration * minuteMs
  // In 500 steps: smaller ones cannot be seen.
  const part = useClock((now) => Math.round((msLeft(room, now) / wholeMs) * 500) / 500)
  const isLast = useClock((now) => msLeft(room, now) <= 5 * minuteMs)
  return (
    <div className={cx('flex items-center gap-3', isLast ? 'text-warn' : 'text-lamp')}>
      <svg viewBox="0 0 60 60" aria-hidden className={cx('shrink-0 -rotate-90', className)}>
        <circle cx="30" cy="30" r={radius} fill="none" strokeWidth="5" className="stroke-line" />
        <circle
          cx="30"
          cy="30"
          r={radius}
          fill="none"
          stroke="currentColor"
          strokeWidth="5"
          strokeLinecap="round"
          strokeDasharray={length}
          strokeDashoffset={length * (1 - Math.min(1, part))}
          className={part === 0 ? 'opacity-0' : undefined}
        />
      </svg>
      {children}
    </div>
  )
}

type Moment = 'long' | '5 minutes left' | '1 minute left' | 'The time is up'

const momentOf = (leftMs: number): Moment => {
  if (leftMs === 0) return 'The time is up'
  if (leftMs <= minuteMs) return '1 minute left'
  return leftMs <= 5 * minuteMs ? '5 minutes left' : 'long'
}

/** Announces a moment to screen readers when it comes. A person who enters later gets no announcement of earlier moments. */
function Announcement({ room }: { room: Timed }) {
  const moment = useClock((now) => momentOf(msLeft(room, now)))
  const [first] = useState(moment)
  return (
    <span role="status" className="sr-only">
      {moment !== first && moment}
    </span>
  )
}
