import {
  followedPostsMax,
  followPerson,
  listFollowedIds as listFollowedIdsCall,
  listFollowedPosts as listFollowedPostsCall,
  listFollows as listFollowsCall,
  listFollowsMax,
  unfollowPerson,
} from '#contract/follows/endpoints.ts'
import { followsMax } from '#contract/follows/follow.ts'
import { done } from '#contract/schemas.ts'
import { lockPair } from '#server/features/friends/index.ts'
import { mayReadPage } from '#server/features/people/index.ts'
import {
  isPersonId,
  readTimeCursor,
  Slice,
  sliceOf,
  timeCursorOf,
} from '#server/platform/http/answers/paging.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { handle, oneStatement, type Route } from '#server/platform/http/endpoints/handle.ts'
import { people } from '#server/platform/http/endpoints/policy.ts'
import {
  addFollow,
  countFollows,
  listFollowedIds,
  listFollowedPosts,
  listFollows,
  removeFollow,
} from './queries.ts'

/** Follows that begin and end together. */
const changes: LimitRule = { name: 'follows', count: 300, seconds: 3600, by: 'person' }
const reads = (name: string): { limits: LimitRule[] } => ({
  limits: [{ name, count: 60, seconds: 60, by: 'person' }],
})

export function followRoutes(): Route[] {
  return [
    handle(followPerson, people, { limits: [changes], isRepeatable: true }, async (call) => {
      const { db, viewer, params, fail } = call
      const { personId } = params
      // The lock on the caller makes the count exact.
      if (!(await lockPair(db, viewer.id, personId)) || !(await mayReadPage(db, viewer.id, personId)))
        return fail('PersonNotFound')
      if (!(await addFollow(db, viewer.id, personId))) return done
      return (await countFollows(db, viewer.id)) > followsMax ? fail('FollowsFull') : done
    }),

    handle(unfollowPerson, people, { limits: [changes], ...oneStatement }, async ({ db, viewer, params }) => {
      await removeFollow(db, viewer.id, params.personId)
      return done
    }),

    handle(listFollowsCall, people, reads('follow-lists'), async ({ db, viewer, query }) => {
      const { limit = listFollowsMax, before } = query
      const page = { limit: limit + 1, before: readTimeCursor(before, isPersonId) }
      return sliceOf(await listFollows(db, viewer.id, page), limit, ({ followedAt, id }) =>
        timeCursorOf({ createdAt: followedAt, id }),
      )
    }),

    handle(listFollowedIdsCall, people, reads('followed-ids'), ({ db, viewer }) =>
      listFollowedIds(db, viewer.id),
    ),

    handle(listFollowedPostsCall, people, reads('followed-posts'), async ({ db, viewer, query }) => {
      const { limit = followedPostsMax, before } = query
      const { posts, next } = await listFollowedPosts(db, viewer.id, {
        limit,
        before: readTimeCursor(before),
      })
      return new Slice(posts, next && timeCursorOf(next))
    }),
  ]
}
