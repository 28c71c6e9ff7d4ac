import type { Feature } from '#server/feature.ts'
import { erasingEventLoaders } from './events.ts'
import { type Deps, erasingRoutes } from './routes.ts'

export const feature = {
  inboxLoaders: () => erasingEventLoaders,
  start: (deps: Deps) => ({ routes: erasingRoutes(deps) }),
} satisfies Feature
