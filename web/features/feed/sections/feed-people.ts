import type { Creator } from '#contract/creators/creator.ts'
import { authorsOf, summaryOfCreator, type Author, type AuthorSummary } from '#contract/feed/authors.ts'
import { categoryOf } from '#contract/feed/categories.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import type { FollowedPerson } from '#contract/follows/follow.ts'
import { allCreators } from '#web/features/creators/index.ts'

const favouritesMax = 8
const recentlyViewedMax = 6

/** A person in the rows: an author of loaded posts, another person whom the reader follows, or a sample creator. */
export type FeedPerson = AuthorSummary &
  ({ kind: 'author'; author: Author } | { kind: 'followed' } | { kind: 'creator'; creator: Creator })

interface Others {
  followedPeople?: readonly FollowedPerson[] | undefined
  creators?: readonly Creator[]
}

/** Authors come first, then other followed people, then the sample creators. `followed` holds the ids of the followed ones. */
export function feedPeople(
  posts: readonly PublicPost[],
  followed: ReadonlySet<string>,
  { followedPeople = [], creators = allCreators }: Others = {},
): FeedPerson[] {
  const authors = authorsOf(posts, followed)
  const known = new Set(authors.map(({ id }) => id))
  return [
    ...authors.map((author) => ({ ...author, kind: 'author' as const, author })),
    ...followedPeople
      .filter(({ id }) => followed.has(id) && !known.has(id))
      .map((person) => ({ ...summaryOfFollowed(person), kind: 'followed' as const })),
    ...creators.map((creator) => ({
      ...summaryOfCreator(withMark(creator, followed.has(creator.id))),
      kind: 'creator' as const,
      creator,
    })),
  ]
}

/** None of the posts of this person is loaded. */
const summaryOfFollowed = ({ id, name, introduction }: FollowedPerson): AuthorSummary => ({
  id,
  name,
  genre: introduction.trim().split('\n', 1)[0]!,
  profileImage: null,
  coverImage: null,
  isFollowing: true,
  followers: 1,
  followerCount: 1,
  followingCount: 0,
  postCount: 0,
  username: null,
  bio: introduction,
  category: categoryOf(introduction),
  isArtist: false,
})

const withMark = (creator: Creator, isFollowing: boolean): Creator => ({
  ...creator,
  isFollowing,
  followers: creator.followers + (isFollowing ? 1 : 0),
})

/** 'favourite creators': up to 8 people whom the reader follows. */
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
