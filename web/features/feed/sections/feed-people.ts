import type { Creator } from '#contract/creators/creator.ts'
import { authorsOf, summaryOfCreator, type Author, type AuthorSummary } from '#contract/feed/authors.ts'
import type { Post } from '#contract/feed/post.ts'
import { allCreators } from '#web/features/creators/index.ts'

/** Who stands in the rows: an author of loaded posts, or a sample creator. */
export type FeedPerson = AuthorSummary &
  ({ kind: 'author'; author: Author } | { kind: 'creator'; creator: Creator })

/** Authors first, then the sample creators, all with the follow mark of this page. */
export function feedPeople(posts: readonly Post[], followed: ReadonlySet<string>): FeedPerson[] {
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
