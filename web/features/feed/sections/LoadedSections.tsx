import { type ReactNode, useState } from 'react'
import { summariesOfCategories, type Category } from '#contract/feed/categories.ts'
import { trendingOf } from '#contract/feed/trending.ts'
import { listFollows } from '#contract/follows/endpoints.ts'
import { useSession } from '#web/features/account/index.ts'
import { CompetitionCard } from '#web/features/competitions/index.ts'
import { allCreators } from '#web/features/creators/index.ts'
import { useLoadedPosts } from '#web/features/details/index.ts'
import { useFollowed, useMarks } from '#web/features/follows/index.ts'
import { useEndpoint } from '#web/lib/api.ts'
import { useAppConfig, useHas } from '#web/lib/app-config.tsx'
import { ScrollingRow } from '#web/ui/ScrollingRow.tsx'
import { failedDialog, part } from '#web/ui/part.tsx'
import { CategoryCard } from './CategoryCard.tsx'
import { favouriteCreators, feedPeople, recentlyViewed, type FeedPerson } from './feed-people.ts'
import type { FeedSectionsProps } from './FeedSections.tsx'
import { PersonCard } from './PersonCard.tsx'
import { PostTile } from './PostTile.tsx'
import { competitionClass, gridCardClass, rowCardClass, SectionFrame } from './SectionFrame.tsx'
import { byCategory, favourites, noFavourites, noTrending, recentlyViewedTitle, trending } from './titles.ts'

/** Until the instance has a post, no invented activity is shown. */
export function LoadedSections({ posts, dayLabel }: FeedSectionsProps) {
  const { opened } = useMarks()
  const { hasPosts } = useAppConfig()
  const hasCompetition = useHas('competition')
  const creators = useHas('samples') ? allCreators : []
  const isRegistered = useSession().state === 'registered'
  const followedPeople = useEndpoint(listFollows, { enabled: isRegistered })
  const people = feedPeople(useLoadedPosts(), useFollowed(), {
    followedPeople: followedPeople.data,
    creators,
  })
  const isEmpty = !hasPosts && posts.length === 0
  const viewed = isEmpty ? people.filter(({ id }) => opened.includes(id)) : people
  return (
    <>
      {!isEmpty && hasCompetition && (
        <div className={competitionClass}>
          <CompetitionCard />
        </div>
      )}
      <CardsSection
        title={favourites}
        empty={noFavourites}
        cards={(className, max) => personCards(favouriteCreators(people, max), className)}
      />
      <CardsSection
        title={recentlyViewedTitle}
        empty={
          isEmpty || people.length === 0 ? 'People whose page you open appear here.' : 'You follow everyone.'
        }
        cards={(className, max) => personCards(recentlyViewed(viewed, opened, max), className)}
      />
      <CardsSection
        title={trending}
        description={dayLabel}
        empty={noTrending}
        cards={(className, max) =>
          trendingOf(posts, max).map((post) => <PostTile key={post.id} post={post} className={className} />)
        }
      />
      <CategorySection posts={posts} dayLabel={dayLabel} />
    </>
  )
}

const personCards = (people: readonly FeedPerson[], className: string) =>
  people.map((person) => <PersonCard key={person.id} person={person} className={className} />)

interface CardsSectionProps {
  title: string
  description?: string
  empty: string
  /** Draws the cards: as many as the row has, or at most `max`. */
  cards: (className: string, max?: number) => ReactNode[]
}

function CardsSection({ title, description, empty, cards }: CardsSectionProps) {
  const [showsAll, setShowsAll] = useState(false)
  const row = cards(rowCardClass)
  return (
    <>
      <SectionFrame title={title} onShowAll={() => setShowsAll(true)} empty={row.length === 0 && empty}>
        <ScrollingRow label={title}>{row}</ScrollingRow>
      </SectionFrame>
      {showsAll && (
        <CardsDialog title={title} description={description} empty={empty} onClose={() => setShowsAll(false)}>
          {cards(gridCardClass, Infinity)}
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
