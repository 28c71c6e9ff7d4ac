import type { Feature } from '#server/feature.ts'
import { adminRoutes, type Deps } from './routes.ts'
import { statsRoutes } from './stats.ts'

export const feature = {
  start: (deps: Deps) => ({ routes: [...adminRoutes(deps), ...statsRoutes(deps)] }),
} satisfies Feature
