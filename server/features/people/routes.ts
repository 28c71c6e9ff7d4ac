import {
  getPerson,
  listPersonPosts,
  listPersonStories,
  personPostsMax,
  personStoriesMax,
} from '#contract/people/endpoints.ts'
import type { Db } from '#server/platform/database/pool.ts'
import { type Call, handle, type Route } from '#server/platform/http/endpoints/handle.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { readTimeCursor, type Slice, type TimeSlice } from '#server/platform/http/answers/paging.ts'
import { everyone, idOf, withScope } from '#server/platform/http/endpoints/policy.ts'
import { findPersonPage, mayReadPage } from './queries.ts'
import { readPosts, readStories } from './texts.ts'

const postReaders = withScope('posts:read', everyone)

/** Blocked people are answered as if the other one had no page. */
const ofReader = (name: string, count: number) => {
  const reads: LimitRule = { name, count, seconds: 60, by: 'address' }
  return { cacheControl: 'private, no-cache', limits: [reads] }
}
export function peopleRoutes(): Route[] {
  return [
    handle(
      getPerson,
      postReaders,
      ofReader('person-pages', 100),
      async ({ db, viewer, params, fail }) =>
        (await findPersonPage(db, idOf(viewer), params.id)) ?? fail('PersonNotFound'),
    ),

    handle(listPersonPosts, postReaders, ofReader('person-posts', 60), (call) =>
      listOf(call, readPosts, personPostsMax),
    ),

    handle(listPersonStories, postReaders, ofReader('person-stories', 60), (call) =>
      listOf(call, readStories, personStoriesMax),
    ),
  ]
}

/** A slice of one of the lists on the page of a person. */
async function listOf<Row>(
  { db, viewer, params, query, fail }: Call<typeof listPersonPosts> | Call<typeof listPersonStories>,
  read: (db: Db, readerId: string | null, personId: string, slice: TimeSlice) => Promise<Slice<Row>>,
  max: number,
): Promise<Slice<Row>> {
  const paging = { limit: query.limit ?? max, before: readTimeCursor(query.before) }
  const slice = await read(db, idOf(viewer), params.id, paging)
  if (slice.rows.length === 0 && !(await mayReadPage(db, idOf(viewer), params.id))) fail('PersonNotFound')
  return slice
}
