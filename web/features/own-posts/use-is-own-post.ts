import { listOwnPostIds } from '#contract/feed/own/endpoints.ts'
import type { PublicPost } from '#contract/feed/post.ts'
import { useSession } from '#web/features/account/index.ts'
import { useEndpoint } from '#web/lib/api.ts'

/**
 * Whether the reader wrote a post. The answers that everybody shares do not say it of a post under a pen name, so the ids of the
 * own posts are read. Undefined until they are known.
 */
export function useIsOwnPost({ id, authorId }: Pick<PublicPost, 'id' | 'authorId'>): boolean | undefined {
  const { user } = useSession()
  const isNamed = user !== null && authorId === user.id
  const ids = useEndpoint(listOwnPostIds, { enabled: !isNamed })
  if (isNamed) return true
  return ids.status === 'loading' ? undefined : (ids.data?.includes(id) ?? false)
}
