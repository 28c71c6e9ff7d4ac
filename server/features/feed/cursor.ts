import { badCursor, isId, isInstant } from '#server/platform/http/answers/paging.ts'

/** The place of a post in the order of the feed: the next page begins after it. */
export interface FeedCursor {
  sortOrder: number
  publishedAt: string
  id: string
}

export const feedCursorOf = (post: { sortOrder: number; publishedAt: string | null; id: string }): string =>
  `${post.sortOrder}_${post.publishedAt}_${post.id}`

export function readFeedCursor(before: string | undefined): FeedCursor | undefined {
  if (before === undefined) return undefined
  const [sortOrder = '', publishedAt, id] = before.split('_')
  if (!/^-?\d{1,9}$/.test(sortOrder) || !isInstant(publishedAt) || !isId(id)) throw badCursor()
  return { sortOrder: Number(sortOrder), publishedAt, id }
}
