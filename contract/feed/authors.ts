import type { Creator } from '#contract/creators/creator.ts'
import { type Category, categoryOf } from '#contract/feed/categories.ts'
import { deletedAuthorName, type PublicPost } from '#contract/feed/post.ts'
import { newestFirst } from '#contract/feed/trending.ts'
import { nfc } from '#contract/text.ts'

export type AuthoredPost = Pick<
  PublicPost,
  | 'id'
  | 'content'
  | 'category'
  | 'authorName'
  | 'authorId'
  | 'authorHasPage'
  | 'imageUrl'
  | 'createdAt'
  | 'publishedAt'
>

/** A creator card of the feed: an author of loaded posts, or a sample creator. */
export interface AuthorSummary {
  id: string
  name: string
  genre: string
  profileImage: string | null
  coverImage: string | null
  isFollowing: boolean
  followers: number
  /** The same number as `followers`. */
  followerCount: number
  followingCount: number
  postCount: number
  /** Posts do not carry the username of their author. */
  username: string | null
  bio: string
  category: Category
  isArtist: boolean
}

export interface Author extends AuthorSummary {
  hasPage: boolean
  recentPosts: AuthoredPost[]
}

const recentPostsMax = 3

/**
 * The people who wrote the loaded posts, in the order of their first post there.
 * Authors without an account are distinguished by name. Deleted people are left out.
 * `followed` holds the ids that this page marks as followed.
 */
export function authorsOf(
  posts: readonly AuthoredPost[],
  followed: ReadonlySet<string> = new Set(),
): Author[] {
  const byAuthor = Map.groupBy(posts.filter(hasAuthor), authorIdOf)
  return Array.from(byAuthor, ([id, written]) =>
    authorFrom(id, written.toSorted(newestFirst), followed.has(id)),
  )
}

/** The id of the author in `authorsOf`, also for posts whose author has no account. */
export const authorIdOf = (post: Pick<AuthoredPost, 'authorId' | 'authorName'>) =>
  post.authorId ?? `name:${nfc(post.authorName.trim()).toLowerCase()}`

export const summaryOfCreator = (creator: Creator): AuthorSummary => ({
  id: creator.id,
  name: creator.name,
  genre: creator.genre,
  profileImage: creator.profileImage,
  coverImage: null,
  isFollowing: creator.isFollowing,
  followers: creator.followers,
  followerCount: creator.followers,
  followingCount: 0,
  postCount: 0,
  username: null,
  bio: creator.description,
  category: categoryOf([creator.genre, creator.description, ...creator.keywords].join(' ')),
  isArtist: true,
})

const hasAuthor = (post: AuthoredPost) => post.authorId !== null || post.authorName !== deletedAuthorName

function authorFrom(id: string, newest: AuthoredPost[], isFollowing: boolean): Author {
  const category = mostChosen(newest) ?? categoryOf(newest.map((post) => post.content).join('\n'))
  const followers = isFollowing ? 1 : 0
  return {
    id,
    name: newest[0]?.authorName ?? '',
    genre: category,
    profileImage: null,
    coverImage: newest.find((post) => post.imageUrl !== null)?.imageUrl ?? null,
    isFollowing,
    followers,
    followerCount: followers,
    followingCount: 0,
    postCount: newest.length,
    username: null,
    bio: '',
    category,
    isArtist: false,
    // Of the post that gives the name: a person may sign other posts with a pen name.
    hasPage: newest[0]?.authorHasPage ?? false,
    recentPosts: newest.slice(0, recentPostsMax),
  }
}

/** The category that the author chose most often, the newest one on a tie. */
function mostChosen(newest: AuthoredPost[]): Category | undefined {
  const chosen = newest.flatMap(({ category }) => category ?? [])
  const countOf = (category: Category) => chosen.filter((each) => each === category).length
  return chosen.toSorted((one, other) => countOf(other) - countOf(one))[0]
}
