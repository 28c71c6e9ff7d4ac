import { lengthInCodePoints } from '#contract/text.ts'

const trendingMax = 8
const shortPost = 100

interface LoadedPost {
  content: string
  imageUrl: string | null
  publishedAt: string | null
  createdAt: string
}

/** 'Trending posts for you': the newest of the loaded posts that are long or have an image. */
export const trendingOf = <P extends LoadedPost>(posts: readonly P[], max = trendingMax): P[] =>
  posts
    .filter((post) => post.imageUrl !== null || lengthInCodePoints(post.content) > shortPost)
    .toSorted(newestFirst)
    .slice(0, max)

/** Compares as text, because instants are in ISO 8601 and UTC. */
export function newestFirst(
  one: Pick<LoadedPost, 'publishedAt' | 'createdAt'>,
  other: Pick<LoadedPost, 'publishedAt' | 'createdAt'>,
): number {
  const [a, b] = [one.publishedAt ?? one.createdAt, other.publishedAt ?? other.createdAt]
  return a === b ? 0 : a < b ? 1 : -1
}
