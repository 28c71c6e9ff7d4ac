import type { Post } from '#contract/feed/post.ts'

const format = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** When a post appeared, in the reader's own time. */
export const postTime = ({ publishedAt, createdAt }: Pick<Post, 'publishedAt' | 'createdAt'>): string =>
  format.format(new Date(publishedAt ?? createdAt))
