import { useEffect, useId, useRef, useState } from 'react'
import type { Creator } from '#contract/creators/creator.ts'
import { FollowButton } from '#web/features/follows/index.ts'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { Counts, OpenButton } from './CreatorCard.tsx'
import { CreatorAvatar } from './CreatorAvatar.tsx'
import { byName } from './sample-creators.ts'

const pageSize = 5
const loadDelayMs = 800
const visiblePart = 0.1

interface MoreListProps {
  creators: readonly Creator[]
  onOpen: (creator: Creator) => void
}

/**
 * All creators by letter, a few at first and the next when the end of the list is visible. Rows and headings have fixed
 * heights, and the list reserves the height of rows that are not shown yet, so that nothing moves when they arrive.
 */
export function MoreList({ creators, onOpen }: MoreListProps) {
  const id = useId()
  const [count, setCount] = useState(pageSize)
  const marker = useRef<HTMLParagraphElement>(null)
  const sorted = creators.toSorted(byName)
  const shown = sorted.slice(0, count)
  const rest = sorted.slice(count)
  const lettersToCome = lettersOf(sorted).length - lettersOf(shown).length

  useEffect(() => {
    if (marker.current === null) return
    let loading: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        loading = setTimeout(() => setCount(count + pageSize), loadDelayMs)
      },
      { threshold: visiblePart },
    )
    observer.observe(marker.current)
    return () => {
      observer.disconnect()
      clearTimeout(loading)
    }
  }, [count])

  return (
    <section aria-labelledby={id} className="[--letter:3rem] [--row:8rem] sm:[--row:5.5rem]">
      <div className="flex min-h-11 items-center justify-between gap-4">
        <h2 id={id} className="text-lg font-semibold">
          More
        </h2>
        <output className="text-sm text-ink-soft">
          {shown.length} of {sorted.length}
        </output>
      </div>
      {lettersOf(shown).map((letter) => (
        <section key={letter} aria-label={letter}>
          <h3 className="flex h-(--letter) items-end pb-1 text-lg font-semibold text-lamp">{letter}</h3>
          <ul>
            {shown
              .filter(({ firstLetter }) => firstLetter === letter)
              .map((creator) => (
                <Row key={creator.id} creator={creator} onOpen={onOpen} />
              ))}
          </ul>
        </section>
      ))}
      {rest.length === 0 ? (
        <p className={endClass}>All creators loaded!</p>
      ) : (
        <>
          {/* A new element after each load: the old one would move. */}
          <div
            key={count}
            style={{ height: `calc(${rest.length} * var(--row) + ${lettersToCome} * var(--letter))` }}
            className="relative"
          >
            {/* Sticky within the reserved height: a reader who jumps to the end of the page sees it too. */}
            <p
              ref={marker}
              className="sticky top-2 z-10 mx-auto mt-2 w-fit rounded-full border border-line bg-surface px-4 py-1.5 text-sm text-ink-soft shadow-float"
            >
              Loading more creators...
            </p>
            <div aria-hidden className="absolute inset-x-0 top-0">
              {rest.slice(0, pageSize).map((creator) => (
                <div key={creator.id} className="flex h-(--row) items-center gap-4 border-b border-line px-2">
                  <Skeleton className="size-12 rounded-full!" />
                  <Skeleton className="h-5 w-1/4" />
                </div>
              ))}
            </div>
          </div>
          <p aria-hidden className={endClass} />
        </>
      )}
    </section>
  )
}

const endClass = 'flex h-16 items-center justify-center font-serif text-ink-soft'

const lettersOf = (sorted: readonly Creator[]) => [...new Set(sorted.map(({ firstLetter }) => firstLetter))]

const Row = ({ creator, onOpen }: { creator: Creator; onOpen: MoreListProps['onOpen'] }) => (
  <li className="relative flex h-(--row) items-center gap-4 overflow-hidden border-b border-line px-2 [content-visibility:auto] hover:bg-surface">
    <CreatorAvatar creator={creator} className="size-12" />
    <div className="min-w-0 flex-1">
      <div className="sm:flex sm:items-baseline sm:gap-2">
        <p className="truncate font-serif font-semibold">
          <OpenButton creator={creator} onOpen={onOpen} />
        </p>
        <p className="truncate text-sm text-ink-soft">{creator.artistName}</p>
      </div>
      <p className="line-clamp-2 font-serif text-sm text-ink-soft">{creator.description}</p>
    </div>
    <div className="max-md:hidden">
      <Counts creator={creator} />
    </div>
    <div className="relative">
      <FollowButton id={creator.id} name={creator.name} />
    </div>
  </li>
)
