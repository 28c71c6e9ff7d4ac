import { lazy, Suspense } from 'react'
import type { Post } from '#contract/feed/post.ts'
import { SectionFrame } from './SectionFrame.tsx'
import { titles } from './titles.ts'

export interface FeedSectionsProps {
  /** The posts of the shown day. */
  posts: readonly Post[]
  /** Such as 'Today'. */
  dayLabel: string
}

/** Four rows below a day. Their places are kept from the first paint on, so that nothing moves when they come. */
export function FeedSections(props: FeedSectionsProps) {
  return (
    <div className="flex flex-col gap-8">
      <Suspense
        fallback={titles.map((title) => (
          <SectionFrame key={title} title={title} />
        ))}
      >
        <LoadedSections {...props} />
      </Suspense>
    </div>
  )
}

const LoadedSections = lazy(async () => ({ default: (await import('./LoadedSections.tsx')).LoadedSections }))
