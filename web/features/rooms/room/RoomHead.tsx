import { Lock, Users } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import { TimeRing } from '../TimeRing.tsx'
import { TurnLabels } from '../TurnLabels.tsx'
import { RoomNav } from './RoomNav.tsx'

interface RoomHeadProps {
  room: Room
  presentCount: number | null
  ring: RefObject<HTMLDivElement | null>
  signing: ReactNode
  /** How much of the goal of the room is written. */
  goal: ReactNode
  /** What the creator of a table can do. */
  hosting?: ReactNode
}

/** The name of an open room, its theme, who is there, and the time that is left. */
export function RoomHead({ room, presentCount, ring, signing, goal, hosting }: RoomHeadProps) {
  return (
    <header className="flex flex-col gap-3">
      <RoomNav room={room}>{hosting}</RoomNav>
      <div className="flex flex-col justify-between gap-4 sm:flex-row sm:items-center">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 id="page-name" dir="auto" className="flex items-center gap-2 text-2xl">
            <span title={room.name} className="line-clamp-2 wrap-anywhere">
              {room.name}
            </span>
            {!room.isPublic && (
              <Lock role="img" aria-label="Private room" className="size-5 shrink-0 text-ink-soft" />
            )}
          </h1>
          <p dir="auto" className="font-serif whitespace-pre-wrap text-ink-soft wrap-anywhere">
            {room.description}
          </p>
          <p className="flex flex-wrap items-center gap-x-4 text-sm text-ink-soft">
            <span className="inline-flex items-center gap-1.5">
              <Users aria-hidden className="size-4" />
              {room.memberCount === 1 ? '1 member' : `${room.memberCount} members`}
            </span>
            <TurnLabels room={room} />
            {presentCount !== null && presentCount > 0 && <span>{presentCount} here</span>}
            {signing}
          </p>
          {goal}
        </div>
        {/* On a phone the ring beside the field is the one clock in sight. Screen readers use this one. */}
        <div ref={ring} className="max-sm:sr-only">
          <TimeRing room={room} />
        </div>
      </div>
    </header>
  )
}
