import type { Post } from '#contract/feed/post.ts'
import { useSession } from '#web/features/account/index.ts'

/** Whether this person may decide about a post: an admin about each, a moderator about no own one. */
export function useMayDecide() {
  const { user, isAdmin } = useSession()
  return ({ authorId }: Pick<Post, 'authorId'>) => isAdmin || authorId === null || authorId !== user?.id
}
