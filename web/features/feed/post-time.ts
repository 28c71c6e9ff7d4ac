import type { Post } from '#contract/feed/post.ts'
import { type ClockFormat, timeOfDay } from '#web/lib/locale.ts'

/** When a post appeared, in the time zone of the days of the feed. */
export const postTime = (
  { publishedAt, createdAt }: Pick<Post, 'publishedAt'> & Partial<Pick<Post, 'createdAt'>>,
  timeZone: string,
  clock: ClockFormat,
): string =>
  timeOfDay(publishedAt ?? createdAt!, { weekday: 'short', month: 'short', day: 'numeric', timeZone }, clock)

/** Says after the time of a post when its text has changed since. */
export const editedText = ({ editedAt }: Pick<Post, 'editedAt'>, timeZone: string, clock: ClockFormat) =>
  // In a row of boxes a space at the start would be dropped.
  editedAt && `\u00a0· edited ${postTime({ publishedAt: editedAt }, timeZone, clock)}`
