import type { Post } from '#contract/feed/post.ts'
import { clockFormat } from '#web/lib/locale.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** When a post appeared, in the time zone of the days of the feed. */
export function postTime(
  { publishedAt, createdAt }: Pick<Post, 'publishedAt' | 'createdAt'>,
  timeZone: string,
): string {
  const format = formats.get(timeZone) ?? formatIn(timeZone)
  formats.set(timeZone, format)
  return format.format(new Date(publishedAt ?? createdAt))
}

const formatIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...clockFormat(),
    timeZone,
  })
