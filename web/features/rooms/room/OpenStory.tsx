import type { ReactNode } from 'react'
import type { Room } from '#contract/rooms/room.ts'
import { useSession } from '#web/features/account/index.ts'
import { useEarlierItems } from '#web/lib/use-earlier.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import type { LoadedPassages } from './api.ts'
import { PassageList } from './PassageList.tsx'

interface OpenStoryProps {
  room: Room
  story: LoadedPassages
  /** A passage that is being sent. */
  sending: string | null
  /** Stands in the place of the passages while there are none. */
  whenEmpty: ReactNode
}

/** A story that is still written: its opening and the newest passages. Earlier ones are read by a button. */
export function OpenStory({ room, story, sending, whenEmpty }: OpenStoryProps) {
  const { state, user } = useSession()
  const { passages } = story
  const { list, readEarlier } = useEarlierItems(passages[0]?.position, story.readEarlier)
  return (
    <>
      {room.opening && <Opening text={room.opening} />}
      {readEarlier !== null && (
        <Button variant="quiet" className="self-center" busy={story.isReadingEarlier} onClick={readEarlier}>
          Earlier passages
        </Button>
      )}
      <PassageList
        ref={list}
        passages={passages}
        ownId={user?.id ?? null}
        mayReport={state === 'registered'}
        sending={sending}
      />
      {story.error !== null && (
        <QuietLine text="The story could not be refreshed." onTryAgain={story.refetch} />
      )}
      {passages.length === 0 && sending === null && <EmptyState text={whenEmpty} />}
    </>
  )
}

/** The text with which a story begins, in the columns of its passages. */
const Opening = ({ text }: { text: string }) => (
  <div className="grid gap-x-6 gap-y-0.5 border-s-2 border-transparent ps-4 md:grid-cols-[10rem_minmax(0,1fr)]">
    <p className="pt-1 text-xs text-ink-soft md:text-end">Opening</p>
    <p dir="auto" className="reading max-w-reading italic wrap-anywhere whitespace-pre-wrap">
      {text}
    </p>
  </div>
)
