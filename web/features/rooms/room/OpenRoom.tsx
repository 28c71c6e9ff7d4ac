import { useRef } from 'react'
import type { RoomMembership } from '#contract/rooms/endpoints.ts'
import type { Room } from '#contract/rooms/room.ts'
import { msLeft } from '#contract/rooms/times.ts'
import { useSession } from '#web/features/account/index.ts'
import { useClock, useInterval } from '#web/lib/interval.ts'
import { useSending } from '#web/lib/use-outbox.ts'
import { useStickToEnd } from '#web/lib/use-stick-to-end.ts'
import { ComposeBar } from '#web/ui/ComposeBar.tsx'
import { JoinButton } from '../JoinButton.tsx'
import { TimeRingBesideField } from '../TimeRing.tsx'
import { useFocusAfter } from '../use-focus-after.ts'
import { type LoadedPassages, useRoomCache } from './api.ts'
import { OpenStory } from './OpenStory.tsx'
import { PassageField } from './PassageField.tsx'
import { nameOf } from './passages.ts'
import { RoomHead } from './RoomHead.tsx'
import { Signing } from './Signing.tsx'
import { useKeptReceipt } from './use-kept-receipt.ts'
import { useRoomEvents } from './use-room-events.ts'
import { WayBack } from './WayBack.tsx'
import { WordGoal } from './WordGoal.tsx'

export interface OpenRoomProps {
  room: Room
  story: LoadedPassages
  /** Null until it is known. */
  membership: RoomMembership | null
}

/** A room in which the story is still written. */
export function OpenRoom({ room, story, membership }: OpenRoomProps) {
  const { isMember } = room
  const { user } = useSession()
  const { refetchRoom } = useRoomCache(room.id)
  const { passages } = story
  const newest = passages.at(-1)?.position ?? 0
  const { sending, setSending } = useSending(newest, (text, after) =>
    passages.some(
      ({ position, userId, content }) => position > after && userId === user?.id && content === text,
    ),
  )
  const receipt = useKeptReceipt(room.id)
  const { isDeleted, presentCount, writerIds } = useRoomEvents({
    id: room.id,
    user,
    onPassage: story.add,
    onErased: story.markErased,
    onHead: (head) => void receipt.sign(head),
    hasFailed: story.error !== null,
    onOutdated: story.refetch,
  })
  const isOver = useClock((now) => msLeft(room, now) === 0)
  // The clock of the server decides: poll until the server says that the room has ended.
  useInterval(2000, () => {
    if (isOver) refetchRoom()
  })
  const isSending = sending !== null
  const { end, isBehind, goToEnd } = useStickToEnd(newest, isSending)
  const field = useRef<HTMLTextAreaElement>(null)
  const headRing = useRef<HTMLDivElement>(null)
  const willJoin = useFocusAfter(isMember, field)

  if (isDeleted) return <WayBack text="This Z!mmer was deleted." />
  return (
    <article
      aria-labelledby="page-name"
      // On a phone it fills the window with the header of the page, so that the field of a short story stands at its end.
      className="mx-auto flex min-h-full w-full max-w-4xl flex-col gap-6 [overflow-anchor:none] max-sm:min-h-[calc(100dvh-4.5rem-var(--bottom-bar,3rem))]"
    >
      <RoomHead
        room={room}
        presentCount={presentCount}
        ring={headRing}
        goal={room.wordGoal && <WordGoal roomId={room.id} goal={room.wordGoal} passages={passages} />}
        signing={
          user &&
          membership && <Signing roomId={room.id} user={user} signsWithName={membership.signsWithName} />
        }
      />
      <div className="flex flex-1 flex-col gap-5">
        <OpenStory
          room={room}
          story={story}
          sending={sending}
          whenEmpty={
            <>
              No messages yet
              <br />
              <span className="text-base">Be the first to contribute to this story!</span>
            </>
          }
        />
        <Writing names={writerIds.map((id) => nameOf(id, passages))} />
        <div ref={end} className="scroll-mb-48" />
      </div>
      <ComposeBar isBehind={isBehind} newBelow="New passages" goToEnd={goToEnd} className="sm:-mx-6 sm:px-6">
        <div className="flex items-center gap-3">
          <TimeRingBesideField room={room} head={headRing} />
          {isMember && user !== null ? (
            <PassageField
              key={user.id}
              ref={field}
              room={room}
              user={user}
              asksSignature={membership?.hasChosenSignature === false}
              isOver={isOver}
              onSending={setSending}
              onSent={(passage) => {
                receipt.add(passage)
                story.add(passage)
              }}
            />
          ) : (
            <div className="flex flex-1 flex-wrap items-center justify-between gap-3 text-sm text-ink-soft">
              You can read this story. Join to continue it.
              <JoinButton room={room} onJoin={willJoin} />
            </div>
          )}
        </div>
      </ComposeBar>
    </article>
  )
}

/** Names the people who are writing. The empty line keeps its height, so that nothing moves. */
function Writing({ names }: { names: string[] }) {
  const [first] = names
  return (
    <p aria-live="polite" className="min-h-5 text-sm text-ink-soft italic">
      {names.length === 1 && `${first} is writing …`}
      {names.length > 1 && `${first} and ${names.length - 1} more are writing …`}
    </p>
  )
}
