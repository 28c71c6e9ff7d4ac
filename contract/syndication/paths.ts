import { personPath } from '#contract/people/paths.ts'

export const feedTypes = {
  atom: 'application/atom+xml',
  rss: 'application/rss+xml',
  json: 'application/feed+json',
} as const
export type FeedFormat = keyof typeof feedTypes
export const feedFormats = Object.keys(feedTypes) as FeedFormat[]

/** What a feed lists: all posts, the posts on the page of a person, or the finished public stories. */
export type FeedOf = { kind: 'posts' } | { kind: 'person'; id: string } | { kind: 'stories' }

export function feedPath(of: FeedOf, format: FeedFormat): string {
  const folder = of.kind === 'posts' ? '' : of.kind === 'person' ? personPath(of.id) : '/stories'
  return `${folder}/feed.${format}`
}
