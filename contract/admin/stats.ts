import * as z from 'zod/mini'
import { endpoint } from '#contract/endpoint.ts'
import { Day } from '#contract/schemas.ts'

export const statsDays = 30

/** The numbers of the installation. People are those who are registered; guests never count. */
export const Stats = z.object({
  /** Published posts, hidden ones included, and generated ones once they were shown; likes and comments are theirs. */
  totalPosts: z.int(),
  totalLikes: z.int(),
  totalComments: z.int(),
  totalUsers: z.int(),
  /** Those who registered within the last 24 hours. */
  newUsers: z.int(),
  /** The posts in the queue. */
  pendingPosts: z.int(),
  /** For the last 30 days, oldest first: published posts and registrations. */
  perDay: z.array(z.object({ day: Day, posts: z.int(), users: z.int() })),
})
export type Stats = z.infer<typeof Stats>

export const getStats = endpoint({
  summary: 'Answers the numbers of the installation.',
  method: 'GET',
  path: '/api/admin/stats',
  output: Stats,
  errors: [],
})
