import {
  getPerson,
  listPersonPosts,
  listPersonStories,
  personPostsMax,
  personStoriesMax,
} from '#contract/people/endpoints.ts'
import { handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { readTimeCursor } from '#server/platform/http/answers/paging.ts'
import { everyone, type Viewer } from '#server/platform/http/endpoints/policy.ts'
import { findPersonPage, mayReadPage } from './queries.ts'
import { readPosts, readStories } from './texts.ts'

/** Blocked people are answered as if the other one had no page. */
const ofReader = (name: string, count: number) => {
  const reads: LimitRule = { name, count, seconds: 60, by: 'address' }
  return { cacheControl: 'private, no-cache', limits: [reads] }
}
export function peopleRoutes(): Route[] {
  return [
    handle(
      getPerson,
      everyone,
      ofReader('person-pages', 100),
      async ({ db, viewer, params, fail }) =>
        (await findPersonPage(db, readerOf(viewer), params.id)) ?? fail('PersonNotFound'),
    ),

    handle(listPersonPosts, everyone, ofReader('person-posts', 60), async (call) => {
      const { db, viewer, params, query, fail } = call
      const { limit = personPostsMax } = query
      const paging = { limit, before: readTimeCursor(query.before) }
      const slice = await readPosts(db, readerOf(viewer), params.id, paging)
      if (slice.rows.length === 0 && !(await mayReadPage(db, readerOf(viewer), params.id)))
        fail('PersonNotFound')
      return slice
    }),

    handle(listPersonStories, everyone, ofReader('person-stories', 60), async (call) => {
      const { db, viewer, params, query, fail } = call
      const { limit = personStoriesMax } = query
      const paging = { limit, before: readTimeCursor(query.before) }
      const slice = await readStories(db, readerOf(viewer), params.id, paging)
      if (slice.rows.length === 0 && !(await mayReadPage(db, readerOf(viewer), params.id)))
        fail('PersonNotFound')
      return slice
    }),
  ]
}

const readerOf = (viewer: Viewer): string | null => (viewer.kind === 'visitor' ? null : viewer.id)
