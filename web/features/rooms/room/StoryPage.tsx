import { Eraser, Flag, Lock } from 'lucide-react'
import { type CSSProperties, useState } from 'react'
import { pathOf } from '#contract/endpoint.ts'
import { getRoomStory } from '#contract/rooms/endpoints.ts'
import { authorOf, type Room, type RoomPassage } from '#contract/rooms/room.ts'
import { savedStory } from '#contract/rooms/saved-story.ts'
import type { Contributor } from '#contract/rooms/story.ts'
import { useReport } from '#web/features/abuse-reports/index.ts'
import { useSession } from '#web/features/account/index.ts'
import { LeftOff } from '#web/features/reading-position/index.ts'
import { SaveAs } from '#web/features/saving/index.ts'
import { StorySeal } from '#web/features/verify/index.ts'
import { useErase } from '#web/features/erasing/index.ts'
import { useAppConfig } from '#web/lib/app-config.tsx'
import { LongDate } from '#web/lib/Time.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { WrittenBody } from '#web/ui/WrittenText.tsx'
import { mayHaveTalk, TalkPart } from '../table/talk-part.tsx'
import { hasTurns } from '../TurnLabels.tsx'
import { readFingerprint } from './api.ts'
import { ErasedMark } from './ErasedMark.tsx'
import { formOfPassage, isSameAuthor } from './passages.ts'
import { RoomNav } from './RoomNav.tsx'
import { UnsentTexts } from './UnsentTexts.tsx'
import { type FinishedStory, useStory } from './use-story.ts'
import { WordGoal } from './WordGoal.tsx'

interface StoryPageProps {
  room: Room
  /** Whether the viewer had the room open when it ended: the field that had the focus is gone. */
  takesFocus: boolean
}

/** A room after its end: a page with the finished story. */
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
      {takesFocus && (
        <p role="status" className="text-center font-serif text-lg text-lamp">
          {hasTurns(room) ? 'The story is finished.' : 'Time is up.'} This is what you wrote together.
        </p>
      )}
      <ListNotReady of={story} what="The story" count={1} each="h-[70dvh]" />
      {story.status === 'ready' && (
        <>
          {story.data.passages.length > 0 && <LeftOff id={room.id} className="-mb-8" />}
          <Outdated of={story} what="The story" />
          {user && (
            <UnsentTexts
              key={user.id}
              room={room}
              owner={user.id}
              reason="ended"
              passages={story.data.passages}
            />
          )}
          {room.opening && (
            <p dir="auto" className="reading italic wrap-anywhere whitespace-pre-wrap">
              {room.opening}
            </p>
          )}
          <Passages passages={story.data.passages} unfolds={takesFocus && room.isFolded} />
          {room.wordGoal && <WordGoal roomId={room.id} goal={room.wordGoal} passages={story.data.passages} />}
          <Contributors contributors={story.data.contributors} />
          <SaveStory room={room} story={story.data} />
          {user && mayHaveTalk(room) && <TalkPart key={user.id} room={room} user={user} shape="sheet" />}
          <StorySeal
            roomId={room.id}
            isWriter={user !== null && story.data.passages.some(({ userId }) => userId === user.id)}
          />
        </>
      )}
    </article>
  )
}

function Title({ room, takesFocus }: StoryPageProps) {
  return (
    <header className="flex flex-col items-center gap-3 border-b border-line pb-8 text-center">
      <h1
        id="page-name"
        ref={takesFocus ? takeFocus : null}
        tabIndex={-1}
        className="max-w-full text-3xl wrap-anywhere outline-none [unicode-bidi:plaintext]"
      >
        {room.name}
      </h1>
      <p className="max-w-full font-serif text-lg text-ink-soft italic whitespace-pre-wrap wrap-anywhere [unicode-bidi:plaintext]">
        {room.description}
      </p>
      <p className="flex flex-wrap items-center justify-center gap-x-1.5 text-sm text-ink-soft">
        {!room.isPublic && <Lock role="img" aria-label="Private room" className="size-4" />}
        <span>
          Finished on <LongDate at={room.expiresAt} />
        </span>
        <span aria-hidden>·</span>
        <span>{room.memberCount === 1 ? '1 member' : `${room.memberCount} members`}</span>
      </p>
    </header>
  )
}

/** Keeps the focus where the viewer moved it, such as in the menu or the search. */
const takeFocus = (heading: HTMLElement | null) => {
  if (document.activeElement === document.body) heading?.focus()
}

/** The first passages have their true height at once, so that nothing below them moves. */
const drawnAtOnce = 12
/** The passages of a folded story unfold one after the other, and the rest together. */
const unfoldEveryMs = 400
const unfoldedMax = 20
const unfoldAfter = (number: number): CSSProperties & Record<`--${string}`, string> => ({
  '--unfold-after': `${Math.min(number + 1, unfoldedMax) * unfoldEveryMs}ms`,
})

interface PassagesProps {
  passages: readonly RoomPassage[]
  /** Whether the passages unfold one after the other: the reader has seen the strips in their place. */
  unfolds: boolean
}

/**
 * The passages as one text. The names of the authors are shown when the reader switches them on, and then passages of
 * others can be reported, and an admin can erase each.
 */
function Passages({ passages, unfolds }: PassagesProps) {
  const [hasNames, setHasNames] = useState(false)
  const { state, user, isAdmin } = useSession()
  const { report, dialog } = useReport()
  const { erase, dialog: erasing } = useErase()
  if (passages.length === 0) return <EmptyState drawing="book" text="Nobody wrote in this Z!mmer." />
  return (
    <div className="flex flex-col gap-6">
      <div className="self-end print:hidden">
        <Switch label="Show who wrote what" checked={hasNames} onChange={setHasNames} />
      </div>
      <ol aria-label="The story" data-long-text>
        {passages.map((passage, i) => (
          <li
            key={passage.position}
            data-position={passage.position}
            className={cx(
              i >= drawnAtOnce && '[contain-intrinsic-size:auto_8rem] [content-visibility:auto]',
              unfolds && 'unfolding',
            )}
            style={unfolds ? unfoldAfter(i) : undefined}
          >
            {hasNames && (
              <div className="flex items-end justify-between gap-2">
                {!isSameAuthor(passage, passages[i - 1]) && (
                  <p className="mt-4 min-w-0 text-xs text-ink-soft wrap-anywhere print:break-after-avoid">
                    {authorOf(passage)}
                  </p>
                )}
                {!passage.isErased && (
                  <span className="-mb-2.5 ms-auto flex print:hidden">
                    {state === 'registered' && passage.userId !== user.id && (
                      <IconButton
                        label="Report this passage"
                        icon={Flag}
                        onClick={() => report({ kind: 'passage', id: passage.id })}
                      />
                    )}
                    {isAdmin && (
                      <IconButton
                        label="Erase this passage"
                        icon={Eraser}
                        onClick={() => erase({ kind: 'passage', ...passage })}
                      />
                    )}
                  </span>
                )}
              </div>
            )}
            {passage.isErased ? (
              <ErasedMark mark={passage.content} />
            ) : (
              <StoryText text={passage.content} opensStory={i === 0} />
            )}
          </li>
        ))}
      </ol>
      {dialog}
      {erasing}
    </div>
  )
}

/** Verse keeps its lines, prose is set in paragraphs with an indent. */
function StoryText({ text, opensStory }: { text: string; opensStory: boolean }) {
  const form = formOfPassage(text, { opensStory })
  const paragraphs = form.isVerse ? [] : form.body.split(/\n\s*\n/)
  return (
    <div className="reading">
      {form.title !== null && (
        <h2 dir="auto" className="my-4 font-serif text-xl font-semibold">
          {form.title}
        </h2>
      )}
      {form.isVerse ? (
        <div className="my-4">
          <WrittenBody form={form} />
        </div>
      ) : (
        // Paragraphs have no id. Their order never changes, so the number is the key.
        paragraphs.map((paragraph, number) => (
          <p key={number} dir="auto" className={opensStory && number === 0 ? initialClass : 'indent-[1.5em]'}>
            {paragraph}
          </p>
        ))
      )}
    </div>
  )
}

/** The initial is two lines high. A shorter paragraph grows to its height, and the next one begins below. */
const initialClass =
  'flow-root first-letter:float-start first-letter:me-0.5 first-letter:text-[3.2em] first-letter:leading-[0.9] first-letter:font-semibold first-letter:text-lamp'

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

/** The server makes three of the files, and this browser makes the others. */
function SaveStory({ room, story }: { room: Room; story: FinishedStory }) {
  const { timeZone } = useAppConfig()
  const addressOf = (format: 'epub' | 'md' | 'txt') =>
    pathOf(getRoomStory, { params: { id: room.id, format } })
  return (
    <div className="flex justify-center print:hidden">
      <SaveAs
        what="the story"
        formats={['pdf', 'epub', 'html', 'md', 'txt']}
        addresses={{ epub: addressOf('epub'), md: addressOf('md'), txt: addressOf('txt') }}
        read={async ({ signal }) => savedStory(room, story, timeZone, await readFingerprint(room.id, signal))}
      />
    </div>
  )
}
