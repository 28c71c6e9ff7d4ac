import {
  getPerson,
  listPersonPosts,
  listPersonStories,
  personPostsMax,
  personStoriesMax,
} from '#contract/people/endpoints.ts'
import { handle, type Route } from '#server/platform/http/handle.ts'
import type { LimitRule } from '#server/platform/http/limits.ts'
import { pageOf, readTimeCursor, timeCursorOf } from '#server/platform/http/paging.ts'
import { everyone, type Viewer } from '#server/platform/http/policy.ts'
import { findPersonPage, listPosts, listStories, mayReadPage } from './queries.ts'

/** Blocked people are answered as if the other one had no page. */
const ofReader = (name: string, count: number) => {
  const reads: LimitRule = { name, count, seconds: 60, by: 'address' }
  return { cacheControl: 'private, no-cache', limits: [reads] }
}
/** A page of a list ends with the text that reaches this size. */
const textsMaxBytes = 512 * 1024

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
      const limit = query.limit ?? personPostsMax
      const page = { limit: limit + 1, before: readTimeCursor(query.before) }
      const found = await listPosts(db, readerOf(viewer), params.id, page)
      if (found.length === 0 && !(await mayReadPage(db, readerOf(viewer), params.id))) fail('PersonNotFound')
      const count = Math.min(limit, countWithinBytes(found.map(({ content }) => content)))
      return pageOf(call, found, count, ({ publishedAt, id }) =>
        timeCursorOf({ createdAt: publishedAt!, id }),
      )
    }),

    handle(listPersonStories, everyone, ofReader('person-stories', 60), async (call) => {
      const { db, viewer, params, query, fail } = call
      const limit = query.limit ?? personStoriesMax
      const page = { limit: limit + 1, before: readTimeCursor(query.before) }
      const found = await listStories(db, readerOf(viewer), params.id, page)
      if (found.length === 0 && !(await mayReadPage(db, readerOf(viewer), params.id))) fail('PersonNotFound')
      const texts = found.map(({ passages }) => passages.map(({ content }) => content).join(''))
      const count = Math.min(limit, countWithinBytes(texts))
      return pageOf(call, found, count, ({ endedAt, id }) => timeCursorOf({ createdAt: endedAt, id }))
    }),
  ]
}

/** How many of these texts stand on one page: at least one. */
function countWithinBytes(texts: string[]): number {
  let bytes = 0
  const firstLeftOut = texts.findIndex((text) => {
    const isFull = bytes >= textsMaxBytes
    bytes += Buffer.byteLength(text)
    return isFull
  })
  return firstLeftOut === -1 ? texts.length : firstLeftOut
}

const readerOf = (viewer: Viewer): string | null => (viewer.kind === 'visitor' ? null : viewer.id)
