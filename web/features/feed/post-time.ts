import type { Post } from '#contract/feed/post.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** When a post appeared, in the zone whose days the feed is made of. */
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
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  })
