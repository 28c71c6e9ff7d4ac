import {
  followPerson,
  listFollowedIds,
  listFollowedPosts,
  listFollows,
  unfollowPerson,
} from '#contract/follows/endpoints.ts'
import { type CallRow, people, row } from './row.ts'

export const followsCalls: readonly CallRow[] = [
  row(followPerson, { ...people, user: 404, blocked: 404 }, ({ known }) => ({
    params: { personId: known.id },
  })),
  row(unfollowPerson, people, ({ follower }) => ({ params: { personId: follower } })),
  row(listFollows, people, () => ({ query: { limit: '50' } })),
  row(listFollowedIds, people),
  row(listFollowedPosts, people, () => ({ query: { limit: '50' } })),
]
