import type { Stats } from '#contract/admin/endpoints.ts'

/** The numbers of an installation without posts and people. */
export const noStats: Stats = {
  totalPosts: 0,
  totalLikes: 0,
  totalComments: 0,
  totalUsers: 0,
  newUsers: 0,
  pendingPosts: 0,
  perDay: [],
}
