import { useRef } from 'react'
import type { PublicPost } from '#contract/feed/post.ts'
import { trendingOf } from '#contract/feed/trending.ts'
import { useMarks } from '#web/features/follows/index.ts'
import { useHas } from '#web/lib/app-config.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { failedLine, part } from '#web/ui/part.tsx'
import { useIsNear } from '#web/ui/use-is-near.ts'
import { competitionClass, SectionFrame } from './SectionFrame.tsx'
import { favourites, noFavourites, noTrending, titles, trending } from './titles.ts'

export interface FeedSectionsProps {
  /** The posts of the shown day. */
  posts: readonly PublicPost[]
  /** Such as 'Today'. */
  dayLabel: string
}

/**
 * The competition and four rows below a day, fetched when a reader scrolls near them. Empty frames of the same size are
 * shown before, so that nothing moves.
 */
export function FeedSections(props: FeedSectionsProps) {
  const place = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(place, '50%')
  return (
    <div ref={place} className="flex flex-col gap-8">
      {isNear ? <LoadedSections {...props} /> : <EmptyFrames {...props} />}
    </div>
  )
}

function EmptyFrames({ posts }: FeedSectionsProps) {
  const { followed } = useMarks()
  const hasCompetition = useHas('competition')
  const emptyTexts: Partial<Record<string, string | false>> = {
    [favourites]: followed.size === 0 && noFavourites,
    [trending]: trendingOf(posts).length === 0 && noTrending,
  }
  return (
    <>
      {hasCompetition && <Skeleton className={competitionClass} />}
      {titles.map((title) => (
        <SectionFrame key={title} title={title} empty={emptyTexts[title] ?? false} />
      ))}
    </>
  )
}

const LoadedSections = part(
  async () => (await import('./LoadedSections.tsx')).LoadedSections,
  failedLine,
  (props: FeedSectionsProps) => <EmptyFrames {...props} />,
)
