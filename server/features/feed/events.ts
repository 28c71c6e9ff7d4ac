import type { DecidedPosts } from '#contract/inbox/notification.ts'
import type { Db } from '#server/platform/database/pool.ts'
import type { InboxEventLoaders } from '#server/features/inbox/index.ts'
import { listBeginningsOf, listPublishedPostsOf } from './queries.ts'

export const feedEventLoaders: Pick<InboxEventLoaders, 'post.approved' | 'post.hidden' | 'post.shown'> = {
  'post.approved': async (db, personId, events) => {
    const ids = events.map(({ postId }) => postId!)
    const posts = new Map((await listPublishedPostsOf(db, personId, ids)).map((post) => [post.id, post]))
    return events.map(({ postId, count }) => {
      const post = posts.get(postId!)
      return post && { ...post, count: Number(count) }
    })
  },
  'post.hidden': loadDecided,
  'post.shown': loadDecided,
}

async function loadDecided(
  db: Db,
  personId: string,
  events: Record<string, string>[],
): Promise<(DecidedPosts | undefined)[]> {
  const ids = events.map(({ postId }) => postId!)
  const posts = new Map((await listBeginningsOf(db, personId, ids)).map((post) => [post.id, post]))
  return events.map(({ postId, count, decidedAt, status }) => {
    const post = posts.get(postId!)
    return (
      post && {
        ...post,
        status: status === 'pending' ? 'pending' : 'published',
        decidedAt: decidedAt!,
        count: Number(count),
      }
    )
  })
}
