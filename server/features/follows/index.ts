import type { Feature } from '#server/feature.ts'
import { lockFollowsOf } from './queries.ts'
import { followRoutes } from './routes.ts'

export { listFollowedPosts } from './queries.ts'

export const feature = {
  // Foreign keys delete the follows.
  personalData: { remove: lockFollowsOf },
  start: () => ({ routes: followRoutes() }),
} satisfies Feature
