import { and, eq, isNotNull } from 'drizzle-orm'
import type { DomainEvents } from '#server/domain-events.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { posts } from './schema.ts'

/** Answers whether the installation has a post that everybody may read. Once it had one, the answer stays until the next start. */
export async function watchForPosts(db: Db, events: DomainEvents): Promise<() => boolean> {
  let hasPosts = false
  // All processes receive this event.
  events.on('feedDayChanged', () => (hasPosts = true))
  const published = and(isNotNull(posts.publishedOn), eq(posts.isVisible, true))
  const found = await db.select({ id: posts.id }).from(posts).where(published).limit(1)
  hasPosts ||= found.length > 0
  return () => hasPosts
}
