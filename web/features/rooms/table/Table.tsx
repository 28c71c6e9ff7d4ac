import { useRef } from 'react'
import type { RoomPassage } from '#contract/rooms/room.ts'
import { type Seat, renewLeaseEveryMs } from '#contract/rooms/table/table.ts'
import { msLeft } from '#contract/rooms/times.ts'
import { useSession } from '#web/features/account/index.ts'
import { useClock, useInterval } from '#web/lib/interval.ts'
import { RequestError } from '#web/lib/request.ts'
import { useSending } from '#web/lib/use-outbox.ts'
import { useStickToEnd } from '#web/lib/use-stick-to-end.ts'
import { Button } from '#web/ui/Button.tsx'
import { ComposeBar } from '#web/ui/ComposeBar.tsx'
import { cx } from '#web/ui/cx.ts'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { JoinButton } from '../JoinButton.tsx'
import { useRoomCache } from '../room/api.ts'
import type { OpenRoomProps } from '../room/OpenRoom.tsx'
import { OpenStory } from '../room/OpenStory.tsx'
import { nameOf } from '../room/passages.ts'
import { RoomHead } from '../room/RoomHead.tsx'
import { Signing } from '../room/Signing.tsx'
import { useKeptReceipt } from '../room/use-kept-receipt.ts'
import { useRoomEvents } from '../room/use-room-events.ts'
import { WayBack } from '../room/WayBack.tsx'
import { WordGoal } from '../room/WordGoal.tsx'
import { TimeLeft } from '../TimeRing.tsx'
import { useFocusAfter } from '../use-focus-after.ts'
import { useRefetchAsides, useTurn } from './api.ts'
import { FirstSigning } from './FirstSigning.tsx'
import { placeOf } from './place.ts'
import { Seats } from './Seats.tsx'
import type { TalkProps } from './Talk.tsx'
import { TalkPart } from './talk-part.tsx'
import { TableMenu } from './TableMenu.tsx'
import { TurnField } from './TurnField.tsx'
import { TurnStatus } from './TurnStatus.tsx'
import { useHost } from './use-host.ts'
import { useIsWide } from './use-is-wide.ts'
import { useTurnNotification } from './use-turn-notification.ts'
import { useSeat } from './use-seat.ts'
import { useLease } from './use-lease.ts'

/** A room whose members take turns, while its story is written. */
export function Table({ room, story, membership }: OpenRoomProps) {
  const { user } = useSession()
  const { refetchRoom } = useRoomCache(room.id)
  const { passages } = story
  const ownId = user?.id ?? null
  const newest = passages.at(-1)?.position ?? 0
  const { sending, setSending } = useSending(newest, (text, after) =>
    passages.some(
      ({ position, userId, content }) => position > after && userId === ownId && content === text,
    ),
  )
  const { turn, error, refetch, take, takeEvent } = useTurn(room.id)
  const place = turn === undefined ? null : placeOf(turn, ownId, room.isMember)
  const isHolder = place === 'holder'
  const seat = useSeat({ roomId: room.id, place, onTurn: take })
  const ownNumber = isHolder ? turn!.number : null
  const { isOffline } = useLease({ roomId: room.id, number: ownNumber, onAnswer: take, onRefused: refetch })
  useTurnNotification(ownNumber, room)
  const refetchAsides = useRefetchAsides(room.id)
  const talkShape = useIsWide() ? 'rail' : 'sheet'
  const host = useHost(room)
  const isCreator = ownId !== null && room.createdByUserId === ownId

  const receipt = useKeptReceipt(room.id)
  const { isDeleted, isLive, presentCount } = useRoomEvents({
    id: room.id,
    user,
    onPassage: (passage) => {
      // The event is the same for all readers: it has no text, and its author may read it.
      if (!passage.folded || passage.userId !== ownId) story.add(passage)
      else if (!isReadable(passages, passage)) story.refetch()
    },
    onErased: story.markErased,
    onHead: (head) => void receipt.sign(head),
    hasFailed: story.error !== null,
    onTurn: (event) => {
      takeEvent(event)
      if (turn === undefined || event.revision <= turn.revision) return
      // More than the turn has changed: for example, the creator has closed the table or removed a member.
      if (event.number === turn.number || event.seats.length !== turn.seats.length) refetchRoom()
    },
    onOutdated: () => {
      story.refetch()
      refetch()
      refetchAsides()
    },
    onAside: refetchAsides,
  })
  const isOver = useClock((now) => msLeft(room, now) === 0)
  // The clock of the server decides: poll until the server says that the room, or the turn, has ended.
  useInterval(2000, () => {
    if (isOver) refetchRoom()
    else if (turn?.endsAt && Date.parse(turn.endsAt) - turn.aheadMs + lateMs < Date.now()) refetch()
  })
  // A page without a stream polls the turn: the poll of the room is too slow for a turn that is lost after 20 s without a lease.
  useInterval(renewLeaseEveryMs, () => {
    if (!isLive) refetch()
  })
  // The stream of a person who is removed from a private room ends without an event.
  useInterval(pollMs, () => {
    if (!room.isPublic) refetchRoom()
  })
  const isSending = sending !== null
  const { end, isBehind, goToEnd } = useStickToEnd(newest, isSending, isHolder)
  const field = useRef<HTMLTextAreaElement>(null)
  const headRing = useRef<HTMLDivElement>(null)
  const willJoin = useFocusAfter(room.isMember, field)
  const willPass = useFocusAfter(!isHolder, field)
  const willComeBack = useFocusAfter(place !== 'away', field)
  const willSit = useFocusAfter(place !== 'unseated', field)
  const nameOfSeat = ({ userId, name }: Seat) => name ?? nameOf(userId, passages)
  const nameOfMember = (id: string) => {
    const taken = turn?.seats.find(({ userId }) => userId === id)
    return taken === undefined ? nameOf(id, passages) : nameOfSeat(taken)
  }
  const seats = (shape: 'rail' | 'strip') =>
    turn && (
      <Seats
        room={room}
        turn={turn}
        ownId={ownId}
        nameOf={nameOfSeat}
        shape={shape}
        onRemove={isCreator ? (userId, name) => void host.remove(userId, name) : null}
      />
    )

  /** Once on the page, because its text has one draft. */
  const talk = (shape: TalkProps['shape']) =>
    shape === talkShape &&
    user !== null &&
    (place === 'holder' || place === 'seated' || place === 'away') && (
      <TalkPart key={user.id} room={room} user={user} shape={shape} />
    )

  if (isDeleted) return <WayBack text="This Z!mmer was deleted." />
  return (
    <article
      aria-labelledby="page-name"
      // On a phone it fills the window with the header of the page, so that the field of a short story stands at its end.
      className="mx-auto flex min-h-full w-full max-w-4xl flex-col gap-6 [overflow-anchor:none] max-sm:min-h-[calc(100dvh-4.5rem-var(--bottom-bar,3rem))] xl:grid xl:max-w-[69rem] xl:grid-cols-[minmax(0,1fr)_13rem] xl:grid-rows-[auto_1fr_auto] xl:gap-x-10"
    >
      <div className="xl:col-span-2">
        <RoomHead
          room={room}
          presentCount={presentCount}
          ring={headRing}
          goal={room.wordGoal && <WordGoal roomId={room.id} goal={room.wordGoal} passages={passages} />}
          hosting={isCreator && <TableMenu room={room} host={host} />}
          signing={
            user &&
            membership && <Signing roomId={room.id} user={user} signsWithName={membership.signsWithName} />
          }
        />
      </div>
      <div className="flex min-w-0 flex-1 flex-col gap-5">
        <OpenStory room={room} story={story} sending={sending} whenEmpty="Nobody has written yet" />
      </div>
      <section
        aria-label="The table"
        className="sticky top-8 -mx-1 row-span-2 flex max-h-[calc(100dvh-7rem)] flex-col gap-4 self-start overflow-y-auto px-1 max-xl:hidden"
      >
        {seats('rail')}
        {talk('rail')}
        <TimeLeft room={room} head={headRing} />
      </section>
      <ComposeBar
        isBehind={isBehind}
        newBelow="New passages"
        goToEnd={goToEnd}
        className="sm:-mx-6 sm:px-6 xl:col-start-1 xl:row-start-3"
      >
        {/*
         * In the turn of a person with a phone, the line before, the field and the ring have the window. The talk stands beside
         * the ring.
         */}
        <div
          className={cx(
            'contents',
            isHolder && 'max-sm:flex max-sm:flex-row-reverse max-sm:items-center max-sm:gap-3 huge:contents',
          )}
        >
          <section
            aria-label="The table"
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 xl:hidden"
          >
            <div className={cx('contents', isHolder && 'max-sm:hidden')}>{seats('strip')}</div>
            <div className="ms-auto">{talk('sheet')}</div>
            <div className={cx('contents', isHolder && 'max-sm:hidden')}>
              <TimeLeft room={room} head={headRing} />
            </div>
          </section>
          {turn === undefined || place === null ? (
            error === null ? (
              <Skeleton className="h-44 w-full" />
            ) : (
              <QuietLine text="The table could not be loaded." onTryAgain={refetch} />
            )
          ) : (
            <TurnStatus
              room={room}
              turn={turn}
              place={place}
              holder={turn.holderId === null ? null : nameOfMember(turn.holderId)}
              isOffline={isOffline || isUnreachable(error)}
            >
              {place === 'away' && (
                <Button
                  busy={seat.isBusy}
                  onClick={() => {
                    willComeBack()
                    void seat.comeBack()
                  }}
                >
                  I am back
                </Button>
              )}
              {seat.mayAsk && (
                <Button
                  busy={seat.isBusy}
                  onClick={() => {
                    willSit()
                    seat.take()
                  }}
                >
                  Take a seat
                </Button>
              )}
              {place === 'reader' && !room.isClosed && <JoinButton room={room} onJoin={willJoin} />}
            </TurnStatus>
          )}
        </div>
        {turn !== undefined && place !== null && room.isMember && user !== null && (
          <TurnField
            key={user.id}
            ref={field}
            room={room}
            user={user}
            turn={turn}
            isHolder={isHolder}
            passages={passages}
            isOver={isOver}
            nameOf={nameOfMember}
            onPassing={willPass}
            onTyping={() => place === 'away' && void seat.comeBack()}
            onTurn={take}
            onOutdated={refetch}
            onSending={setSending}
            onSent={(passage) => {
              receipt.add(passage)
              story.add(passage)
              if (turn.isLast) refetchRoom()
              else refetch()
            }}
          />
        )}
      </ComposeBar>
      {/* The mark to scroll to stands below the field: in the turn of this person the field grows and hides the end of the story. */}
      <div ref={end} className="relative -top-2 -mt-6 xl:col-start-1 xl:row-start-3 xl:mt-0 xl:self-end" />
      {user && membership?.hasChosenSignature === false && <FirstSigning roomId={room.id} user={user} />}
    </article>
  )
}

/** How long after the end of a turn the page asks for the next one, if no event has named it. */
const lateMs = 3000
const pollMs = 30_000

const isReadable = (passages: readonly RoomPassage[], { position }: RoomPassage) =>
  passages.some((known) => known.position === position && !known.folded)

const isUnreachable = (error: Error | null) => error !== null && !(error instanceof RequestError)
