import { useState } from 'react'
import { summariesOfCategories, type Category } from '#contract/feed/categories.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { trendingOf } from '#contract/feed/trending.ts'
import { CompetitionCard } from '#web/features/competitions/index.ts'
import { useLoadedPosts } from '#web/features/details/index.ts'
import { useMarks } from '#web/features/follows/index.ts'
import { ScrollingRow } from '#web/ui/ScrollingRow.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { CategoryCard } from './CategoryCard.tsx'
import { favouriteCreators, feedPeople, recentlyViewed, type FeedPerson } from './feed-people.ts'
import type { FeedSectionsProps } from './FeedSections.tsx'
import { PersonCard } from './PersonCard.tsx'
import { PostTile } from './PostTile.tsx'
import { competitionClass, gridCardClass, rowCardClass, SectionFrame } from './SectionFrame.tsx'
import { byCategory, favourites, noFavourites, noTrending, recentlyViewedTitle, trending } from './titles.ts'

export function LoadedSections({ posts, dayLabel }: FeedSectionsProps) {
  const { followed, opened } = useMarks()
  const people = feedPeople(useLoadedPosts(), followed)
  return (
    <>
      <div className={competitionClass}>
        <CompetitionCard />
      </div>
      <PeopleSection
        title={favourites}
        people={favouriteCreators(people)}
        all={favouriteCreators(people, Infinity)}
        empty={noFavourites}
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
    <>
      <SectionFrame title={title} onShowAll={() => setShowsAll(true)} empty={people.length === 0 && empty}>
        <ScrollingRow label={title}>
          {people.map((person) => (
            <PersonCard key={person.id} person={person} className={rowCardClass} />
          ))}
        </ScrollingRow>
      </SectionFrame>
      {showsAll && (
        <CardsDialog title={title} empty={empty} onClose={() => setShowsAll(false)}>
          {all.map((person) => (
            <PersonCard key={person.id} person={person} className={gridCardClass} />
          ))}
        </CardsDialog>
      )}
    </>
  )
}

function TrendingSection({ posts, dayLabel }: FeedSectionsProps) {
  const [showsAll, setShowsAll] = useState(false)
  const cards = (trendingPosts: readonly PublicPost[], className: string) =>
    trendingPosts.map((post) => <PostTile key={post.id} post={post} className={className} />)
  const row = cards(trendingOf(posts), rowCardClass)
  return (
    <>
      <SectionFrame
        title={trending}
        onShowAll={() => setShowsAll(true)}
        empty={row.length === 0 && noTrending}
      >
        <ScrollingRow label={trending}>{row}</ScrollingRow>
      </SectionFrame>
      {showsAll && (
        <CardsDialog
          title={trending}
          description={dayLabel}
          empty={noTrending}
          onClose={() => setShowsAll(false)}
        >
          {cards(trendingOf(posts, Infinity), gridCardClass)}
        </CardsDialog>
      )}
    </>
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
      {shown && (
        <CategoryDialog
          posts={posts}
          dayLabel={dayLabel}
          shown={shown}
          onShow={setShown}
          onClose={() => setShown(null)}
        />
      )}
    </SectionFrame>
  )
}

const CardsDialog = part(async () => (await import('#web/ui/CardsDialog.tsx')).CardsDialog, failedDialog)
const CategoryDialog = part(async () => (await import('./CategoryDialog.tsx')).CategoryDialog, failedDialog)
