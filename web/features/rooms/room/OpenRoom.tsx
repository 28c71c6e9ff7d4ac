import { Lock, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import type { Room, RoomPassage } from '#contract/rooms/room.ts'
import { msLeft } from '#contract/rooms/times.ts'
import { withLf } from '#contract/text.ts'
import { useSession } from '#web/features/account/index.ts'
import { useClock, useInterval } from '#web/lib/interval.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { JoinButton } from '../JoinButton.tsx'
import { useFocusAfterJoining } from '../use-focus-after-joining.ts'
import { type usePassages, useRoomCache } from './api.ts'
import { PassageField } from './PassageField.tsx'
import { PassageList } from './PassageList.tsx'
import { RoomNav } from './RoomNav.tsx'
import { TimeRing } from './TimeRing.tsx'
import { useEarlier } from './use-earlier.ts'
import { useFollowing } from './use-following.ts'
import { useRoomEvents } from './use-room-events.ts'
import { WayBack } from './WayBack.tsx'

interface OpenRoomProps {
  room: Room
  story: ReturnType<typeof usePassages> & { passages: RoomPassage[] }
  isMember: boolean
}

/** A room in which the story is still written. */
export function OpenRoom({ room, story, isMember }: OpenRoomProps) {
  const { user } = useSession()
  const { readAnew } = useRoomCache(room.id)
  const { passages } = story
  const { sending, setSending } = useSending(passages, user?.id ?? null)
  const { isDeleted, hereCount, writing } = useRoomEvents({
    id: room.id,
    user,
    onPassage: story.add,
    onMissed: story.refetch,
  })
  const isOver = useClock((now) => msLeft(room, now) === 0)
  // The server's clock decides: it is asked until it says so too.
  useInterval(2000, () => {
    if (isOver) readAnew()
  })
  const isSending = sending !== null
  const { end, isBehind, goToEnd } = useFollowing(passages.length + (isSending ? 1 : 0), isSending)
  const { list, readEarlier } = useEarlier(passages[0]?.position, story.readEarlier)
  const field = useRef<HTMLTextAreaElement>(null)
  const willJoin = useFocusAfterJoining(isMember, field)

  if (isDeleted) return <WayBack text="This Z!mmer was deleted." />
  return (
    <article
      aria-labelledby="page-name"
      className="mx-auto flex min-h-full w-full max-w-4xl flex-col gap-6 [overflow-anchor:none]"
    >
      <Head room={room} hereCount={hereCount} />
      <div className="flex flex-1 flex-col gap-5">
        {readEarlier !== null && (
          <Button variant="quiet" className="self-center" busy={story.isReadingEarlier} onClick={readEarlier}>
            Earlier passages
          </Button>
        )}
        <PassageList ref={list} passages={passages} ownId={user?.id ?? null} sending={sending} />
        {story.error !== null && (
          <QuietLine text="The story could not be read anew." onTryAgain={story.refetch} />
        )}
        {passages.length === 0 && !isSending && (
          <EmptyState
            text={
              <>
                No messages yet
                <br />
                <span className="text-base">Be the first to contribute to this story!</span>
              </>
            }
          />
        )}
        <Writing names={writing.map((id) => nameOf(id, passages))} />
        <div ref={end} className="scroll-mb-48" />
      </div>
      <div className="sticky bottom-(--bottom-bar,3rem) -mx-4 flex flex-col gap-2 border-t border-line bg-paper px-4 py-3 sm:-mx-6 sm:px-6">
        {isBehind && (
          <Button variant="quiet" className="absolute -top-12 self-center shadow-float" onClick={goToEnd}>
            New passages
          </Button>
        )}
        {isMember && user !== null ? (
          <PassageField
            key={user.id}
            ref={field}
            room={room}
            owner={user.id}
            isOver={isOver}
            onSending={setSending}
            onSent={story.add}
          />
        ) : (
          <p className="flex flex-wrap items-center justify-between gap-3 text-sm text-ink-soft">
            You are reading along. Join to continue the story.
            <JoinButton room={room} onPress={willJoin} />
          </p>
        )}
      </div>
    </article>
  )
}

/** The passage on its way, until the story has it: the stream may tell of it before its own answer does. */
function useSending(passages: readonly RoomPassage[], ownId: string | null) {
  const [sent, setSent] = useState<{ passage: string; after: number } | null>(null)
  const isTold = passages.some(
    ({ position, userId, content }) =>
      sent !== null && position > sent.after && userId === ownId && content === withLf(sent.passage),
  )
  return {
    sending: isTold ? null : (sent?.passage ?? null),
    setSending: (passage: string | null) =>
      setSent(passage === null ? null : { passage, after: passages.at(-1)?.position ?? 0 }),
  }
}

function Head({ room, hereCount }: { room: Room; hereCount: number | null }) {
  return (
    <header className="flex flex-col gap-3">
      <RoomNav room={room} />
      <div className="flex flex-col justify-between gap-4 sm:flex-row sm:items-center">
        <div className="flex min-w-0 flex-col gap-1">
          <h1 id="page-name" dir="auto" className="flex items-center gap-2 text-2xl wrap-anywhere">
            {room.name}
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
            {hereCount !== null && hereCount > 0 && <span>{hereCount} here</span>}
          </p>
        </div>
        <TimeRing room={room} />
      </div>
    </header>
  )
}

/** Who writes just now; its line is always there, so that nothing moves. */
function Writing({ names }: { names: string[] }) {
  const [first] = names
  return (
    <p aria-live="polite" className="min-h-5 text-sm text-ink-soft italic">
      {names.length === 1 && `${first} is writing …`}
      {names.length > 1 && `${first} and ${names.length - 1} more are writing …`}
    </p>
  )
}

/** As the person's passages name them, where there are some. */
function nameOf(id: string, passages: readonly RoomPassage[]): string {
  const own = passages.findLast(({ userId }) => userId === id)
  return own?.authorName ?? `User ${id}`
}
