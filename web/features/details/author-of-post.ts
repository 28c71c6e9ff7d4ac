import { type Author, authorIdOf, authorsOf } from '#contract/feed/authors.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { useMarks } from '#web/features/follows/index.ts'
import { useLoadedPosts } from './loaded-posts.ts'

/** The author of a post, with the posts that this page has loaded. Undefined when the author deleted the account. */
export function useAuthorOfPost(post: PublicPost): Author | undefined {
  const loaded = useLoadedPosts()
  const { followed } = useMarks()
  const posts = loaded.some(({ id }) => id === post.id) ? loaded : [post, ...loaded]
  return authorsOf(posts, followed).find(({ id }) => id === authorIdOf(post))
}
