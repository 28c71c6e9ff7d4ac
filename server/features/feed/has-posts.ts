import type { FastifyInstance } from 'fastify'
import type { DomainEvents } from '#server/domain-events.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { ifAvailable } from '#server/platform/database/unavailable.ts'
import { schedule } from '#server/platform/schedule.ts'
import { isPublished } from './authors.ts'
import { posts } from './schema.ts'

interface Deps {
  database: Db
  events: DomainEvents
  app: FastifyInstance
}

/** Another process may publish the first post. */
const everyMs = 5000

/**
 * Answers whether the installation has a post that everybody may read. Looks for one after each change of a day and every 5 s
 * until there is one. Then the answer stays until the next start.
 */
export async function watchForPosts({ database, events, app }: Deps): Promise<() => boolean> {
  let hasPosts = false
  const look = async () => {
    if (hasPosts) return
    const found = await database.select({ id: posts.id }).from(posts).where(isPublished).limit(1)
    hasPosts ||= found.length > 0
  }
  await look()
  // When this fails, the next look finds the post.
  events.on('feedDayChanged', () => void look().catch(() => {}))
  schedule(app, 'look for the first post', everyMs, () => ifAvailable(look))
  return () => hasPosts
}
