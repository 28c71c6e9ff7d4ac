import { Lock, Search } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { olderStoriesPath, roomLink, shelfPath } from '#contract/rooms/paths.ts'
import type { FinishedRoom } from '#contract/rooms/room.ts'
import { LongDate } from '#web/lib/Time.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListNotReady } from '#web/ui/ListNotReady.tsx'
import { Outdated } from '#web/ui/NotReady.tsx'
import { useFinishedRooms } from './api.ts'
import { loadRoomPage } from './load-room-page.ts'
import { ShowMore } from '#web/ui/ShowMore.tsx'

const searchMaxLength = 64

interface FinishedStoriesProps {
  /** Whether the shelf is a page of its own, with a link to its older stories. */
  isPage?: boolean
}

/** The shelf: the stories of rooms that have ended. */
export function FinishedStories({ isPage = false }: FinishedStoriesProps) {
  const { q, before, typed, type } = useSearched()
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <section aria-labelledby="finished-stories" className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-3">
        <Heading id="finished-stories" className={cx('font-semibold', isPage ? 'text-2xl' : 'text-xl')}>
          Finished stories
        </Heading>
        <search className="relative block w-full sm:w-72">
          <Search
            aria-hidden
            className="pointer-events-none absolute inset-y-0 inset-s-3 my-auto size-4 text-ink-soft"
          />
          <input
            type="search"
            aria-label="Search finished stories"
            placeholder="Search finished stories"
            maxLength={searchMaxLength}
            value={typed}
            onChange={(event) => type(event.target.value)}
            className="well ps-9"
          />
        </search>
      </header>
      <Stories q={q} before={isPage && q === '' ? before : null} isPage={isPage} />
    </section>
  )
}

const searchAfterMs = 300

/** Writes the typed search into the address once the person stops typing. */
function useSearched() {
  const [path, navigate] = useLocation()
  const search = useSearch()
  const asked = new URLSearchParams(search)
  const q = asked.get('q') ?? ''
  const [typed, setTyped] = useState(q)
  const [seen, setSeen] = useState(q)
  // The address was changed by a link or by the Back button.
  if (q !== seen) {
    setSeen(q)
    if (q !== typed.trim()) setTyped(q)
  }

  const writeAddress = useEffectEvent((words: string) => {
    const params = new URLSearchParams(search)
    params.delete('before')
    if (words === '') params.delete('q')
    else params.set('q', words)
    navigate([path, params.toString()].filter(Boolean).join('?'), { replace: true })
  })
  useEffect(() => {
    const words = typed.trim()
    if (words === q) return
    const timer = setTimeout(() => writeAddress(words), searchAfterMs)
    return () => clearTimeout(timer)
  }, [typed, q])
  return { q, before: asked.get('before'), typed, type: setTyped }
}

type TitleElement = 'h2' | 'h3'

interface StoriesProps {
  q: string
  /** The cursor after which an older page begins. */
  before: string | null
  isPage: boolean
}

function Stories({ q, before, isPage }: StoriesProps) {
  const stories = useFinishedRooms({ ...(q !== '' && { q }), ...(before !== null && { before }) })
  const list = useRef<HTMLUListElement>(null)
  if (stories.status !== 'ready')
    return (
      <ListNotReady
        of={stories}
        what="The finished stories"
        count={4}
        each="my-4 h-24"
        className={gridClass}
      />
    )
  const { items, readMore, nextBefore } = stories.data
  const count = items.length
  return (
    <>
      {q !== '' && <output className="sr-only">{foundWords(count, readMore !== null)}</output>}
      <Outdated of={stories} what="The finished stories" />
      {count === 0 && (
        <EmptyState drawing="book" text={q === '' ? 'No finished stories yet' : `Nothing found for “${q}”`} />
      )}
      {before !== null && (
        <Link href={shelfPath} className="touch self-start text-lamp underline-offset-4 hover:underline">
          ← Newest stories
        </Link>
      )}
      <ul ref={list} className={gridClass}>
        {items.map((story, i) => (
          <Story key={story.id} story={story} titleAs={isPage ? 'h2' : 'h3'} isFarDown={i >= drawnAtOnce} />
        ))}
      </ul>
      <ShowMore
        of={stories.data}
        list={list}
        href={isPage && q === '' && nextBefore !== null ? olderStoriesPath(nextBefore) : undefined}
      />
    </>
  )
}

const foundWords = (count: number, hasMore: boolean) =>
  hasMore ? `More than ${count} stories found` : count === 1 ? '1 story found' : `${count} stories found`

const gridClass = 'grid grid-cols-1 gap-x-8 sm:grid-cols-2'
const drawnAtOnce = 12

interface StoryProps {
  story: FinishedRoom
  titleAs: TitleElement
  isFarDown: boolean
}

function Story({ story, titleAs: Title, isFarDown }: StoryProps) {
  const preload = () => void loadRoomPage().catch(() => {})
  return (
    <li
      className={cx(
        'relative flex flex-col gap-1 border-t border-line py-4',
        isFarDown && '[contain-intrinsic-size:auto_8rem] [content-visibility:auto]',
      )}
    >
      <Title dir="auto" className="flex items-baseline gap-2 text-lg font-semibold">
        <Link
          href={roomLink(story)}
          onPointerEnter={preload}
          onFocus={preload}
          className="min-w-0 wrap-anywhere after:absolute after:inset-0 hover:text-lamp"
        >
          {story.name}
        </Link>
        {!story.isPublic && (
          <Lock role="img" aria-label="Private room" className="size-4 shrink-0 self-center text-ink-soft" />
        )}
      </Title>
      <p dir="auto" className="line-clamp-2 font-serif whitespace-pre-wrap text-ink-soft wrap-anywhere">
        {story.description}
      </p>
      <p className="flex flex-wrap gap-x-1.5 text-sm text-ink-soft">
        <span>{story.lineCount === 1 ? '1 passage' : `${story.lineCount} passages`}</span>
        <span aria-hidden>·</span>
        <span>
          {story.contributorCount === 1 ? '1 contributor' : `${story.contributorCount} contributors`}
        </span>
        <span aria-hidden>·</span>
        <LongDate at={story.endedAt} />
      </p>
    </li>
  )
}
