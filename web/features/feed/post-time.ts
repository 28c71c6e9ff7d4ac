import type { Post } from '#contract/feed/post.ts'
import { type ClockFormat, timeOfDay } from '#web/lib/locale.ts'

/** When a post appeared, in the time zone of the days of the feed. */
export const postTime = (
  { publishedAt, createdAt }: Pick<Post, 'publishedAt' | 'createdAt'>,
  timeZone: string,
  clock: ClockFormat,
): string =>
  timeOfDay(publishedAt ?? createdAt, { weekday: 'short', month: 'short', day: 'numeric', timeZone }, clock)
