import { getPostNeighbours, listMoreByAuthor } from '#contract/feed/links/endpoints.ts'
import { getLastFeedDay } from '#contract/feed/reading/endpoints.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import { sameForAll, withScope } from '#server/platform/http/endpoints/policy.ts'
import { findLastDayBefore, findNeighbours, listMoreByAuthorOf } from './neighbours.ts'

const postReaders = withScope('posts:read', sameForAll)

const reads = (name: string): { limits: LimitRule[] } => ({
  limits: [{ name, count: 100, seconds: 60, by: 'address' }],
})

/** What leads a reader on: to the day, to the posts around a post, to more by its author. */
export const readingRoutes = (): Route[] => [
  handle(getLastFeedDay, postReaders, reads('last-feed-days'), async ({ db, params }) => ({
    day: await findLastDayBefore(db, params.day),
  })),

  handle(
    getPostNeighbours,
    postReaders,
    reads('neighbours'),
    async ({ db, params, fail }) => (await findNeighbours(db, params.id)) ?? fail('PostNotFound'),
  ),

  handle(
    listMoreByAuthor,
    postReaders,
    reads('more-by-author'),
    async ({ db, params, fail }) => (await listMoreByAuthorOf(db, params.id)) ?? fail('PostNotFound'),
  ),
]
