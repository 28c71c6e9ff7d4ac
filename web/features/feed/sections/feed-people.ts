import type { Creator } from '#contract/creators/creator.ts'
import { authorsOf, summaryOfCreator, type Author, type AuthorSummary } from '#contract/feed/authors.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { allCreators } from '#web/features/creators/index.ts'

const favouritesMax = 8
const recentlyViewedMax = 6

/** A person in the rows: an author of loaded posts, or a sample creator. */
export type FeedPerson = AuthorSummary &
  ({ kind: 'author'; author: Author } | { kind: 'creator'; creator: Creator })

/** Authors come first, then the sample creators. All have the follow mark of this page. */
export function feedPeople(posts: readonly PublicPost[], followed: ReadonlySet<string>): FeedPerson[] {
  return [
    ...authorsOf(posts, followed).map((author) => ({ ...author, kind: 'author' as const, author })),
    ...allCreators.map((creator) => ({
      ...summaryOfCreator(withMark(creator, followed.has(creator.id))),
      kind: 'creator' as const,
      creator,
    })),
  ]
}

const withMark = (creator: Creator, isFollowing: boolean): Creator => ({
  ...creator,
  isFollowing,
  followers: creator.followers + (isFollowing ? 1 : 0),
})

/** 'favourite creators': up to 8 people who are marked as followed on this page. */
export const favouriteCreators = <A extends Pick<AuthorSummary, 'isFollowing'>>(
  people: readonly A[],
  max = favouritesMax,
): A[] => people.filter((person) => person.isFollowing).slice(0, max)

/** 'Recently viewed': up to 6 people who are not followed. Opened profiles come first, the last opened before all. */
export function recentlyViewed<A extends Pick<AuthorSummary, 'id' | 'isFollowing'>>(
  people: readonly A[],
  openedIds: readonly string[],
  max = recentlyViewedMax,
): A[] {
  return people
    .filter((person) => !person.isFollowing)
    .toSorted((one, other) => openedIds.lastIndexOf(other.id) - openedIds.lastIndexOf(one.id))
    .slice(0, max)
}
