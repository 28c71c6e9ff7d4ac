import { Download, Lock } from 'lucide-react'
import { pathOf } from '#contract/endpoint.ts'
import { getRoomStory } from '#contract/rooms/endpoints.ts'
import { authorOf, type Room, type RoomPassage } from '#contract/rooms/room.ts'
import type { Contributor } from '#contract/rooms/story.ts'
import { useSession } from '#web/features/account/index.ts'
import { useAppConfig } from '#web/lib/app-config.ts'
import { buttonClass } from '#web/ui/Button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailedState } from '#web/ui/FailedState.tsx'
import { QuietLine } from '#web/ui/QuietLine.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { RoomNav } from './RoomNav.tsx'
import { UnsentPassage } from './UnsentPassage.tsx'
import { useStory } from './use-story.ts'

interface StoryPageProps {
  room: Room
  /** Whether somebody was in the room when it ended: the field in which they were is gone. */
  takesFocus: boolean
}

/** What a room has become when its time was up: a page of a book. */
export function StoryPage({ room, takesFocus }: StoryPageProps) {
  const { user } = useSession()
  const story = useStory(room.id)
  return (
    <article
      aria-labelledby="page-name"
      className="mx-auto flex w-full max-w-reading flex-col gap-8 print:max-w-none"
    >
      <RoomNav room={room} />
      <Title room={room} takesFocus={takesFocus} />
      {story.status === 'loading' && (
        <div role="status" aria-label="Loading the story">
          <Skeleton className="h-[70dvh]" />
        </div>
      )}
      {story.status === 'failed' && (
        <FailedState text="The story could not be loaded." onTryAgain={story.refetch} />
      )}
      {story.status === 'ready' && (
        <>
          {story.refetchError && (
            <QuietLine text="The story could not be read again." onTryAgain={story.refetch} />
          )}
          {user && <UnsentPassage key={user.id} room={room} owner={user.id} passages={story.data.passages} />}
          <Passages passages={story.data.passages} />
          <Contributors contributors={story.data.contributors} />
          <Downloads id={room.id} />
        </>
      )}
    </article>
  )
}

function Title({ room, takesFocus }: StoryPageProps) {
  const { timeZone } = useAppConfig()
  return (
    <header className="flex flex-col items-center gap-3 border-b border-line pb-8 text-center">
      <h1
        id="page-name"
        ref={takesFocus ? takeFocus : null}
        tabIndex={-1}
        className="max-w-full text-3xl wrap-anywhere outline-none"
      >
        {room.name}
      </h1>
      <p className="max-w-full font-serif text-lg text-ink-soft italic whitespace-pre-wrap wrap-anywhere">
        {room.description}
      </p>
      <p className="flex flex-wrap items-center justify-center gap-x-1.5 text-sm text-ink-soft">
        {!room.isPublic && <Lock role="img" aria-label="Private room" className="size-4" />}
        <span>
          Finished on <time dateTime={room.expiresAt}>{dateIn(room.expiresAt, timeZone)}</time>
        </span>
        <span aria-hidden>·</span>
        <span>{room.memberCount === 1 ? '1 member' : `${room.memberCount} members`}</span>
      </p>
    </header>
  )
}

/** Unless it is where somebody goes on: in the menu, in the search. */
const takeFocus = (heading: HTMLElement | null) => {
  if (document.activeElement === document.body) heading?.focus()
}

/** What may be seen at first has its true height from the start, so that nothing below it moves. */
const drawnAtOnce = 12

function Passages({ passages }: { passages: readonly RoomPassage[] }) {
  if (passages.length === 0) return <EmptyState drawing="book" text="Nobody wrote in this Z!mmer." />
  return (
    <ol aria-label="The story" className="flex flex-col gap-6">
      {passages.map((passage, i) => (
        <li
          key={passage.position}
          data-position={passage.position}
          className={cx(i >= drawnAtOnce && '[contain-intrinsic-size:auto_8rem] [content-visibility:auto]')}
        >
          <p className="reading">{passage.content}</p>
          <p className="mt-1 text-right text-xs text-ink-soft wrap-anywhere print:break-before-avoid">
            {authorOf(passage)}
          </p>
        </li>
      ))}
    </ol>
  )
}

function Contributors({ contributors }: { contributors: readonly Contributor[] }) {
  if (contributors.length === 0) return null
  return (
    <section aria-labelledby="contributors" className="border-t border-line pt-6 print:break-inside-avoid">
      <h2 id="contributors" className="text-xl">
        Contributors
      </h2>
      <ul className="mt-3 flex flex-col gap-2">
        {contributors.map(({ userId, name, words, share }) => (
          <li key={userId ?? 'left'} className="flex items-baseline justify-between gap-4 text-sm">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="whitespace-nowrap text-ink-soft tabular-nums">
              {words.toLocaleString('en-US')} {words === 1 ? 'word' : 'words'} · {share}%
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const formats = [
  ['epub', 'EPUB'],
  ['md', 'Markdown'],
  ['txt', 'Plain text'],
] as const

function Downloads({ id }: { id: string }) {
  return (
    <section aria-label="Download the story" className="flex flex-wrap justify-center gap-3 print:hidden">
      {formats.map(([format, name]) => (
        <a
          key={format}
          href={pathOf(getRoomStory, { params: { id, format } })}
          download
          className={buttonClass('quiet')}
        >
          <Download aria-hidden className="size-4" />
          {name}
        </a>
      ))}
    </section>
  )
}

const dateIn = (instant: string, timeZone: string) =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone }).format(new Date(instant))
