import { dayOf } from '#contract/days.ts'
import type { Config } from '#server/config.ts'
import type { DomainEvents } from '#server/domain-events.ts'

/** Says that the post is public, unless it waits for review. Call this after the commit. */
export function emitPublished(
  events: DomainEvents,
  { id, publishedAt, isVisible }: { id: string; publishedAt: string | null; isVisible: boolean },
  { timeZone }: Pick<Config, 'timeZone'>,
): void {
  if (publishedAt === null) return
  events.emit('feedDayChanged', dayOf(new Date(publishedAt), timeZone))
  if (isVisible) events.emit('postsPublished', [id])
}
