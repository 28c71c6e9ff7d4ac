import { Suspense, useEffect, type RefObject, useRef, useState } from 'react'
import type { Post } from '#contract/feed/post.ts'
import { failedLine, part } from '#web/ui/part.tsx'
import { SectionFrame } from './SectionFrame.tsx'
import { titles } from './titles.ts'

export interface FeedSectionsProps {
  /** The posts of the shown day. */
  posts: readonly Post[]
  /** Such as 'Today'. */
  dayLabel: string
}

/**
 * Four rows below a day, fetched when they come near. Their places are kept from the first paint on, so that nothing
 * moves when they come.
 */
export function FeedSections(props: FeedSectionsProps) {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(place)
  const places = titles.map((title) => <SectionFrame key={title} title={title} />)
  return (
    <div ref={place} className="flex flex-col gap-8">
      {isNear ? (
        <Suspense fallback={places}>
          <LoadedSections {...props} />
        </Suspense>
      ) : (
        places
      )}
    </div>
  )
}

/** Whether the place has been within a screen's half of what is seen. */
function useIsNear(place: RefObject<HTMLElement | null>) {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || place.current === null) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setIsNear(true),
      { rootMargin: '50%' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear, place])
  return isNear
}

const LoadedSections = part(async () => (await import('./LoadedSections.tsx')).LoadedSections, failedLine)
