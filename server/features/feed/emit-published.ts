import { dayOf } from '#contract/days.ts'
import type { Config } from '#server/config.ts'
import type { DomainEvents } from '#server/domain-events.ts'
import type { Db } from '#server/platform/database/pool.ts'

interface Published {
  id: string
  publishedAt: string | null
  isVisible: boolean
}

/** Says within the transaction that the post becomes public, unless it waits for review. */
export async function emitPublishing(
  events: DomainEvents,
  db: Db,
  { id, publishedAt, isVisible }: Published,
): Promise<void> {
  if (publishedAt !== null && isVisible) await events.emitWithin('postsPublishing', db, [id])
}

/** Says that the post is public, unless it waits for review. Call this after the commit. */
export function emitPublished(
  events: DomainEvents,
  { id, publishedAt, isVisible }: Published,
  { timeZone }: Pick<Config, 'timeZone'>,
): void {
  if (publishedAt === null) return
  events.emit('feedDayChanged', dayOf(new Date(publishedAt), timeZone))
  if (isVisible) events.emit('postsPublished', [id])
}
