import { useState } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import { msLeft, timeLeft } from '#contract/rooms/times.ts'
import { useClock } from '#web/lib/interval.ts'
import { cx } from '#web/ui/cx.ts'

const minuteMs = 60_000
const radius = 26
const length = 2 * Math.PI * radius

/** How much of its time a room has left: a ring that empties, and turns warm in the last five minutes. */
export function TimeRing({ room }: { room: Room }) {
  const wholeMs = room.duration * minuteMs
  const label = useClock((now) => timeLeft(room, now))
  // As fine as anybody sees.
  const part = useClock((now) => Math.round((msLeft(room, now) / wholeMs) * 500) / 500)
  const isLast = useClock((now) => msLeft(room, now) <= 5 * minuteMs)
  return (
    <div className={cx('flex items-center gap-3', isLast ? 'text-warn' : 'text-lamp')}>
      <svg viewBox="0 0 60 60" aria-hidden className="size-15 shrink-0 -rotate-90">
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
      <span
        role="timer"
        aria-label="Time left"
        className="text-lg font-semibold whitespace-nowrap tabular-nums"
      >
        {label}
      </span>
      <Announcement room={room} />
    </div>
  )
}

type Moment = 'long' | '5 minutes left' | '1 minute left' | 'The time is up'

const momentOf = (leftMs: number): Moment => {
  if (leftMs === 0) return 'The time is up'
  if (leftMs <= minuteMs) return '1 minute left'
  return leftMs <= 5 * minuteMs ? '5 minutes left' : 'long'
}

/** Read out when the moment comes, not to who enters after it. */
function Announcement({ room }: { room: Room }) {
  const moment = useClock((now) => momentOf(msLeft(room, now)))
  const [first] = useState(moment)
  return (
    <span role="status" className="sr-only">
      {moment !== first && moment}
    </span>
  )
}
