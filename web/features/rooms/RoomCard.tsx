import { Clock, Lock, Trash2, Users } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { deleteRoom } from '#contract/rooms/endpoints.ts'
import { roomLink } from '#contract/rooms/paths.ts'
import type { ListedRoom, Room, SlowRoom } from '#contract/rooms/room.ts'
import { msLeft, relativeTime, timeLeft } from '#contract/rooms/times.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { useClock } from '#web/lib/interval.ts'
import { timeOfDay, useClockFormat } from '#web/lib/locale.ts'
import { Badge } from '#web/ui/Badge.tsx'
import { Button, buttonClass } from '#web/ui/Button.tsx'
import { Card } from '#web/ui/Card.tsx'
import { cx } from '#web/ui/cx.ts'
import { IconButton } from '#web/ui/IconButton.tsx'
import { JoinButton } from './JoinButton.tsx'
import { loadRoomPage } from './load-room-page.ts'
import { RoomDetails } from './RoomDetails.tsx'
import { SmallTimeRing } from './TimeRing.tsx'
import { TurnLabels } from './TurnLabels.tsx'
import { useFocusAfter } from './use-focus-after.ts'
import { useRoomDeletion } from './use-room-deletion.ts'

export function RoomCard({ room }: { room: ListedRoom | SlowRoom }) {
  const { isAdmin } = useSession()
  const nameId = useId()
  const line = room.newestPassage ?? room.opening
  return (
    <Card as="article" aria-labelledby={nameId} className="flex h-full flex-col gap-3">
      <header className="flex items-start gap-2">
        <h3
          id={nameId}
          dir="auto"
          title={room.name}
          className="line-clamp-2 min-w-0 flex-1 text-lg font-semibold wrap-anywhere"
        >
          {room.name}
        </h3>
        {!room.isPublic && (
          <Lock role="img" aria-label="Private room" className="mt-1 size-4 shrink-0 text-ink-soft" />
        )}
        <Badge tone={room.isActive ? 'good' : 'plain'} className="mt-0.5">
          {room.isActive ? 'Active' : 'Expired'}
        </Badge>
      </header>
      <p dir="auto" className="line-clamp-4 font-serif whitespace-pre-wrap wrap-anywhere">
        {room.description}
      </p>
      {line && (
        <p dir="auto" className="line-clamp-2 font-serif text-ink-soft italic wrap-anywhere">
          {line}
        </p>
      )}
      <Numbers room={room} />
      {'turn' in room && <SlowTimes room={room} />}
      <div className="mt-auto flex flex-wrap items-center gap-2 pt-1">
        <Access room={room} />
        {isAdmin && <AdminPart room={room} />}
      </div>
    </Card>
  )
}

const lastMs = 5 * 60_000

function Numbers({ room }: { room: Room }) {
  const { timeZone } = useAppConfig()
  const created = useClock((now) => relativeTime(room.createdAt, now, timeZone))
  const left = useClock((now) => (room.isActive ? timeLeft(room, now) : 'Expired'))
  const isLast = useClock((now) => room.isActive && msLeft(room, now) <= lastMs)
  return (
    <div className="flex flex-col gap-1 text-sm text-ink-soft">
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <span className="inline-flex items-center gap-1.5">
          <Users aria-hidden className="size-4" />
          {room.memberCount === 1 ? '1 member' : `${room.memberCount} members`}
        </span>
        <span className={cx('inline-flex items-center gap-1.5 tabular-nums', isLast && 'text-warn')}>
          {room.isActive ? <SmallTimeRing room={room} /> : <Clock aria-hidden className="size-4" />}
          {left}
        </span>
        {room.wordGoal && <span>Goal: {room.wordGoal.toLocaleString('en-US')} words</span>}
        <TurnLabels room={room} />
      </p>
      <p className="flex flex-wrap gap-x-1.5">
        <span>User</span>
        <span aria-hidden>·</span>
        <time dateTime={room.createdAt}>Created {created}</time>
      </p>
    </div>
  )
}

/** When a slow table ends, and for its members whose turn it is. */
function SlowTimes({ room: { expiresAt, turn } }: { room: SlowRoom }) {
  const { user } = useSession()
  const clock = useClockFormat()
  return (
    <div className="flex flex-col gap-1 text-sm text-ink-soft">
      <time dateTime={expiresAt}>
        Ends {timeOfDay(expiresAt, { weekday: 'long', month: 'long', day: 'numeric' }, clock)}
      </time>
      {turn && (
        <p className={cx('wrap-anywhere', turn.holderId === user?.id && 'font-semibold text-lamp')}>
          {turn.holderId === user?.id
            ? 'Your turn'
            : `${turn.holderName ?? `User ${turn.holderId}`} is writing`}{' '}
          until {timeOfDay(turn.endsAt, { weekday: 'long' }, clock)}
        </p>
      )}
    </div>
  )
}

/** Everyone may read public rooms. Members may read and write. */
function Access({ room }: { room: Room }) {
  const enter = useRef<HTMLAnchorElement>(null)
  const willJoin = useFocusAfter(room.isMember, enter)

  if (!room.isPublic && !room.isMember) {
    return (
      <Button variant="quiet" disabled>
        Private
      </Button>
    )
  }
  const preload = () => void loadRoomPage().catch(() => {})
  return (
    <>
      <Link
        ref={enter}
        href={roomLink(room)}
        aria-label={`Enter ${room.name}`}
        onPointerEnter={preload}
        onFocus={preload}
        className={buttonClass(room.isMember ? 'primary' : 'quiet')}
      >
        Enter
      </Link>
      {!room.isMember && !room.isClosed && <JoinButton room={room} onJoin={willJoin} />}
    </>
  )
}

function AdminPart({ room }: { room: Room }) {
  const [isOpen, setIsOpen] = useState(false)
  const remove = useRoomDeletion(deleteRoom)
  const detailsId = useId()
  return (
    <>
      <Button
        variant="quiet"
        className="ms-auto"
        aria-label={`Details of ${room.name}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detailsId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        Details
      </Button>
      <IconButton label={`Delete ${room.name}`} icon={Trash2} onClick={() => void remove(room)} />
      {isOpen && (
        <div id={detailsId} className="mt-2 basis-full border-t border-line">
          <RoomDetails room={room} />
        </div>
      )}
    </>
  )
}
