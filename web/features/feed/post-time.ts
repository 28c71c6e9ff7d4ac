import type { Post } from '#contract/feed/post.ts'
import type { ClockFormat } from '#web/lib/locale.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

/** When a post appeared, in the time zone of the days of the feed. */
export function postTime(
  { publishedAt, createdAt }: Pick<Post, 'publishedAt' | 'createdAt'>,
  timeZone: string,
  clock: ClockFormat,
): string {
  const key = `${timeZone} ${clock.hourCycle}`
  const format = formats.get(key) ?? formatIn(timeZone, clock)
  formats.set(key, format)
  return format.format(new Date(publishedAt ?? createdAt))
}

const formatIn = (timeZone: string, clock: ClockFormat) =>
  new Intl.DateTimeFormat('en', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...clock,
    timeZone,
  })
