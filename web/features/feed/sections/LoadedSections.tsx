import { Suspense, useState, type ReactNode } from 'react'
import { favouriteCreators, recentlyViewed } from '#contract/feed/authors.ts'
import { summariesOfCategories, type Category } from '#contract/feed/categories.ts'
import type { Post } from '#contract/feed/post.ts'
import { trendingOf } from '#contract/feed/trending.ts'
import { useLoadedPosts, useMarks } from '#web/features/details/index.ts'
import { ScrollingRow } from '#web/ui/ScrollingRow.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { CategoryCard } from './CategoryCard.tsx'
import { feedPeople, type FeedPerson } from './feed-people.ts'
import type { FeedSectionsProps } from './FeedSections.tsx'
import { PersonCard } from './PersonCard.tsx'
import { PostTile } from './PostTile.tsx'
import { gridCardClass, rowCardClass, SectionFrame } from './SectionFrame.tsx'
import { byCategory, favourites, recentlyViewedTitle, trending } from './titles.ts'

export function LoadedSections({ posts, dayLabel }: FeedSectionsProps) {
  const { followed, opened } = useMarks()
  const people = feedPeople(useLoadedPosts(), followed)
  return (
    <>
      <PeopleSection
        title={favourites}
        people={favouriteCreators(people)}
        all={favouriteCreators(people, Infinity)}
        empty="Creators whom you follow stand here."
      />
      <PeopleSection
        title={recentlyViewedTitle}
        people={recentlyViewed(people, opened)}
        all={recentlyViewed(people, opened, Infinity)}
        empty="You follow everyone."
      />
      <TrendingSection posts={posts} dayLabel={dayLabel} />
      <CategorySection posts={posts} dayLabel={dayLabel} />
    </>
  )
}

interface PeopleSectionProps {
  title: string
  people: readonly FeedPerson[]
  all: readonly FeedPerson[]
  empty: string
}

function PeopleSection({ title, people, all, empty }: PeopleSectionProps) {
  const [showsAll, setShowsAll] = useState(false)
  return (
    <SectionFrame title={title} onShowAll={() => setShowsAll(true)}>
      <Row title={title} empty={empty}>
        {people.map((person) => (
          <PersonCard key={person.id} person={person} className={rowCardClass} />
        ))}
      </Row>
      <Suspense>
        {showsAll && (
          <ShowAllDialog title={title} empty={empty} onClose={() => setShowsAll(false)}>
            {all.map((person) => (
              <PersonCard key={person.id} person={person} className={gridCardClass} />
            ))}
          </ShowAllDialog>
        )}
      </Suspense>
    </SectionFrame>
  )
}

function TrendingSection({ posts, dayLabel }: FeedSectionsProps) {
  const [showsAll, setShowsAll] = useState(false)
  const empty = 'No longer posts or pictures on this day.'
  const cards = (trendingPosts: readonly Post[], className: string) =>
    trendingPosts.map((post) => <PostTile key={post.id} post={post} className={className} />)
  return (
    <SectionFrame title={trending} onShowAll={() => setShowsAll(true)}>
      <Row title={trending} empty={empty}>
        {cards(trendingOf(posts), rowCardClass)}
      </Row>
      <Suspense>
        {showsAll && (
          <ShowAllDialog
            title={trending}
            description={dayLabel}
            empty={empty}
            onClose={() => setShowsAll(false)}
          >
            {cards(trendingOf(posts, Infinity), gridCardClass)}
          </ShowAllDialog>
        )}
      </Suspense>
    </SectionFrame>
  )
}

function CategorySection({ posts, dayLabel }: FeedSectionsProps) {
  const [shown, setShown] = useState<Category | 'all' | null>(null)
  return (
    <SectionFrame title={byCategory} onShowAll={() => setShown('all')}>
      <ScrollingRow label={byCategory}>
        {summariesOfCategories(posts).map((summary) => (
          <CategoryCard key={summary.name} summary={summary} onOpen={() => setShown(summary.name)} />
        ))}
      </ScrollingRow>
      <Suspense>
        {shown && (
          <CategoryDialog
            posts={posts}
            dayLabel={dayLabel}
            shown={shown}
            onShow={setShown}
            onClose={() => setShown(null)}
          />
        )}
      </Suspense>
    </SectionFrame>
  )
}

const ShowAllDialog = part(async () => (await import('./ShowAllDialog.tsx')).ShowAllDialog, failedDialog)
const CategoryDialog = part(async () => (await import('./CategoryDialog.tsx')).CategoryDialog, failedDialog)

/** The cards of a section, or a sentence of the same height. */
function Row({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  if (children.length > 0) return <ScrollingRow label={title}>{children}</ScrollingRow>
  return (
    <p className="mt-2 grid h-48 place-items-center rounded-lg border border-dashed border-line px-6 text-center font-serif text-ink-soft">
      {empty}
    </p>
  )
}
